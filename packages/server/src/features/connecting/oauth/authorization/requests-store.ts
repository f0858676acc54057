import { type Row, tables } from "../../../../../migrations/metadata/tables/index.ts";
import type { Metadata } from "../../../../platform/metadata/metadata.ts";

/** A request as stored. */
export type RequestRow = Row<"oauth_requests">;

export async function insertRequest(metadata: Metadata, row: RequestRow): Promise<void> {
	await tables(metadata).insertInto("oauth_requests").values(row).execute();
}

/** A request that waits for a decision still. */
export const selectPendingRequest = (
	metadata: Metadata,
	idHash: string,
	nowMs: number,
): Promise<RequestRow | undefined> =>
	tables(metadata)
		.selectFrom("oauth_requests")
		.selectAll()
		.where("id_hash", "=", idHash)
		.where("decided_at", "is", null)
		.where("expires_at", ">", nowMs)
		.executeTakeFirst();

/** Decides on a request; false when somebody did so before, or its time is over. */
export async function updateDecided(metadata: Metadata, idHash: string, nowMs: number): Promise<boolean> {
	const decided = await tables(metadata)
		.updateTable("oauth_requests")
		.set({ decided_at: nowMs })
		.where("id_hash", "=", idHash)
		.where("decided_at", "is", null)
		.where("expires_at", ">", nowMs)
		.returning("id_hash")
		.execute();
	return decided.length === 1;
}

/** Forgets requests whose time was over at a moment. */
export async function deleteOldRequests(metadata: Metadata, endedBefore: number): Promise<void> {
	await tables(metadata).deleteFrom("oauth_requests").where("expires_at", "<=", endedBefore).execute();
}
