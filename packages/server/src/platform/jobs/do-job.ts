import { setImmediate as nextTurn } from "node:timers/promises";
import { askedBy } from "../lib/asker.ts";
import type { Clock } from "../lib/clock.ts";
import { HOUR_MS } from "../lib/durations.ts";
import { type Trace, traced } from "../lib/trace.ts";
import { describeCause } from "../log/describe-cause.ts";
import type { Log } from "../log/log.ts";
import type { Metadata } from "../metadata/metadata.ts";
import { describeFailure, JobFailure } from "./job-failure.ts";
import type { JobRow } from "./job-tables.ts";
import type { EndWrite, JobKind } from "./jobs.ts";
import { type Attempt, extendLease, failJob, finishJobs, postponeJob } from "./store.ts";

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

type EndDeps = Pick<JobDeps, "metadata" | "clock"> & { readonly lease: string };

interface JobEnd {
	readonly id: number;
	readonly lane: string | null;
	/** Absent when the job is done. */
	readonly again?: Attempt;
	/** Written with it. */
	readonly writes?: readonly EndWrite[];
}

interface WaitingEnd extends JobEnd {
	readonly noted: (isHeld: boolean) => void;
	readonly failed: (error: unknown) => void;
}

/** Ends of one transaction; others that want the store come in between. */
const MOST_AT_ONCE = 32;

/** Notes the ends of jobs. While one write is under way the next ends gather, so that a disk that syncs slowly holds up none. */
export class JobEnds {
	readonly #deps: EndDeps;
	readonly #waiting: WaitingEnd[] = [];
	#isWriting = false;

	constructor(deps: EndDeps) {
		this.#deps = deps;
	}

	/** Resolves when the store has noted that a job is done, or when it is to be tried again; false if the lease was lost. */
	note(end: JobEnd): Promise<boolean> {
		const { promise, resolve, reject } = Promise.withResolvers<boolean>();
		this.#waiting.push({ ...end, noted: resolve, failed: reject });
		if (!this.#isWriting) void this.#write();
		return promise;
	}

	async #write(): Promise<void> {
		this.#isWriting = true;
		while (this.#waiting.length > 0) {
			// An embedded store answers within the same turn, so jobs that end in this turn are recorded in one write.
			await nextTurn();
			await this.#noteTogether(this.#waiting.splice(0, MOST_AT_ONCE));
		}
		this.#isWriting = false;
	}

	async #noteTogether(ends: readonly WaitingEnd[]): Promise<void> {
		try {
			const held = await this.#inOneTransaction(ends);
			for (const { id, noted } of ends) noted(held.has(id));
		} catch (error) {
			const isOneOfMany = ends.length > 1 && ends.some(({ writes = [] }) => writes.length > 0);
			// A failed write of one must not undo the others.
			if (isOneOfMany) for (const end of ends) await this.#noteTogether([end]);
			else for (const { failed } of ends) failed(error);
		}
	}

	#inOneTransaction(ends: readonly WaitingEnd[]): Promise<Set<number>> {
		const { metadata, clock, lease } = this.#deps;
		return metadata.transaction().execute(async (trx) => {
			const done = ends.filter(({ again }) => again === undefined).map(({ id }) => id);
			const finished = done.length === 0 ? [] : await finishJobs(trx, { ids: done, lease, nowMs: clock.now() });
			const held = new Set(finished);
			for (const { id, again } of ends) {
				if (again !== undefined && (await postponeJob(trx, { id, lease }, again))) held.add(id);
			}
			for (const { id, writes = [] } of inOneOrder(ends)) {
				if (held.has(id)) for (const write of writes) await write(trx);
			}
			return held;
		});
	}
}

/** Processes that change the same rows do so in the same order, and do not wait for each other in a circle. */
const inOneOrder = (ends: readonly WaitingEnd[]): WaitingEnd[] =>
	ends.toSorted((a, b) => {
		const [left, right] = [a.lane ?? "", b.lane ?? ""];
		return left === right ? a.id - b.id : left < right ? -1 : 1;
	});
