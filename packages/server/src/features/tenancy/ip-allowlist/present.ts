import { fieldError } from "../../../platform/errors/service-error.ts";
import { canonicalIp } from "../../../platform/lib/ip-address.ts";
import { timestamp } from "../../../platform/lib/timestamp.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import { compileAddressList } from "./address-list.ts";
import type { BulkResult } from "./change-patterns.ts";
import { settingsOf } from "./settings.ts";
import { type AttemptRow, listPatterns, type PatternRow, type SettingsRow } from "./store.ts";

/** The settings of a list on the wire. */
export const presentSettings = (row: SettingsRow, patterns: readonly PatternRow[]) => ({
	account_id: row.site_id,
	is_enabled: row.is_enabled === 1,
	enforce_for_api_tokens: row.enforce_for_api_tokens === 1,
	enforce_for_dashboard: row.enforce_for_dashboard === 1,
	active_patterns_count: patterns.filter((pattern) => pattern.is_active === 1).length,
	created_at: timestamp(row.created_at),
	updated_at: timestamp(row.updated_at),
});

/** A pattern on the wire. */
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

/** Result of many patterns. */
export const presentBulk = ({ successCount, errors }: BulkResult) => ({
	success_count: successCount,
	error_count: errors.length,
	errors: [...errors],
});

/** Decision of a list on an address. */
export const presentCheck = ({ ip, isAllowed, pattern, isEnabled }: AddressCheck) => ({
	ip_address: ip,
	is_allowed: isAllowed,
	matched_pattern: pattern === undefined ? null : presentPattern(pattern),
	allowlist_enabled: isEnabled,
});

/** A visit to a site with a list. */
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

/** Decision of a site's list on an address. */
interface AddressCheck {
	readonly ip: string;
	readonly isAllowed: boolean;
	/** The active pattern that covers the address, also while the list is switched off. */
	readonly pattern: PatternRow | undefined;
	readonly isEnabled: boolean;
}

/** The address that a caller asks about; 422 for what is none. */
export function readAddress(text: string): string {
	const ip = canonicalIp(text);
	if (ip === undefined) throw fieldError("body.ip_address", "Must be an IPv4 or IPv6 address", "ip_address");
	return ip;
}

/** Checks an address against a site's list, without a user. */
export async function checkAddress(metadata: Metadata, siteId: string, ip: string): Promise<AddressCheck> {
	const isEnabled = (await settingsOf(metadata, siteId)).is_enabled === 1;
	const active = (await listPatterns(metadata, siteId)).filter((row) => row.is_active === 1);
	const pattern = compileAddressList(active).find(ip);
	return { ip, isAllowed: !isEnabled || pattern !== undefined, pattern, isEnabled };
}
