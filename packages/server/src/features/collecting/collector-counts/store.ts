import { type Row, tables } from "../../../../migrations/metadata/tables/index.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import type { HourCounts } from "../collect/index.ts";
import type { ScriptRequestCount } from "../tracker-script/index.ts";

/** Counts of one process for a site in an hour. */
export type HourRow = Omit<Row<"hit_counts">, "counts"> & { readonly counts: HourCounts };

/** Keeps hours in place of what was there of them. */
export async function upsertHours(metadata: Metadata, rows: readonly HourRow[]): Promise<void> {
	if (rows.length === 0) return;
	const values = rows.map((row) => ({ ...row, counts: JSON.stringify(row.counts) }));
	await tables(metadata)
		.insertInto("hit_counts")
		.values(values)
		.onConflict((conflict) =>
			conflict
				.columns(["site_id", "hour", "run_id"])
				.doUpdateSet((query) => ({ counts: query.ref("excluded.counts") })),
		)
		.execute();
}

/** The hours of a site from one on, of all processes. */
export async function selectHours(metadata: Metadata, siteId: string, sinceHour: number): Promise<HourRow[]> {
	const rows = await tables(metadata)
		.selectFrom("hit_counts")
		.selectAll()
		.where("site_id", "=", siteId)
		.where("hour", ">=", sinceHour)
		.execute();
	return rows.map((row) => ({ ...row, counts: JSON.parse(row.counts) as HourCounts }));
}

export async function upsertRequests(metadata: Metadata, rows: readonly Row<"script_requests">[]): Promise<void> {
	if (rows.length === 0) return;
	await tables(metadata)
		.insertInto("script_requests")
		.values(rows)
		.onConflict((conflict) =>
			conflict.columns(["site_id", "run_id"]).doUpdateSet((query) => ({
				count: query.ref("excluded.count"),
				last_at: query.ref("excluded.last_at"),
			})),
		)
		.execute();
}

export async function sumRequests(metadata: Metadata, siteId: string): Promise<ScriptRequestCount | undefined> {
	const rows = await tables(metadata)
		.selectFrom("script_requests")
		.select(["count", "last_at"])
		.where("site_id", "=", siteId)
		.execute();
	if (rows.length === 0) return undefined;
	return {
		count: rows.reduce((sum, row) => sum + row.count, 0),
		lastAt: rows.reduce((last, row) => Math.max(last, row.last_at), 0),
	};
}

export async function dropOldCounts(
	metadata: Metadata,
	{ beforeHour, before }: { readonly beforeHour: number; readonly before: number },
): Promise<void> {
	await tables(metadata).deleteFrom("hit_counts").where("hour", "<", beforeHour).execute();
	await tables(metadata).deleteFrom("script_requests").where("last_at", "<", before).execute();
}
