import type { Metadata } from "../metadata/metadata.ts";
import { dueKinds } from "./due-kinds.ts";
import { type JobRow, type JobState, tables } from "./job-tables.ts";

/** A kind of job, with how many there are of it by state. */
export interface JobCount {
	readonly kind: string;
	readonly state: JobState;
	readonly count: number;
}

/** How many jobs there are; done ones are known for a day. */
export function countJobs(metadata: Metadata): Promise<JobCount[]> {
	return tables(metadata)
		.selectFrom("jobs")
		.select(["kind", "state", (query) => query.fn.countAll<number>().as("count")])
		.groupBy(["kind", "state"])
		.orderBy("kind")
		.execute();
}

/** Jobs that were given up, newest first. */
export const listFailedJobs = (metadata: Metadata, limit: number): Promise<JobRow[]> =>
	tables(metadata)
		.selectFrom("jobs")
		.selectAll()
		.where("finished_at", "is not", null)
		.where("state", "=", "failed")
		.orderBy("finished_at", "desc")
		.orderBy("id", "desc")
		.limit(limit)
		.execute();

/** Lets a job that was given up begin anew; false when there is none with this id. */
export async function retryJob(metadata: Metadata, id: number, nowMs: number): Promise<boolean> {
	const rows = await tables(metadata)
		.updateTable("jobs")
		.set({ state: "pending", due_at: nowMs, attempts: 0, finished_at: null })
		.where("id", "=", id)
		.where("state", "=", "failed")
		.returning("id")
		.execute();
	return rows.length > 0;
}

/** Since when the longest waiting job could have been done; undefined when none is due. */
export async function oldestDueJob(metadata: Metadata, nowMs: number): Promise<number | undefined> {
	const kinds = await dueKinds(metadata, nowMs);
	return kinds.length === 0 ? undefined : Math.min(...kinds.map(({ since }) => since));
}

/** Forgets jobs that ended well before one moment, and given-up ones before another. */
export async function forgetJobs(metadata: Metadata, before: { done: number; failed: number }): Promise<void> {
	for (const [state, moment] of Object.entries(before)) {
		await tables(metadata)
			.deleteFrom("jobs")
			.where("finished_at", "<", moment)
			.where("state", "=", state as JobState)
			.execute();
	}
}
