import { type Row, tables } from "../../../../migrations/metadata/tables/index.ts";
import { tableOf } from "../../../../migrations/metadata/tables/table-of.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";

export type SettingsRow = Row<"ip_allowlist_settings">;
export type PatternRow = Row<"ip_allowlist_patterns">;

/** Patterns of the sites' lists, inactive ones included. */
export const patterns = tableOf("ip_allowlist_patterns");
export type PatternType = PatternRow["pattern_type"];
export type PatternFields = Pick<PatternRow, "pattern" | "pattern_type" | "label" | "description" | "is_active">;

/** Missing for a site that has never set any. */
export const allowlistSettings = tableOf("ip_allowlist_settings");
/** Visits of sites, and whether their address was admitted. */
export const attempts = tableOf("ip_allowlist_attempts");

/** Attempts on a site, newest first, each with the email address of its user. */
export function listAttempts(
	metadata: Metadata,
	siteId: string,
	options: { readonly deniedOnly: boolean; readonly limit: number; readonly offset: number },
) {
	const query = tables(metadata)
		.selectFrom("ip_allowlist_attempts")
		.leftJoin("users", "users.id", "ip_allowlist_attempts.user_id")
		.selectAll("ip_allowlist_attempts")
		.select("users.email as user_email")
		.where("site_id", "=", siteId);
	return (options.deniedOnly ? query.where("access_granted", "=", 0) : query)
		.orderBy("ip_allowlist_attempts.id", "desc")
		.limit(options.limit)
		.offset(options.offset)
		.execute();
}
