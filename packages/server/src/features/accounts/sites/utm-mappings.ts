import { ApiError } from "../../../platform/http/api-error.ts";
import { changeSites } from "./change-sites.ts";
import type { SiteDeps } from "./deps.ts";
import { deleteMapping, insertMapping, type MappingRow, updateMapping } from "./mappings-store.ts";
import type { UtmMapping } from "./site-facts.ts";

const notFound = () => new ApiError("not_found", { message: "UTM mapping not found" });

/** Lets a custom query parameter fill a campaign field; throws `duplicate_entry` when the parameter has a target already. */
export async function addMapping(deps: SiteDeps, siteId: string, mapping: UtmMapping): Promise<MappingRow> {
	return changeSites(deps, async (metadata) => {
		const row = await insertMapping(metadata, {
			site_id: siteId,
			custom_param: mapping.customParam,
			maps_to: mapping.mapsTo,
			created_at: deps.clock.now(),
		});
		if (row === undefined) throw new ApiError("duplicate_entry", { message: "The parameter is mapped already" });
		return row;
	});
}

/** Changes target or activity of a mapping; throws `not_found`. */
export async function changeMapping(
	deps: SiteDeps,
	siteId: string,
	mappingId: number,
	changes: { readonly mapsTo?: UtmMapping["mapsTo"]; readonly isActive?: boolean },
): Promise<MappingRow> {
	return changeSites(deps, async (metadata) => {
		const row = await updateMapping(metadata, siteId, mappingId, {
			...(changes.mapsTo !== undefined && { maps_to: changes.mapsTo }),
			...(changes.isActive !== undefined && { is_active: changes.isActive ? 1 : 0 }),
		});
		if (row === undefined) throw notFound();
		return row;
	});
}

/** Removes the mapping of a parameter; throws `not_found`. */
export async function removeMapping(deps: SiteDeps, siteId: string, customParam: string): Promise<void> {
	await changeSites(deps, async (metadata) => {
		if (!(await deleteMapping(metadata, siteId, customParam))) throw notFound();
	});
}
