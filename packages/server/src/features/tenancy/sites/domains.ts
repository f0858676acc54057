import { Type } from "typebox";
import { ServiceError } from "../../../platform/errors/service-error.ts";
import { addRoute } from "../../../platform/http/add-route.ts";
import type { App } from "../../../platform/http/app.ts";
import { success } from "../../../platform/http/envelope.ts";
import { presentRow } from "../../../platform/http/present-row.ts";
import { Success, Timestamp } from "../../../platform/http/schemas.ts";
import { addedFields, removedFields } from "../../auditing/audit-log/index.ts";
import { siteIsFull } from "../organizations/index.ts";
import { changeBy, changeOfSite, MAX_DOMAINS, type SiteChange } from "./change-sites.ts";
import type { SiteChangeDeps } from "./deps.ts";
import { normalizeDomain } from "./normalize.ts";
import { domain, readingSite, writingSite } from "./schemas.ts";
import { domains } from "./store.ts";

const Domain = Type.Object({
	id: Type.Integer(),
	domain: Type.String(),
	is_active: Type.Boolean(),
	created_at: Timestamp(),
});
const DomainInput = Type.Object({ domain: domain() });
const Removed = Type.Object({ removed: Type.Literal(true), domain: Type.String() });

const writing = writingSite("admin");

export function registerDomains(app: App, deps: SiteChangeDeps): void {
	addRoute(app, "GET /sites/:id/domains", {
		...readingSite,
		summary: "Authorized domains",
		list: ["domains", Domain],
		handler: async (request) => {
			const rows = await domains.list(deps.metadata, { site_id: request.site.id }, "id");
			return rows.map((row) => presentRow(Domain, row));
		},
	});
	addRoute(app, "POST /sites/:id/domains", {
		...writing,
		summary: "Authorize a domain and its subdomains",
		body: DomainInput,
		status: 201,
		data: Domain,
		errors: ["duplicate_entry", "conflict"],
		handler: async (request) => presentRow(Domain, await addDomain(deps, changeBy(request), request.body.domain)),
	});
	const removed = async (change: SiteChange, domain: string) =>
		success({ removed: true as const, domain: await removeDomain(deps, change, domain) });
	addRoute(app, "DELETE /sites/:id/domains/:domain", {
		...writing,
		summary: "Remove a domain",
		params: Type.Object({ id: Type.String(), domain: domain() }),
		answer: Success(Removed),
		errors: ["invalid_domain", "not_found"],
		handler: (request) => removed(changeBy(request), request.params.domain),
	});
	addRoute(app, "DELETE /sites/:id/domains", {
		...writing,
		summary: "Remove the domain given in the query",
		querystring: DomainInput,
		answer: Success(Removed),
		errors: ["invalid_domain", "not_found"],
		handler: (request) => removed(changeBy(request), request.query.domain),
	});
}

/** Authorizes a domain; throws `invalid_domain`, `duplicate_entry`, and `conflict` beyond the most that a site may have. */
export async function addDomain(deps: SiteChangeDeps, by: SiteChange, text: string) {
	const domain = normalizeDomain(text);
	return changeOfSite(deps, by, async (trx, created_at) => {
		const added = { site_id: by.siteId, domain, is_active: 1, created_at };
		const answer = await domains.insertUnlessTaken(trx, added);
		if (answer === undefined) throw new ServiceError("duplicate_entry", "The site already has this domain");
		if ((await domains.count(trx, { site_id: by.siteId })) > MAX_DOMAINS) throw siteIsFull(MAX_DOMAINS, "domains");
		return { answer, entry: { action: "domain.created", resourceId: answer.id, details: addedFields({ domain }) } };
	});
}

/** Removes a domain and returns its stored form; throws `not_found`. */
export async function removeDomain(deps: SiteChangeDeps, by: SiteChange, text: string): Promise<string> {
	// An invalid host name cannot be stored, so the search finds nothing.
	const domain = storedForm(text);
	return changeOfSite(deps, by, async (trx) => {
		const row = domain === undefined ? undefined : await domains.delete(trx, { site_id: by.siteId, domain });
		if (row === undefined) throw new ServiceError("not_found", "The site does not have this domain");
		const details = removedFields({ domain: row.domain });
		return { answer: row.domain, entry: { action: "domain.deleted", resourceId: row.id, details } };
	});
}

function storedForm(text: string): string | undefined {
	try {
		return normalizeDomain(text);
	} catch (error) {
		if (error instanceof ServiceError) return undefined;
		throw error;
	}
}
