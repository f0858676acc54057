import { timestamp } from "../../../platform/lib/timestamp.ts";
import type { BulkResult } from "./change-patterns.ts";
import type { AttemptRow, PatternRow, SettingsRow } from "./store.ts";

export const presentSettings = (row: SettingsRow, patterns: readonly PatternRow[]) => ({
	account_id: row.site_id,
	is_enabled: row.is_enabled === 1,
	enforce_for_api_tokens: row.enforce_for_api_tokens === 1,
	enforce_for_dashboard: row.enforce_for_dashboard === 1,
	active_patterns_count: patterns.filter((pattern) => pattern.is_active === 1).length,
	created_at: timestamp(row.created_at),
	updated_at: timestamp(row.updated_at),
});

export const presentPattern = (row: PatternRow) => ({
	id: row.id,
	account_id: row.site_id,
	pattern: row.pattern,
	pattern_type: row.pattern_type,
	label: row.label,
	description: row.description,
	is_active: row.is_active === 1,
	created_by: row.created_by,
	created_at: timestamp(row.created_at),
	updated_at: timestamp(row.updated_at),
});

/** The patterns of a site, the inactive ones only on request. */
export function presentPatterns(rows: readonly PatternRow[], includeInactive: boolean) {
	const active = rows.filter((row) => row.is_active === 1);
	const patterns = (includeInactive ? rows : active).map(presentPattern);
	return { patterns, total: patterns.length, active_count: active.length };
}

export const presentBulk = ({ successCount, errors }: BulkResult) => ({
	success_count: successCount,
	error_count: errors.length,
	errors: [...errors],
});

export const presentAttempt = (row: AttemptRow) => ({
	id: row.id,
	account_id: row.site_id,
	user_id: row.user_id,
	user_email: row.user_email,
	ip_address: row.ip_address,
	auth_type: row.auth_type,
	access_granted: row.access_granted === 1,
	matched_pattern_id: row.matched_pattern_id,
	matched_pattern: row.matched_pattern,
	user_agent: row.user_agent,
	created_at: timestamp(row.created_at),
});
