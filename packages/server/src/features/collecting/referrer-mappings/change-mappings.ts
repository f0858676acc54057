import { ApiError } from "../../../platform/http/api-error.ts";
import { changeAttributionSettings } from "../attribution-settings/index.ts";
import { checkPattern } from "./check-pattern.ts";
import type { MappingDeps } from "./deps.ts";
import { countMappings, deleteMapping, findMapping, insertMapping, type MappingRow, updateMapping } from "./store.ts";

/** A site is served from memory, and a new referrer is compared with all of its mappings. */
const MAX_MAPPINGS = 1000;

/** What a caller says of a mapping. */
type MappingInput = Omit<MappingRow, "id" | "site_id" | "created_at" | "updated_at">;

/** The answer to an id that the site does not have. */
export const mappingNotFound = () => new ApiError("not_found", { message: "Referrer mapping not found" });

/** Adds a mapping; 422 for an expression that cannot be compiled, and `conflict` beyond the most that a site may have. */
export async function addMapping(deps: MappingDeps, siteId: string, input: MappingInput): Promise<MappingRow> {
	checkPattern(input);
	const now = deps.clock.now();
	return changeAttributionSettings(deps, siteId, async (metadata) => {
		if ((await countMappings(metadata, siteId)) >= MAX_MAPPINGS) {
			throw new ApiError("conflict", { message: `A site has at most ${MAX_MAPPINGS} referrer mappings` });
		}
		return insertMapping(metadata, { ...input, site_id: siteId, created_at: now, updated_at: now });
	});
}

/** Changes the fields given; throws `not_found`, and 422 when the outcome is an expression that cannot be compiled. */
export async function changeMapping(
	deps: MappingDeps,
	siteId: string,
	id: number,
	changes: Partial<MappingInput>,
): Promise<MappingRow> {
	return changeAttributionSettings(deps, siteId, async (metadata) => {
		const before = await findMapping(metadata, siteId, id);
		if (before === undefined) throw mappingNotFound();
		checkPattern({ ...before, ...changes });
		return (await updateMapping(metadata, siteId, id, { ...changes, updated_at: deps.clock.now() })) ?? before;
	});
}

/** Removes a mapping; throws `not_found`. */
export async function removeMapping(deps: MappingDeps, siteId: string, id: number): Promise<void> {
	await changeAttributionSettings(deps, siteId, async (metadata) => {
		if (!(await deleteMapping(metadata, siteId, id))) throw mappingNotFound();
	});
}
