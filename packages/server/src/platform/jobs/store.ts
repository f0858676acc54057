import { sql } from "kysely";
import type { Metadata } from "../metadata/metadata.ts";
import { type JobRow, tables } from "./job-tables.ts";
import type { KeyedJob } from "./jobs.ts";

/** A list for `in (…)`, repeated up to the next power of two: statements differ by few lengths, so that they stay prepared. */
export function padded<Item>(items: readonly Item[]): readonly Item[] {
	const [first] = items;
	if (first === undefined) return items;
	const length = 2 ** Math.ceil(Math.log2(items.length));
	return [...items, ...Array.from({ length: length - items.length }, () => first)];
}

type UnstoredJob = Pick<JobRow, "kind" | "payload" | "unique_key" | "lane" | "due_at" | "created_at">;

/** Stores jobs, but for those whose kind has one with the same key; answers how many were stored. */
export async function insertJobs(metadata: Metadata, jobs: readonly UnstoredJob[]): Promise<number> {
	if (jobs.length === 0) return 0;
	const inserted = await tables(metadata)
		.insertInto("jobs")
		.values(jobs.map((job) => ({ ...job, state: "pending", attempts: 0 })))
		.onConflict((conflict) => conflict.columns(["kind", "unique_key"]).doNothing())
		.returning("id")
		.execute();
	return inserted.length;
}

/** Removes a pending job. */
export const deletePendingJob = (metadata: Metadata, { kind, uniqueKey }: KeyedJob): Promise<unknown> =>
	tables(metadata)
		.deleteFrom("jobs")
		.where("kind", "=", kind)
		.where("unique_key", "=", uniqueKey)
		.where("state", "=", "pending")
		.execute();

interface Held {
	readonly id: number;
	readonly lease: string;
}

/** Lengthens a lease; false when it is another's by now. */
export const extendLease = (metadata: Metadata, held: Held, leaseUntil: number): Promise<boolean> =>
	update(metadata, held, { due_at: leaseUntil });

/** A payload is not kept longer than needed. */
const emptied = "null";

/** Ends jobs well, those whose lease is another's by now excepted; answers the ids of the others. */
export async function finishJobs(metadata: Metadata, held: { ids: readonly number[]; lease: string; nowMs: number }) {
	const rows = await tables(metadata)
		.updateTable("jobs")
		.set({
			state: "done",
			due_at: null,
			lease: null,
			payload: emptied,
			last_error: null,
			finished_at: held.nowMs,
		})
		.where("id", "in", padded(held.ids))
		.where("lease", "=", held.lease)
		.returning("id")
		.execute();
	return rows.map((row) => row.id);
}

/** Columns of a job that will be retried. */
export type Attempt = Pick<JobRow, "due_at" | "attempts" | "last_error">;

/** Lets a job wait for another attempt; false when its lease is another's by now. */
export const postponeJob = (metadata: Metadata, held: Held, again: Attempt): Promise<boolean> =>
	update(metadata, held, { state: "pending", lease: null, ...again });

/** Gives a job up; false when its lease is another's by now. */
export const failJob = (metadata: Metadata, held: Held, failure: Pick<JobRow, "last_error" | "finished_at">) =>
	update(metadata, held, { state: "failed", due_at: null, lease: null, ...failure });

async function update(metadata: Metadata, { id, lease }: Held, values: Partial<JobRow>): Promise<boolean> {
	const rows = await tables(metadata)
		.updateTable("jobs")
		.set(values)
		.where("id", "=", id)
		.where("lease", "=", lease)
		.returning("id")
		.execute();
	return rows.length > 0;
}

/** A kind with something to do, and since when its longest waiting job could have been done. */
interface DueKind {
	readonly kind: string;
	readonly since: number;
}

/** Kinds with due jobs: the query that an idle service repeats every second. It jumps from one kind to the next. */
export async function dueKinds(metadata: Metadata, nowMs: number): Promise<DueKind[]> {
	const { rows } = await sql<DueKind>`
		with recursive kinds (kind) as (
			select min(kind) from jobs where due_at is not null
			union all
			select (select min(kind) from jobs where due_at is not null and jobs.kind > kinds.kind)
			from kinds where kinds.kind is not null
		)
		select kind, since from (
			select kind, (select min(due_at) from jobs where jobs.kind = kinds.kind and due_at is not null) as since
			from kinds where kind is not null
		) as waiting
		where since <= ${nowMs}
		order by kind
	`.execute(metadata);
	return rows;
}

/** How far a schedule has come; undefined when it is new. */
export async function selectSchedule(metadata: Metadata, name: string): Promise<number | undefined> {
	const row = await tables(metadata)
		.selectFrom("job_schedules")
		.select("counted_until")
		.where("name", "=", name)
		.executeTakeFirst();
	return row?.counted_until;
}

/** When the jobs of a kind last ended, and how; undefined when no such job is known any more. */
export const selectLastEnd = (metadata: Metadata, kind: string) =>
	tables(metadata)
		.selectFrom("jobs")
		.select(["finished_at as at", "state"])
		.where("kind", "=", kind)
		.where("finished_at", "is not", null)
		.orderBy("finished_at", "desc")
		.limit(1)
		.$narrowType<{ at: number }>()
		.executeTakeFirst();

/** Notes a schedule that is seen for the first time. */
export async function insertSchedule(metadata: Metadata, name: string, nowMs: number): Promise<void> {
	await tables(metadata)
		.insertInto("job_schedules")
		.values({ name, counted_until: nowMs })
		.onConflict((conflict) => conflict.column("name").doNothing())
		.execute();
}

/** Moves a schedule on; false when another process has done so since `from` was read. */
export async function moveSchedule(metadata: Metadata, move: { name: string; from: number; to: number }) {
	const rows = await tables(metadata)
		.updateTable("job_schedules")
		.set({ counted_until: move.to })
		.where("name", "=", move.name)
		.where("counted_until", "=", move.from)
		.returning("name")
		.execute();
	return rows.length > 0;
}

/** True when a job of this kind waits. */
export async function hasWaitingJob(metadata: Metadata, kind: string): Promise<boolean> {
	const row = await tables(metadata)
		.selectFrom("jobs")
		.select("id")
		.where("kind", "=", kind)
		.where("due_at", "is not", null)
		.where("state", "=", "pending")
		.executeTakeFirst();
	return row !== undefined;
}
