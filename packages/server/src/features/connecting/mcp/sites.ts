import { findSiteFor, reachableSitesOf } from "../../../access/index.ts";
import { fieldError, ServiceError } from "../../../platform/errors/service-error.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import { listSites as sitesAmong } from "../../tenancy/sites/index.ts";
import type { Asker } from "./asker.ts";
import { presentSites, type ToolAnswer, type ToolSite } from "./present.ts";
import type { InputSchema } from "./report-tools.ts";
import type { Arguments } from "./route-parameters.ts";

/** Sites that an error names. */
const NAMED = 20;

/** The sites that the asker may open from here, newest first. */
async function openSites(metadata: Metadata, asker: Asker, includeInactive: boolean) {
	const reach = (await reachableSitesOf(metadata, asker.caller)).map(({ id }) => id);
	const ids = reach.filter((id) => asker.isSiteOpenHere(id));
	return sitesAmong(metadata, { ids, includeInactive });
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

/** The tool that tells which sites there are to ask about. */
export const listSitesTool = {
	name: "list_sites",
	title: "Sites",
	description: "Sites you have access to, with their site_id, time zone and currency.",
	inputSchema: {
		type: "object",
		properties: {
			include_inactive: { type: "boolean", default: false, description: "Include inactive sites" },
		},
		required: [],
		additionalProperties: false,
	} satisfies InputSchema,
};

/** The sites that the asker may open from here. */
export async function listSites(
	{ metadata }: { readonly metadata: Metadata },
	asker: Asker,
	given: Arguments,
): Promise<ToolAnswer> {
	const [unknown] = Object.keys(given).filter((name) => name !== "include_inactive");
	if (unknown !== undefined) throw fieldError(unknown.slice(0, 64), "No such argument", "unknown");
	const includeInactive = given.include_inactive ?? false;
	if (typeof includeInactive !== "boolean") throw fieldError("include_inactive", "must be boolean", "boolean_type");
	return presentSites(await openSites(metadata, asker, includeInactive));
}
