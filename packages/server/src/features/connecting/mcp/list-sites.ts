import { fieldError } from "../../../platform/errors/service-error.ts";
import type { ToolDeps } from "./ask-report.ts";
import type { Asker } from "./asker.ts";
import { presentSites, type ToolAnswer } from "./present.ts";
import type { Arguments } from "./route-parameters.ts";
import { openSites } from "./sites.ts";
import type { InputSchema } from "./tool-schema.ts";

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
export async function listSites(deps: ToolDeps, asker: Asker, given: Arguments): Promise<ToolAnswer> {
	const [unknown] = Object.keys(given).filter((name) => name !== "include_inactive");
	if (unknown !== undefined) throw fieldError(unknown.slice(0, 64), "No such argument", "unknown");
	const includeInactive = given.include_inactive ?? false;
	if (typeof includeInactive !== "boolean") throw fieldError("include_inactive", "must be boolean", "boolean_type");
	return presentSites(await openSites(deps.metadata, asker, includeInactive));
}
