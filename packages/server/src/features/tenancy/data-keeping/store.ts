import { type Row, tables } from "../../../../migrations/metadata/tables/index.ts";
import { tableOf } from "../../../../migrations/metadata/tables/table-of.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import type { ForgottenDays } from "../sites/index.ts";

export type DeletionRow = Row<"data_deletions">;

export const sites = tableOf("sites");
export const deletions = tableOf("data_deletions");

/** Deletions asked for since a moment of which a collector has not said that it has forgotten their days, oldest first. */
export const selectUnforgotten = (metadata: Metadata, collectorId: string, since: number) =>
	tables(metadata)
		.selectFrom("data_deletions")
		.innerJoin("sites", "sites.id", "data_deletions.site_id")
		.selectAll("data_deletions")
		.select("sites.timezone")
		.where("data_deletions.created_at", ">", since)
		.where("status", "!=", "failed")
		.where(({ not, exists, selectFrom }) =>
			not(
				exists(
					selectFrom("data_deletion_collectors")
						.select("collector_id")
						.whereRef("deletion_id", "=", "data_deletions.id")
						.where("collector_id", "=", collectorId),
				),
			),
		)
		.orderBy("data_deletions.id")
		.execute();

const collectors = tableOf("data_deletion_collectors");

export async function noteForgotten(
	metadata: Metadata,
	{ deletionId, collectorId }: { readonly deletionId: number; readonly collectorId: string },
	nowMs: number,
): Promise<void> {
	const row = { deletion_id: deletionId, collector_id: collectorId, forgotten_at: nowMs };
	await collectors.insertUnlessTaken(metadata, row);
}

export async function collectorsDone(metadata: Metadata, deletionId: number): Promise<ReadonlySet<string>> {
	const rows = await collectors.list(metadata, { deletion_id: deletionId });
	return new Set(rows.map((row) => row.collector_id));
}

/** Puts the shorter retention periods into effect that are due; the sites with their periods before and after. */
export async function applyDueRetentions(trx: Metadata, nowMs: number) {
	const due = { retention_pending_at: { "<=": nowMs } };
	const applied = [];
	for (const { id, data_retention_months: before, retention_pending_months: after } of await sites.list(
		trx,
		due,
		"id",
	)) {
		const changes = { data_retention_months: after, retention_pending_months: null, retention_pending_at: null };
		// Another transaction may have withdrawn or changed it.
		const same = { ...due, id, retention_pending_months: after };
		if ((await sites.update(trx, same, changes)) !== undefined) applied.push({ id, before, after });
	}
	return applied;
}

/** From the first moment of the first day to the last one of the last day, in the zone of the site. */
export function periodOf({ from, to, until }: ForgottenDays, timezone: string): { from: number; until: number } {
	const startOf = (day: Temporal.PlainDate) => day.toZonedDateTime(timezone).epochMilliseconds;
	const end = to === null ? until : startOf(Temporal.PlainDate.from(to).add({ days: 1 })) - 1;
	return { from: from === null ? 0 : startOf(Temporal.PlainDate.from(from)), until: Math.min(end, until) };
}
