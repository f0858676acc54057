import { addRoute } from "../../../platform/http/add-route.ts";
import type { App } from "../../../platform/http/app.ts";
import { success } from "../../../platform/http/envelope.ts";
import { errorAnswers } from "../../../platform/http/error-answers.ts";
import { Success } from "../../../platform/http/schemas.ts";
import { actorOf } from "../../auditing/audit-log/index.ts";
import type { SiteRouteDeps } from "./deps.ts";
import { addDomain, removeDomain } from "./domains.ts";
import { readingSite, writingSite } from "./guards.ts";
import { presentDomain } from "./present.ts";
import { Domain, DomainInput, DomainList, DomainParams, DomainRemoved, SiteParams } from "./schemas.ts";
import { listDomains } from "./store.ts";
import type { SiteChange } from "./update-site.ts";

const tags = ["Sites"];

export function registerDomains(app: App, deps: SiteRouteDeps): void {
	addRoute(app, "GET /sites/:id/domains", {
		tags,
		summary: "Authorized domains",
		params: SiteParams,
		guard: readingSite,
		data: DomainList,
		handler: async (request) => {
			const domains = (await listDomains(deps.metadata, [request.site.id])).map(presentDomain);
			return { domains, total: domains.length };
		},
	});
	addRoute(app, "POST /sites/:id/domains", {
		tags,
		summary: "Authorize a domain and its subdomains",
		params: SiteParams,
		body: DomainInput,
		guard: writingSite("admin"),
		status: 201,
		data: Domain,
		errors: errorAnswers("duplicate_entry", "conflict"),
		handler: async (request) => {
			const change = { siteId: request.site.id, actor: actorOf(request) };
			const row = await addDomain(deps, change, request.body.domain);
			return presentDomain(row);
		},
	});
	const removed = async (change: SiteChange, domain: string) =>
		success({ removed: true as const, domain: await removeDomain(deps, change, domain) });
	addRoute(app, "DELETE /sites/:id/domains/:domain", {
		tags,
		summary: "Remove a domain",
		params: DomainParams,
		guard: writingSite("admin"),
		answer: Success(DomainRemoved),
		errors: errorAnswers("invalid_domain", "not_found"),
		handler: (request) => removed({ siteId: request.site.id, actor: actorOf(request) }, request.params.domain),
	});
	addRoute(app, "DELETE /sites/:id/domains", {
		tags,
		summary: "Remove the domain given in the query",
		params: SiteParams,
		querystring: DomainInput,
		guard: writingSite("admin"),
		answer: Success(DomainRemoved),
		errors: errorAnswers("invalid_domain", "not_found"),
		handler: (request) => removed({ siteId: request.site.id, actor: actorOf(request) }, request.query.domain),
	});
}
