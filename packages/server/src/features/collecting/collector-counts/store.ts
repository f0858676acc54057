import { type Row, tables } from "../../../../migrations/metadata/tables/index.ts";
import { tableOf } from "../../../../migrations/metadata/tables/table-of.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import type { HourCounts } from "../collect/index.ts";

/** Counts of one process for a site in an hour. */
export type HourRow = Omit<Row<"hit_counts">, "counts"> & { readonly counts: HourCounts };

export const hitCounts = tableOf("hit_counts");
export const scriptRequests = tableOf("script_requests");

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
	const rows = await hitCounts.list(metadata, { site_id: siteId, hour: { ">=": sinceHour } });
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
