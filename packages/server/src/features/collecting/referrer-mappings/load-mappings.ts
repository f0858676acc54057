import type { SettingsLoader } from "../attribution-settings/index.ts";
import { listActiveMappings, type MappingRow } from "./store.ts";

/** Reads the active mappings for the collector. */
export const loadReferrerMappings: SettingsLoader<"referrerMappings"> = async (metadata, siteIds) => {
	const bySite = Map.groupBy(await listActiveMappings(metadata, siteIds), (row) => row.site_id);
	return new Map([...bySite].map(([siteId, rows]) => [siteId, rows.map(toMapping)]));
};

const toMapping = (row: MappingRow) => ({
	pattern: row.referrer_pattern,
	matchType: row.match_type,
	priority: row.priority,
	utm_source: row.utm_source,
	utm_medium: row.utm_medium,
	utm_campaign: row.utm_campaign,
	utm_term: row.utm_term,
	utm_content: row.utm_content,
});
