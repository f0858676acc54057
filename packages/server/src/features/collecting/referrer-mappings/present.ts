import { timestamp } from "../../../platform/lib/timestamp.ts";
import type { MappingRow } from "./store.ts";

/** A referrer mapping on the wire. */
export const presentMapping = (row: MappingRow) => ({
	id: row.id,
	account_id: row.site_id,
	referrer_pattern: row.referrer_pattern,
	match_type: row.match_type,
	utm_source: row.utm_source,
	utm_medium: row.utm_medium,
	utm_campaign: row.utm_campaign,
	utm_term: row.utm_term,
	utm_content: row.utm_content,
	label: row.label,
	description: row.description,
	priority: row.priority,
	is_active: row.is_active === 1,
	created_at: timestamp(row.created_at),
	updated_at: timestamp(row.updated_at),
});

/** The mappings of a site, the inactive ones only on request. */
export function presentMappings(rows: readonly MappingRow[], includeInactive: boolean) {
	const active = rows.filter((row) => row.is_active === 1);
	const mappings = (includeInactive ? rows : active).map(presentMapping);
	return { mappings, total: mappings.length, active_count: active.length };
}
