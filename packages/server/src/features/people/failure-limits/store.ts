import { tables } from "../../../../migrations/metadata/tables/index.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";

export async function insertFailure(metadata: Metadata, subject: string, nowMs: number): Promise<number> {
	const { id } = await tables(metadata)
		.insertInto("login_failures")
		.values({ subject, failed_at: nowMs })
		.returning("id")
		.executeTakeFirstOrThrow();
	return id;
}

/** Moments of a subject's failures after `sinceMs`, oldest first; with `upToId`, not those that came later. */
export async function selectFailures(
	metadata: Metadata,
	{ subject, sinceMs, upToId }: { subject: string; sinceMs: number; upToId?: number },
): Promise<number[]> {
	let query = tables(metadata)
		.selectFrom("login_failures")
		.select("failed_at as at")
		.where("subject", "=", subject)
		.where("failed_at", ">", sinceMs);
	if (upToId !== undefined) query = query.where("id", "<=", upToId);
	return (await query.orderBy("id").execute()).map(({ at }) => at);
}

export async function deleteFailures(metadata: Metadata, which: { id: number } | { subject: string }): Promise<void> {
	const query = tables(metadata).deleteFrom("login_failures");
	await ("id" in which ? query.where("id", "=", which.id) : query.where("subject", "=", which.subject)).execute();
}

export async function forgetFailures(metadata: Metadata, beforeMs: number): Promise<void> {
	await tables(metadata).deleteFrom("login_failures").where("failed_at", "<=", beforeMs).execute();
}
