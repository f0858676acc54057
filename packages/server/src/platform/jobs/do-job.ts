import { askedBy } from "../lib/asker.ts";
import type { Clock } from "../lib/clock.ts";
import { HOUR_MS } from "../lib/durations.ts";
import { type Trace, traced } from "../lib/trace.ts";
import { describeCause } from "../log/describe-cause.ts";
import type { Log } from "../log/log.ts";
import type { Metadata } from "../metadata/metadata.ts";
import type { JobEnds } from "./job-ends.ts";
import { describeFailure, JobFailure } from "./job-failure.ts";
import type { JobRow } from "./job-tables.ts";
import type { EndWrite, JobKind } from "./jobs.ts";
import { extendLease, failJob } from "./store.ts";

const FIRST_MS = 15_000;
const FACTOR = 4;
const MOST_MS = HOUR_MS;
/** Jobs that failed together do not come back together. */
const SPREAD = 0.2;

/** Milliseconds until the attempt after this one: 15 s, 1 min, 4 min, 16 min, then every hour, each up to 20 % off. */
function backoffMs(attempt: number, random: () => number): number {
	const delay = Math.min(FIRST_MS * FACTOR ** (attempt - 1), MOST_MS);
	return Math.round(delay * (1 - SPREAD + 2 * SPREAD * random()));
}

/** Dependencies of every job. */
export interface JobDeps {
	readonly metadata: Metadata;
	readonly clock: Clock;
	readonly log: Log;
	/** From 0 to 1, spreads the times of further attempts. */
	readonly random: () => number;
	readonly trace: Trace;
}

interface Deps extends JobDeps {
	readonly isClosing: () => boolean;
	readonly ends: JobEnds;
}

interface TakenJob {
	readonly row: JobRow;
	readonly kind: JobKind;
	readonly abort: AbortController;
}

/** Does a job that was taken, and notes how it ended. */
export async function doJob(deps: Deps, job: TakenJob): Promise<void> {
	const { row, kind, abort } = job;
	if (row.attempts > kind.maxAttempts)
		return giveUp(deps, job, new JobFailure("The service ended during each attempt"));
	const stopHeartbeat = deps.clock.every(kind.leaseMs / 3, () => void keepLease(deps, job));
	const writes: EndWrite[] = [];
	const endWith = (write: EndWrite): void => void writes.push(write);
	try {
		const context = { id: row.id, attempt: row.attempts, signal: abort.signal, endWith };
		// No user waits for a job; jobs of a kind share one place.
		const asker = {
			id: `job:${row.id}`,
			tenant: `jobs:${row.kind}`,
			kind: "background",
			signal: abort.signal,
		} as const;
		const facts = { name: `job ${row.kind}`, attributes: { "footfall.job.attempt": row.attempts } };
		await askedBy(asker, () => traced(deps.trace, facts, () => kind.handler(JSON.parse(row.payload), context)));
	} catch (error) {
		return noteFailure(deps, job, error);
	} finally {
		stopHeartbeat();
	}
	try {
		await deps.ends.note({ ...placeOf(row), writes });
	} catch (error) {
		if (writes.length === 0) throw error;
		await noteFailure(deps, job, error);
	}
}

const placeOf = ({ id, lane }: JobRow) => ({ id, lane });

const heldBy = (row: JobRow) => ({ id: row.id, lease: row.lease ?? "" });

async function keepLease({ metadata, clock, log }: Deps, { row, kind, abort }: TakenJob): Promise<void> {
	try {
		const isHeld = await extendLease(metadata, heldBy(row), clock.now() + kind.leaseMs);
		if (!isHeld) abort.abort();
	} catch (error) {
		log.warn(
			{ kind: row.kind, job: row.id, cause: describeCause(error) },
			"The lease of a job could not be lengthened",
		);
	}
}

async function noteFailure(deps: Deps, job: TakenJob, error: unknown): Promise<void> {
	const { clock, log, random, ends } = deps;
	const { row, kind, abort } = job;
	const nowMs = clock.now();
	if (abort.signal.aborted && deps.isClosing()) {
		// To be stopped is no failure: the attempt does not count.
		const again = { due_at: nowMs, attempts: row.attempts - 1, last_error: row.last_error };
		await ends.note({ ...placeOf(row), again });
		return;
	}
	const isFinal = error instanceof JobFailure && error.isFinal;
	if (isFinal || row.attempts >= kind.maxAttempts) return giveUp(deps, job, error);
	const again = {
		due_at: nowMs + backoffMs(row.attempts, random),
		attempts: row.attempts,
		last_error: describeFailure(error),
	};
	const isHeld = await ends.note({ ...placeOf(row), again });
	if (isHeld) log.warn(lineOf(row, error), "A job failed and will be tried again");
}

async function giveUp(deps: Deps, { row, kind }: TakenJob, error: unknown): Promise<void> {
	const failure = { last_error: describeFailure(error), finished_at: deps.clock.now() };
	const isHeld = await deps.metadata.transaction().execute(async (trx) => {
		if (!(await failJob(trx, heldBy(row), failure))) return false;
		await kind.onGivenUp?.(trx, JSON.parse(row.payload));
		return true;
	});
	if (!isHeld) return;
	const isOurs = !(error instanceof JobFailure) || error.isOurs;
	deps.log[isOurs ? "error" : "warn"](lineOf(row, error), "A job was given up");
}

const lineOf = (row: JobRow, error: unknown) => ({
	kind: row.kind,
	job: row.id,
	attempt: row.attempts,
	failure: describeFailure(error),
	cause: describeCause(error),
});
