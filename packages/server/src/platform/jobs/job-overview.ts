import type { ExpressionBuilder } from "kysely";
import type { Metadata } from "../metadata/metadata.ts";
import { type PageRequest, pageOf } from "../metadata/page-of.ts";
import { type JobRow, type JobState, type JobTables, tables } from "./job-tables.ts";
import type { KeyedJob } from "./jobs.ts";
import { dueKinds } from "./store.ts";

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

/** Those counts, a row for each kind. */
export const byKind = (counts: readonly JobCount[]) =>
	[...Map.groupBy(counts, ({ kind }) => kind)].map(([kind, states]) => {
		const of = (state: JobState) => Number(states.find((entry) => entry.state === state)?.count ?? 0);
		return { kind, pending: of("pending"), running: of("running"), failed: of("failed"), done: of("done") };
	});

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

/** Visible columns of a job: without its payload, which may hold the text of a mail. */
export type ShownJob = Omit<JobRow, "payload" | "unique_key" | "lane" | "lease">;

const shown = [
	"id",
	"kind",
	"state",
	"due_at",
	"attempts",
	"last_error",
	"created_at",
	"finished_at",
] as const satisfies readonly (keyof ShownJob)[];

/** One page of jobs, of all or some, the youngest first, and how many there are of them. */
export async function listJobs(
	metadata: Metadata,
	{ state, kind }: Partial<Pick<JobRow, "state" | "kind">>,
	page: PageRequest,
) {
	const chosen = tables(metadata)
		.selectFrom("jobs")
		.where((query: ExpressionBuilder<JobTables, "jobs">) =>
			query.and([
				...(state === undefined ? [] : [query("state", "=", state)]),
				...(kind === undefined ? [] : [query("kind", "=", kind)]),
			]),
		);
	return pageOf(chosen, (query) => query.select(shown).orderBy("id", "desc"), page);
}

/** One job, without what it is to do. */
export const findJob = (metadata: Metadata, id: number): Promise<ShownJob | undefined> =>
	tables(metadata).selectFrom("jobs").select(shown).where("id", "=", id).executeTakeFirst();

/** The job of a kind with a key, without what it is to do. */
export const findKeyedJob = (metadata: Metadata, { kind, uniqueKey }: KeyedJob): Promise<ShownJob | undefined> =>
	tables(metadata)
		.selectFrom("jobs")
		.select(shown)
		.where("kind", "=", kind)
		.where("unique_key", "=", uniqueKey)
		.executeTakeFirst();

/** Deletes all jobs of some kinds, in any state: in a copy of the store, where they must not run. */
export const forgetJobsOf = (metadata: Metadata, kinds: readonly string[]): Promise<unknown> =>
	tables(metadata).deleteFrom("jobs").where("kind", "in", kinds).execute();

/** The youngest job of a kind that has failed and has not been done since. */
export const findLastFailure = (metadata: Metadata, kind: string): Promise<ShownJob | undefined> =>
	tables(metadata)
		.selectFrom("jobs")
		.select(shown)
		.where("kind", "=", kind)
		.where("last_error", "is not", null)
		.orderBy("id", "desc")
		.limit(1)
		.executeTakeFirst();

/** Retries a failed job; false when there is none with this id. */
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
