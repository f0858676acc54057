import { tableOf } from "../../../../migrations/metadata/tables/table-of.ts";
import { activeRules } from "../attribution-settings/index.ts";

/** Reads the active mappings of the sites named, or of all, for the collector. */
export const loadReferrerMappings = activeRules(tableOf("referrer_mappings"), (row) => ({
	// Without label and description, which a hit does not need: they would stay in the collector's memory.
	pattern: row.referrer_pattern,
	matchType: row.match_type,
	priority: row.priority,
	utm_source: row.utm_source,
	utm_medium: row.utm_medium,
	utm_campaign: row.utm_campaign,
	utm_term: row.utm_term,
	utm_content: row.utm_content,
}));
