import { ApiError } from "../../../platform/http/api-error.ts";
import { changeSites } from "./change-sites.ts";
import { MAX_DOMAINS } from "./create-site.ts";
import type { SiteDeps } from "./deps.ts";
import { type DomainRow, deleteDomain, insertDomain, listDomains } from "./domains-store.ts";
import { normalizeDomain } from "./normalize-domain.ts";

/** Authorizes a domain; throws `invalid_domain`, `duplicate_entry`, and `conflict` beyond the most that a site may have. */
export async function addDomain(deps: SiteDeps, siteId: string, text: string): Promise<DomainRow> {
	const domain = normalizeDomain(text, deps);
	return changeSites(deps, async (metadata) => {
		const row = await insertDomain(metadata, siteId, domain, deps.clock.now());
		if (row === undefined) throw new ApiError("duplicate_entry", { message: "The site has this domain already" });
		if ((await listDomains(metadata, [siteId])).length > MAX_DOMAINS) {
			throw new ApiError("conflict", { message: `A site has at most ${MAX_DOMAINS} domains` });
		}
		return row;
	});
}

/** Takes a domain away and answers its stored form; throws `not_found`. */
export async function removeDomain(deps: SiteDeps, siteId: string, text: string): Promise<string> {
	// What is not a host name cannot be stored, so looking for it as it is finds nothing.
	const domain = storedForm(text, deps.allowLocalhost);
	return changeSites(deps, async (metadata) => {
		const removed = domain !== undefined && (await deleteDomain(metadata, siteId, domain));
		if (!removed) throw new ApiError("not_found", { message: "The site does not have this domain" });
		return domain;
	});
}

function storedForm(text: string, allowLocalhost: boolean): string | undefined {
	try {
		return normalizeDomain(text, { allowLocalhost });
	} catch (error) {
		if (error instanceof ApiError) return undefined;
		throw error;
	}
}
