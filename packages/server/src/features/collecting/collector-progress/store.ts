import { tables } from "../../../../migrations/metadata/tables/index.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";

/** Notes that a collector runs, and how far it has got; without `stored_until`, as far as before. */
export async function noteProgress(
	metadata: Metadata,
	{ id, ...progress }: { readonly id: string; readonly seen_at: number; readonly stored_until?: number },
): Promise<void> {
	await tables(metadata)
		.insertInto("collector_progress")
		.values({ id, stored_until: 0, ...progress })
		.onConflict((conflict) => conflict.column("id").doUpdateSet(progress))
		.execute();
}

export async function dropProgress(metadata: Metadata, id: string): Promise<void> {
	await tables(metadata).deleteFrom("collector_progress").where("id", "=", id).execute();
}

export async function dropUnseen(metadata: Metadata, before: number): Promise<void> {
	await tables(metadata).deleteFrom("collector_progress").where("seen_at", "<=", before).execute();
}

interface Seen {
	readonly since: number;
	readonly until: number;
}

const seenIn = (metadata: Metadata, { since, until }: Seen) =>
	tables(metadata).selectFrom("collector_progress").where("seen_at", ">", since).where("seen_at", "<", until);

export async function selectSeen(metadata: Metadata, seen: Seen): Promise<string[]> {
	const rows = await seenIn(metadata, seen).select("id").execute();
	return rows.map(({ id }) => id);
}

/** True when another collector that was seen between two moments still holds hits from before `storedUntil`. */
export async function isBehind(
	metadata: Metadata,
	seen: Seen,
	{ ownId, storedUntil }: { readonly ownId: string; readonly storedUntil: number },
): Promise<boolean> {
	const { count } = await seenIn(metadata, seen)
		.where("id", "!=", ownId)
		.where("stored_until", "<", storedUntil)
		.select((query) => query.fn.countAll<number>().as("count"))
		.executeTakeFirstOrThrow();
	return Number(count) > 0;
}
