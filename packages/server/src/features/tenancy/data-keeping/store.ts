import { type Row, tables } from "../../../../migrations/metadata/tables/index.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import { siteRecords } from "../site-collections/index.ts";
import type { ForgottenDays } from "../sites/index.ts";

export type DeletionRow = Row<"data_deletions">;

export const deletions = siteRecords("data_deletions");

type Changes = Partial<Omit<DeletionRow, "id" | "site_id">>;

const UNFINISHED = ["pending", "running"] as const;

export const findDeletion = (metadata: Metadata, id: number): Promise<DeletionRow | undefined> =>
	tables(metadata).selectFrom("data_deletions").selectAll().where("id", "=", id).executeTakeFirst();

export async function countUnfinished(metadata: Metadata, siteId: string): Promise<number> {
	const { count } = await tables(metadata)
		.selectFrom("data_deletions")
		.select((query) => query.fn.countAll<number>().as("count"))
		.where("site_id", "=", siteId)
		.where("status", "in", UNFINISHED)
		.executeTakeFirstOrThrow();
	return Number(count);
}

export const updateDeletion = (metadata: Metadata, id: number, changes: Changes): Promise<DeletionRow | undefined> =>
	tables(metadata).updateTable("data_deletions").set(changes).where("id", "=", id).returningAll().executeTakeFirst();

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

export async function noteForgotten(
	metadata: Metadata,
	{ deletionId, collectorId }: { readonly deletionId: number; readonly collectorId: string },
	nowMs: number,
): Promise<void> {
	await tables(metadata)
		.insertInto("data_deletion_collectors")
		.values({ deletion_id: deletionId, collector_id: collectorId, forgotten_at: nowMs })
		.onConflict((conflict) => conflict.doNothing())
		.execute();
}

export async function collectorsDone(metadata: Metadata, deletionId: number): Promise<ReadonlySet<string>> {
	const rows = await tables(metadata)
		.selectFrom("data_deletion_collectors")
		.select("collector_id")
		.where("deletion_id", "=", deletionId)
		.execute();
	return new Set(rows.map((row) => row.collector_id));
}

/** Sites deleted before a time that are neither purged nor being purged. */
export async function selectPurgeable(metadata: Metadata, before: number): Promise<string[]> {
	const rows = await tables(metadata)
		.selectFrom("sites")
		.select("id")
		.where("deleted_at", "<=", before)
		.where("is_active", "=", 0)
		.orderBy("id")
		.execute();
	return rows.map(({ id }) => id);
}

/** Puts the shorter retention periods into effect that are due; the sites with their periods before and after. */
export async function applyDueRetentions(trx: Metadata, nowMs: number) {
	const due = await tables(trx)
		.selectFrom("sites")
		.select(["id", "data_retention_months as before"])
		.where("retention_pending_at", "<=", nowMs)
		.orderBy("id")
		.execute();
	const applied = [];
	for (const { id, before } of due) {
		const site = await tables(trx)
			.updateTable("sites")
			.set(({ ref }) => ({
				data_retention_months: ref("retention_pending_months"),
				retention_pending_months: null,
				retention_pending_at: null,
			}))
			.where("id", "=", id)
			// Another transaction may have withdrawn it.
			.where("retention_pending_at", "<=", nowMs)
			.returning("data_retention_months as after")
			.executeTakeFirst();
		if (site !== undefined) applied.push({ id, before, after: site.after });
	}
	return applied;
}

export const selectRetentions = (metadata: Metadata) =>
	tables(metadata)
		.selectFrom("sites")
		.select(["id", "timezone", "data_retention_months as months"])
		.where("data_retention_months", "is not", null)
		.orderBy("id")
		.execute();

/** From the first moment of the first day to the last one of the last day, in the zone of the site. */
export function periodOf({ from, to, until }: ForgottenDays, timezone: string): { from: number; until: number } {
	const startOf = (day: Temporal.PlainDate) => day.toZonedDateTime(timezone).epochMilliseconds;
	const end = to === null ? until : startOf(Temporal.PlainDate.from(to).add({ days: 1 })) - 1;
	return { from: from === null ? 0 : startOf(Temporal.PlainDate.from(from)), until: Math.min(end, until) };
}
