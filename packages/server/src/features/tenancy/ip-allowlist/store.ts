import { type NewRow, type Row, tables } from "../../../../migrations/metadata/tables/index.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import { siteRecords } from "../site-collections/index.ts";

export type SettingsRow = Row<"ip_allowlist_settings">;
export type PatternRow = Row<"ip_allowlist_patterns">;

/** The patterns of a site, inactive ones included. */
export const patterns = siteRecords("ip_allowlist_patterns");
export type PatternType = PatternRow["pattern_type"];
export type PatternFields = Pick<PatternRow, "pattern" | "pattern_type" | "label" | "description" | "is_active">;

/** The settings of a site; undefined until first set. */
export const findSettings = (metadata: Metadata, siteId: string): Promise<SettingsRow | undefined> =>
	tables(metadata).selectFrom("ip_allowlist_settings").selectAll().where("site_id", "=", siteId).executeTakeFirst();

export const putSettings = (metadata: Metadata, row: SettingsRow): Promise<SettingsRow> =>
	tables(metadata)
		.insertInto("ip_allowlist_settings")
		.values(row)
		.onConflict((conflict) =>
			conflict.column("site_id").doUpdateSet(({ ref }) => ({
				is_enabled: ref("excluded.is_enabled"),
				enforce_for_api_tokens: ref("excluded.enforce_for_api_tokens"),
				enforce_for_dashboard: ref("excluded.enforce_for_dashboard"),
				updated_at: ref("excluded.updated_at"),
			})),
		)
		.returningAll()
		.executeTakeFirstOrThrow();

/** The settings of the sites named, or of all, as far as their list is switched on. */
export async function enabledSettings(
	metadata: Metadata,
	siteIds: readonly string[] | undefined,
): Promise<SettingsRow[]> {
	if (siteIds?.length === 0) return [];
	const query = tables(metadata).selectFrom("ip_allowlist_settings").selectAll().where("is_enabled", "=", 1);
	return (siteIds === undefined ? query : query.where("site_id", "in", siteIds)).execute();
}

export async function insertAttempt(metadata: Metadata, row: NewRow<"ip_allowlist_attempts">): Promise<void> {
	await tables(metadata).insertInto("ip_allowlist_attempts").values(row).execute();
}

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

export async function countAttempts(metadata: Metadata, siteId: string): Promise<{ granted: number; denied: number }> {
	const rows = await tables(metadata)
		.selectFrom("ip_allowlist_attempts")
		.select((query) => ["access_granted", query.fn.countAll<number>().as("count")])
		.where("site_id", "=", siteId)
		.groupBy("access_granted")
		.execute();
	const count = (granted: number) => Number(rows.find((row) => row.access_granted === granted)?.count ?? 0);
	return { granted: count(1), denied: count(0) };
}

export async function deleteAttempts(metadata: Metadata, beforeMs: number): Promise<void> {
	await tables(metadata).deleteFrom("ip_allowlist_attempts").where("created_at", "<", beforeMs).execute();
}
