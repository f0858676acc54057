import type { App } from "../../../platform/http/app.ts";
import { success } from "../../../platform/http/envelope.ts";
import { errorAnswers } from "../../../platform/http/error-answers.ts";
import { Success } from "../../../platform/http/schemas.ts";
import { actorOf } from "../../auditing/audit-log/index.ts";
import type { SiteRouteDeps } from "./deps.ts";
import { addDomain, removeDomain } from "./domains.ts";
import { listDomains } from "./domains-store.ts";
import { readingSite, writingSite } from "./guards.ts";
import { presentDomain } from "./present.ts";
import { Domain, DomainInput, DomainList, DomainParams, DomainRemoved, SiteParams } from "./schemas.ts";
import type { SiteChange } from "./update-site.ts";

const tags = ["Sites"];

/** Routes on the domains from which a site accepts hits. */
export function registerDomains(app: App, deps: SiteRouteDeps): void {
	app.route({
		method: "GET",
		url: "/sites/:id/domains",
		schema: { tags, summary: "Authorized domains", params: SiteParams, response: { 200: Success(DomainList) } },
		config: { guard: readingSite },
		handler: async (request) => {
			const domains = (await listDomains(deps.metadata, [request.site.id])).map(presentDomain);
			return success({ domains, total: domains.length });
		},
	});
	app.route({
		method: "POST",
		url: "/sites/:id/domains",
		schema: {
			tags,
			summary: "Authorize a domain and its subdomains",
			params: SiteParams,
			body: DomainInput,
			response: { 201: Success(Domain), ...errorAnswers("duplicate_entry", "conflict") },
		},
		config: { guard: writingSite("admin") },
		handler: async (request, reply) => {
			const change = { siteId: request.site.id, actor: actorOf(request) };
			const row = await addDomain(deps, change, request.body.domain);
			return reply.code(201).send(success(presentDomain(row)));
		},
	});
	const removed = async (change: SiteChange, domain: string) =>
		success({ removed: true as const, domain: await removeDomain(deps, change, domain) });
	app.route({
		method: "DELETE",
		url: "/sites/:id/domains/:domain",
		schema: {
			tags,
			summary: "Remove a domain",
			params: DomainParams,
			response: { 200: Success(DomainRemoved), ...errorAnswers("invalid_domain", "not_found") },
		},
		config: { guard: writingSite("admin") },
		handler: (request) => removed({ siteId: request.site.id, actor: actorOf(request) }, request.params.domain),
	});
	app.route({
		method: "DELETE",
		url: "/sites/:id/domains",
		schema: {
			tags,
			summary: "Remove a domain named in the query",
			params: SiteParams,
			querystring: DomainInput,
			response: { 200: Success(DomainRemoved), ...errorAnswers("invalid_domain", "not_found") },
		},
		config: { guard: writingSite("admin") },
		handler: (request) => removed({ siteId: request.site.id, actor: actorOf(request) }, request.query.domain),
	});
}
