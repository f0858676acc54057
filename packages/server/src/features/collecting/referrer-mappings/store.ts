import { type Row, tables } from "../../../../migrations/metadata/tables/index.ts";
import type { SettingsLoader } from "../attribution-settings/index.ts";

/** Reads the active mappings of the sites named, or of all, for the collector; the oldest first. */
export const loadReferrerMappings: SettingsLoader<"referrerMappings"> = async (metadata, siteIds) => {
	let query = tables(metadata).selectFrom("referrer_mappings").selectAll().where("is_active", "=", 1).orderBy("id");
	if (siteIds !== undefined) query = query.where("site_id", "in", siteIds);
	// Without label and description, which a hit does not need: they would stay in the collector's memory.
	const bySite = Map.groupBy(await query.execute(), (row) => row.site_id);
	return new Map([...bySite].map(([siteId, mappings]) => [siteId, mappings.map(toMapping)]));
};

const toMapping = (row: Row<"referrer_mappings">) => ({
	pattern: row.referrer_pattern,
	matchType: row.match_type,
	priority: row.priority,
	utm_source: row.utm_source,
	utm_medium: row.utm_medium,
	utm_campaign: row.utm_campaign,
	utm_term: row.utm_term,
	utm_content: row.utm_content,
});
