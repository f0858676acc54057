import { findSiteFor, reachableSitesOf } from "../../../access/index.ts";
import { fieldError, ServiceError } from "../../../platform/errors/service-error.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import { listSites } from "../../tenancy/sites/index.ts";
import type { Asker } from "./asker.ts";
import type { Arguments } from "./route-parameters.ts";

/** Sites that an error names. */
const NAMED = 20;

/** A site that reports tell of. */
export interface ToolSite {
	readonly id: string;
	readonly name: string;
	/** IANA zone. */
	readonly timezone: string;
	/** ISO 4217 code. */
	readonly currency: string;
}

/** The sites that the asker may open from here, newest first. */
export async function openSites(metadata: Metadata, asker: Asker, includeInactive: boolean) {
	const reach = (await reachableSitesOf(metadata, asker.caller)).map(({ id }) => id);
	const ids = reach.filter((id) => asker.isSiteOpenHere(id));
	return listSites(metadata, { ids, includeInactive });
}

/** The site that a call is about: the one it names, else the only active one in reach. 422 on `site_id` when there are several. */
export async function siteNamed(metadata: Metadata, asker: Asker, given: Arguments): Promise<string> {
	const named = given.site_id ?? given.account_id;
	if (named !== undefined) return String(named);
	const sites = await openSites(metadata, asker, false);
	const [only, second] = sites;
	if (only === undefined) throw new ServiceError("account_not_found", { message: "You have access to no site" });
	if (second === undefined) return only.id;
	const names = sites.slice(0, NAMED).map(({ id }) => id);
	const more = sites.length > NAMED ? ` and ${sites.length - NAMED} more (list_sites)` : "";
	throw fieldError("site_id", `Must be one of your sites: ${names.join(", ")}${more}`, "missing");
}

/** Facts of a site; the route checks the caller's access. */
export const findSite = (metadata: Metadata, asker: Asker, id: string): Promise<ToolSite | undefined> =>
	findSiteFor(metadata, id, asker.caller.userId);
