import type { Metadata } from "../metadata/metadata.ts";
import { type JobState, tables } from "./job-tables.ts";

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
export const selectLastEnd = (
	metadata: Metadata,
	kind: string,
): Promise<{ readonly at: number; readonly state: JobState } | undefined> =>
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
export async function moveSchedule(
	metadata: Metadata,
	move: { name: string; from: number; to: number },
): Promise<boolean> {
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
