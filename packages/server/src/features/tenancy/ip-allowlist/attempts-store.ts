import { type NewRow, tables } from "../../../../migrations/metadata/tables/index.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";

export type AttemptRow = Awaited<ReturnType<typeof listAttempts>>[number];

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

/** How many attempts on a site were granted and denied. */
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

/** Forgets what happened before a moment. */
export async function deleteAttempts(metadata: Metadata, beforeMs: number): Promise<void> {
	await tables(metadata).deleteFrom("ip_allowlist_attempts").where("created_at", "<", beforeMs).execute();
}
