import { tables } from "../../../../migrations/metadata/tables/index.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";

/** Notes that a collector runs, and how far it has got; without a moment, as far as before. */
export async function noteProgress(
	metadata: Metadata,
	{ id, seenAt, storedUntil }: { readonly id: string; readonly seenAt: number; readonly storedUntil?: number },
): Promise<void> {
	await tables(metadata)
		.insertInto("collector_progress")
		.values({ id, seen_at: seenAt, stored_until: storedUntil ?? 0 })
		.onConflict((conflict) =>
			conflict.column("id").doUpdateSet({
				seen_at: seenAt,
				...(storedUntil !== undefined && { stored_until: storedUntil }),
			}),
		)
		.execute();
}

/** Forgets a collector. */
export async function dropProgress(metadata: Metadata, id: string): Promise<void> {
	await tables(metadata).deleteFrom("collector_progress").where("id", "=", id).execute();
}

/** Forgets collectors that were last seen before a moment. */
export async function dropUnseen(metadata: Metadata, before: number): Promise<void> {
	await tables(metadata).deleteFrom("collector_progress").where("seen_at", "<=", before).execute();
}

/** The collectors that were seen between two moments. */
export async function selectSeen(
	metadata: Metadata,
	{ seenSince, seenUntil }: { readonly seenSince: number; readonly seenUntil: number },
): Promise<string[]> {
	const rows = await tables(metadata)
		.selectFrom("collector_progress")
		.select("id")
		.where("seen_at", ">", seenSince)
		.where("seen_at", "<", seenUntil)
		.execute();
	return rows.map(({ id }) => id);
}

/** How many other collectors that were seen between two moments still hold hits from before another one. */
export async function countBehind(
	metadata: Metadata,
	{
		ownId,
		seenSince,
		seenUntil,
		until,
	}: { readonly ownId: string; readonly seenSince: number; readonly seenUntil: number; readonly until: number },
): Promise<number> {
	const { count } = await tables(metadata)
		.selectFrom("collector_progress")
		.select((query) => query.fn.countAll<number>().as("count"))
		.where("id", "!=", ownId)
		.where("seen_at", ">", seenSince)
		.where("seen_at", "<", seenUntil)
		.where("stored_until", "<", until)
		.executeTakeFirstOrThrow();
	return Number(count);
}
