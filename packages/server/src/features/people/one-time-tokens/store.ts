import { type Row, tables } from "../../../../migrations/metadata/tables/index.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";

type OneTimeTokenRow = Row<"one_time_tokens">;

export async function insertToken(metadata: Metadata, row: OneTimeTokenRow): Promise<void> {
	await tables(metadata).insertInto("one_time_tokens").values(row).execute();
}

export const selectToken = (metadata: Metadata, kind: string, hash: string): Promise<OneTimeTokenRow | undefined> =>
	tables(metadata)
		.selectFrom("one_time_tokens")
		.selectAll()
		.where("token_hash", "=", hash)
		.where("kind", "=", kind)
		.executeTakeFirst();

export const deleteToken = (
	metadata: Metadata,
	kind: string,
	hash: string,
	nowMs: number,
): Promise<OneTimeTokenRow | undefined> =>
	tables(metadata)
		.deleteFrom("one_time_tokens")
		.where("token_hash", "=", hash)
		.where("kind", "=", kind)
		.where("expires_at", ">", nowMs)
		.returningAll()
		.executeTakeFirst();

export async function deleteTokensOf(metadata: Metadata, kind: string, subject: string): Promise<void> {
	await tables(metadata)
		.deleteFrom("one_time_tokens")
		.where("kind", "=", kind)
		.where("subject", "=", subject)
		.execute();
}

export async function forgetEndedTokens(metadata: Metadata, endedBeforeMs: number): Promise<void> {
	await tables(metadata).deleteFrom("one_time_tokens").where("expires_at", "<=", endedBeforeMs).execute();
}

export async function countFailure(metadata: Metadata, kind: string, hash: string): Promise<number> {
	const row = await tables(metadata)
		.updateTable("one_time_tokens")
		.set((query) => ({ failures: query("failures", "+", 1) }))
		.where("token_hash", "=", hash)
		.where("kind", "=", kind)
		.returning("failures")
		.executeTakeFirst();
	return row?.failures ?? 0;
}
