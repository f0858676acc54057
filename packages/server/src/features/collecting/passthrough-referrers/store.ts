import { tables } from "../../../../migrations/metadata/tables/index.ts";
import type { SettingsLoader } from "../attribution-settings/index.ts";

/** Reads the active rules of the sites named, or of all, for the collector. */
export const loadPassthroughRules: SettingsLoader<"passthroughRules"> = async (metadata, siteIds) => {
	let query = tables(metadata).selectFrom("passthrough_referrers").selectAll().where("is_active", "=", 1);
	if (siteIds !== undefined) query = query.where("site_id", "in", siteIds);
	return Map.groupBy(await query.execute(), (row) => row.site_id);
};
