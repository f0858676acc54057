import { SqliteAdapter, sql } from "kysely";
import type { Metadata } from "../metadata/metadata.ts";
import { type JobRow, tables } from "./job-tables.ts";

const isPostgres = (metadata: Metadata): boolean => !(metadata.getExecutor().adapter instanceof SqliteAdapter);

/** Stores a job unless its kind has one with the same key; true when it was stored. */
export async function insertJob(
	metadata: Metadata,
	job: {
		kind: string;
		payload: string;
		uniqueKey: string | null;
		lane: string | null;
		dueAt: number;
		nowMs: number;
	},
): Promise<boolean> {
	const inserted = await tables(metadata)
		.insertInto("jobs")
		.values({
			kind: job.kind,
			unique_key: job.uniqueKey,
			lane: job.lane,
			payload: job.payload,
			state: "pending",
			due_at: job.dueAt,
			attempts: 0,
			created_at: job.nowMs,
		})
		.onConflict((conflict) => conflict.columns(["kind", "unique_key"]).doNothing())
		.returning("id")
		.execute();
	return inserted.length > 0;
}

/** Kinds that have something to do: what an idle service asks every second. */
export async function dueKinds(metadata: Metadata, nowMs: number): Promise<string[]> {
	const rows = await tables(metadata)
		.selectFrom("jobs")
		.select("kind")
		.distinct()
		.where("due_at", "<=", nowMs)
		.orderBy("kind")
		.execute();
	return rows.map((row) => row.kind);
}

interface Claim {
	readonly kind: string;
	readonly limit: number;
	readonly lease: string;
	readonly leaseUntil: number;
	readonly nowMs: number;
	/** Jobs that this process runs: a clock that jumps must not make it take them twice. */
	readonly except: readonly number[];
	/** At most so many of a lane, and none of those of which some are running. */
	readonly perLane: number;
	readonly busyLanes: readonly string[];
}

/** Takes due jobs of a kind, oldest first; of several processes that ask at once, one gets each job. */
export async function claimJobs(metadata: Metadata, claim: Claim): Promise<JobRow[]> {
	const rows = await tables(metadata)
		.with("due", (db) =>
			db
				.selectFrom("jobs")
				.select("id")
				.where("kind", "=", claim.kind)
				.where("due_at", "<=", claim.nowMs)
				.$if(claim.except.length > 0, (query) => query.where("id", "not in", claim.except))
				.$if(Number.isFinite(claim.perLane), (query) => query.where("id", "in", firstOfLanes(metadata, claim)))
				.orderBy("due_at")
				.orderBy("id")
				.limit(claim.limit)
				.$if(isPostgres(metadata), (query) => query.forUpdate().skipLocked()),
		)
		.updateTable("jobs")
		.set((query) => ({
			state: "running",
			due_at: claim.leaseUntil,
			lease: claim.lease,
			attempts: query("attempts", "+", 1),
		}))
		.where("id", "in", (query) => query.selectFrom("due").select("id"))
		.returningAll()
		.execute();
	return rows.sort((a, b) => a.id - b.id);
}

/** The oldest due jobs of each lane that is idle here, and those without a lane. */
function firstOfLanes(metadata: Metadata, { kind, nowMs, perLane, busyLanes }: Claim) {
	const place = sql<number>`row_number() over (partition by lane order by due_at, id)`;
	const ranked = tables(metadata)
		.selectFrom("jobs")
		.select(["id", "lane", place.as("place")])
		.where("kind", "=", kind)
		.where("due_at", "<=", nowMs)
		.$if(busyLanes.length > 0, (query) =>
			query.where(({ or, eb }) => or([eb("lane", "is", null), eb("lane", "not in", busyLanes)])),
		);
	return tables(metadata)
		.selectFrom(ranked.as("ranked"))
		.select("id")
		.where(({ or, eb }) => or([eb("lane", "is", null), eb("place", "<=", perLane)]));
}

interface Held {
	readonly id: number;
	readonly lease: string;
}

/** Lengthens a lease; false when it is another's by now. */
export const extendLease = (metadata: Metadata, held: Held, leaseUntil: number): Promise<boolean> =>
	update(metadata, held, { due_at: leaseUntil });

/** What a payload held is not kept longer than it is needed. */
const emptied = "null";

/** Ends jobs well, those whose lease is another's by now excepted; answers the ids of the others. */
export async function finishJobs(
	metadata: Metadata,
	held: { ids: readonly number[]; lease: string; nowMs: number },
): Promise<number[]> {
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
		.where("id", "in", held.ids)
		.where("lease", "=", held.lease)
		.returning("id")
		.execute();
	return rows.map((row) => row.id);
}

/** What a job that is to be tried again is stored with. */
export interface Attempt {
	readonly dueAt: number;
	/** Attempts so far that count. */
	readonly attempts: number;
	readonly lastError: string | null;
}

/** Lets a job wait for another attempt; false when its lease is another's by now. */
export const postponeJob = (metadata: Metadata, held: Held, again: Attempt): Promise<boolean> =>
	update(metadata, held, {
		state: "pending",
		due_at: again.dueAt,
		lease: null,
		attempts: again.attempts,
		last_error: again.lastError,
	});

/** Gives a job up; false when its lease is another's by now. */
export const failJob = (
	metadata: Metadata,
	held: Held,
	failure: { lastError: string; nowMs: number },
): Promise<boolean> =>
	update(metadata, held, {
		state: "failed",
		due_at: null,
		lease: null,
		last_error: failure.lastError,
		finished_at: failure.nowMs,
	});

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
