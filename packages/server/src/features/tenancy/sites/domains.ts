import { ServiceError } from "../../../platform/errors/service-error.ts";
import { addedFields, recordAudit, removedFields } from "../../auditing/audit-log/index.ts";
import { siteIsFull } from "../organizations/index.ts";
import { changeSites } from "./change-sites.ts";
import { MAX_DOMAINS } from "./create-site.ts";
import type { SiteDeps } from "./deps.ts";
import { normalizeDomain } from "./normalize.ts";
import { type DomainRow, deleteDomain, insertDomain, listDomains, lockSite } from "./store.ts";
import type { SiteChange } from "./update-site.ts";

/** Authorizes a domain; throws `invalid_domain`, `duplicate_entry`, and `conflict` beyond the most that a site may have. */
export async function addDomain(deps: SiteDeps, { siteId, actor }: SiteChange, text: string): Promise<DomainRow> {
	const domain = normalizeDomain(text);
	const now = deps.clock.now();
	return changeSites(deps, [siteId], async (metadata) => {
		// Of two at once, the second counts the first.
		await lockSite(metadata, siteId);
		const row = await insertDomain(metadata, siteId, domain, now);
		if (row === undefined) throw new ServiceError("duplicate_entry", { message: "The site already has this domain" });
		if ((await listDomains(metadata, [siteId])).length > MAX_DOMAINS) throw siteIsFull(MAX_DOMAINS, "domains");
		const entry = { resourceId: row.id, siteId, details: addedFields({ domain }) };
		await recordAudit(metadata, actor, { action: "domain.created", ...entry }, now);
		return row;
	});
}

/** Takes a domain away and answers its stored form; throws `not_found`. */
export async function removeDomain(deps: SiteDeps, { siteId, actor }: SiteChange, text: string): Promise<string> {
	// An invalid host name cannot be stored, so the search finds nothing.
	const domain = storedForm(text);
	return changeSites(deps, [siteId], async (metadata) => {
		const row = domain === undefined ? undefined : await deleteDomain(metadata, siteId, domain);
		if (row === undefined) throw new ServiceError("not_found", { message: "The site does not have this domain" });
		const entry = { resourceId: row.id, siteId, details: removedFields({ domain: row.domain }) };
		await recordAudit(metadata, actor, { action: "domain.deleted", ...entry }, deps.clock.now());
		return row.domain;
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
