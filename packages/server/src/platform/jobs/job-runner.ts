import { setImmediate as nextTurn } from "node:timers/promises";
import type { Clock } from "../lib/clock.ts";
import { DAY_MS, MINUTE_MS } from "../lib/durations.ts";
import { uuid } from "../lib/ids.ts";
import { untraced } from "../lib/trace.ts";
import { within } from "../lib/within.ts";
import { describeCause } from "../log/describe-cause.ts";
import type { Metadata } from "../metadata/metadata.ts";
import { claimJobs } from "./claim-jobs.ts";
import { doJob, type JobDeps, JobEnds } from "./do-job.ts";
import { forgetJobs } from "./job-overview.ts";
import type { JobRow } from "./job-tables.ts";
import type { JobContext, JobHandler, JobKind, JobOptions, Jobs, KeyedJob, KnownSchedule, NewJob } from "./jobs.ts";
import { Schedules } from "./schedules.ts";
import { deletePendingJob, dueKinds, insertJobs } from "./store.ts";

/** Dependencies of the queue. */
export interface RunnerDeps extends JobDeps {
	/** Milliseconds that `close` waits for running jobs. */
	readonly drainMs: number;
}

interface Running {
	readonly kind: string;
	readonly lane: string | null;
	readonly abort: AbortController;
	readonly ended: Promise<void>;
}

const defaults = {
	maxAttempts: 8,
	leaseMs: MINUTE_MS,
	concurrency: 4,
	perLane: Number.POSITIVE_INFINITY,
	perGroup: Number.POSITIVE_INFINITY,
};

/** Takes due jobs from the store and does them. */
class JobRunner implements Jobs {
	readonly #deps: RunnerDeps;
	readonly #kinds = new Map<string, JobKind>();
	readonly #unknownKinds = new Set<string>();
	readonly #running = new Map<number, Running>();
	/** Names this process: it never takes a job that it runs. */
	readonly #lease = uuid();
	readonly #ends: JobEnds;
	readonly #schedules: Schedules;
	readonly #pause: Pause;
	#taking: Promise<number> = Promise.resolve(0);
	#loop: Promise<void> | undefined;
	#isClosing = false;
	#isHeld = false;
	#isStoreAway = false;

	constructor(deps: RunnerDeps) {
		this.#deps = deps;
		this.#pause = new Pause(deps.clock);
		this.#schedules = new Schedules(deps.metadata);
		this.#ends = new JobEnds({ ...deps, lease: this.#lease });
	}

	register<Payload>(kind: string, handler: JobHandler<Payload>, options: JobOptions<Payload> = {}): void {
		if (this.#kinds.has(kind)) throw new Error(`Jobs of the kind ${kind} have a handler already`);
		// A payload is what this service enqueued under the same kind.
		const known = { handler, ...options } as Pick<JobKind, "handler"> & JobOptions;
		this.#kinds.set(kind, { ...defaults, ...known });
	}

	schedule(name: string, cron: string, handler: (context: JobContext) => Promise<void>): void {
		this.register(name, (_payload, context) => handler(context), { concurrency: 1, maxAttempts: 3 });
		this.#schedules.add(name, cron);
	}

	get schedules(): readonly KnownSchedule[] {
		return this.#schedules.known;
	}

	async enqueue(trx: Metadata, job: NewJob): Promise<boolean> {
		return (await this.enqueueAll(trx, [job])) > 0;
	}

	async enqueueAll(trx: Metadata, jobs: readonly NewJob[]): Promise<number> {
		const nowMs = this.#deps.clock.now();
		const stored = await insertJobs(
			trx,
			jobs.map(({ kind, payload = null, runAt = nowMs, uniqueKey = null, lane = null }) => {
				return {
					kind,
					payload: JSON.stringify(payload),
					unique_key: uniqueKey,
					lane,
					due_at: runAt,
					created_at: nowMs,
				};
			}),
		);
		if (stored > 0) this.#pause.hurry();
		return stored;
	}

	async withdraw(trx: Metadata, job: KeyedJob): Promise<void> {
		await deletePendingJob(trx, job);
	}

	start(): void {
		this.#loop ??= this.#takeUntilClosed();
	}

	async runDue(): Promise<void> {
		for (let taken = 1; taken > 0; ) {
			taken = await this.#take();
			await this.#idle();
		}
	}

	async hold(): Promise<() => void> {
		this.#isHeld = true;
		await this.#stopAll();
		await this.#idle();
		return () => {
			this.#isHeld = false;
			this.#pause.wake();
		};
	}

	async close(): Promise<void> {
		this.#isClosing = true;
		this.#pause.wake();
		await this.#loop;
		await this.#stopAll();
		await within(this.#deps.clock, this.#deps.drainMs, this.#idle());
	}

	async #stopAll(): Promise<void> {
		await this.#taking.catch(() => undefined);
		for (const { abort } of this.#running.values()) abort.abort();
	}

	async #idle(): Promise<void> {
		await Promise.all([...this.#running.values()].map(({ ended }) => ended));
	}

	async #takeUntilClosed(): Promise<void> {
		const { clock, log } = this.#deps;
		while (!this.#isClosing) {
			const began = clock.monotonic();
			try {
				await this.#take();
				this.#isStoreAway = false;
			} catch (error) {
				if (!this.#isStoreAway) log.warn({ cause: describeCause(error) }, "The jobs could not be read");
				this.#isStoreAway = true;
			}
			// Places that become free meanwhile are filled in one query: queries take at most half of the time, on a
			// slow disk too.
			if (!this.#isClosing) await clock.sleep(clock.monotonic() - began);
			if (!this.#isClosing) await this.#pause.rest();
		}
	}

	/** One at a time, so that limits and the list of running jobs hold. */
	#take(): Promise<number> {
		this.#taking = this.#taking.then(
			() => this.#takeDue(),
			() => this.#takeDue(),
		);
		return this.#taking;
	}

	async #takeDue(): Promise<number> {
		if (this.#isHeld) return 0;
		const { metadata, clock } = this.#deps;
		await this.#schedules.enqueueDue(clock.now());
		const kinds = (await dueKinds(metadata, clock.now())).map(({ kind }) => kind);
		for (const kind of kinds) if (!this.#kinds.has(kind)) this.#reportUnknown(kind);
		const wanted = kinds.filter((kind) => this.#placesOf(kind) > 0);
		if (wanted.length === 0 || this.#isClosing || this.#isHeld) return 0;
		// A store on a disk has synced once when all of them are taken.
		const rows = await metadata.transaction().execute(async (trx) => {
			const taken = [];
			for (const kind of wanted) taken.push(await this.#claim(trx, kind));
			return taken.flat();
		});
		for (const row of rows) this.#begin(row);
		return rows.length;
	}

	#placesOf(kind: string): number {
		const known = this.#kinds.get(kind);
		return known === undefined ? 0 : known.concurrency - this.#runningOf(kind).length;
	}

	#runningOf(kind: string): Running[] {
		return [...this.#running.values()].filter((running) => running.kind === kind);
	}

	async #claim(trx: Metadata, kind: string): Promise<JobRow[]> {
		const nowMs = this.#deps.clock.now();
		const { leaseMs, perLane, perGroup } = this.#kinds.get(kind) ?? defaults;
		return claimJobs(trx, {
			kind,
			limit: this.#placesOf(kind),
			perLane,
			perGroup,
			runningLanes: this.#runningOf(kind).flatMap(({ lane }) => lane ?? []),
			lease: this.#lease,
			leaseUntil: nowMs + leaseMs,
			nowMs,
			except: [...this.#running.keys()],
		});
	}

	#begin(row: JobRow): void {
		const kind = this.#kinds.get(row.kind);
		if (kind === undefined) return;
		const abort = new AbortController();
		const isClosing = () => this.#isClosing || this.#isHeld;
		const ended = doJob({ ...this.#deps, ends: this.#ends, isClosing }, { row, kind, abort })
			.catch((error: unknown) => {
				// The lease runs out, and the job is done again.
				this.#deps.log.warn(
					{ kind: row.kind, job: row.id, cause: describeCause(error) },
					"The end of a job could not be noted",
				);
			})
			.finally(() => {
				this.#running.delete(row.id);
				this.#pause.wake();
			});
		this.#running.set(row.id, { kind: row.kind, lane: row.lane, abort, ended });
	}

	#reportUnknown(kind: string): void {
		if (this.#unknownKinds.has(kind)) return;
		this.#unknownKinds.add(kind);
		this.#deps.log.warn({ kind }, "Jobs of an unknown kind are waiting");
	}
}

/** Between two looks at an idle store. */
const IDLE_MS = 1000;
/** After a job was stored: its transaction may not have ended yet, so the store is asked again soon. */
const SOON_MS = [5, 25, 100, 300];

/** The waiting between two looks at the queue; it ends early when there is something to do. */
export class Pause {
	readonly #clock: Clock;
	#soon: number[] = [];
	#end: (() => void) | undefined;
	#isWoken = false;

	constructor(clock: Clock) {
		this.#clock = clock;
	}

	/** Waits a second, or less when woken before or meanwhile. */
	async rest(): Promise<void> {
		if (!this.#isWoken) {
			const ending = new AbortController();
			this.#end = () => ending.abort();
			await this.#clock.sleep(this.#soon.shift() ?? IDLE_MS, ending.signal).catch(() => undefined);
		}
		// Jobs that end within one turn of the event loop free their places together, which are filled in one query.
		await nextTurn();
		this.#end = undefined;
		this.#isWoken = false;
	}

	/** Ends the waiting. */
	wake(): void {
		this.#isWoken = true;
		this.#end?.();
	}

	/** Ends the waiting, and keeps the next ones short. */
	hurry(): void {
		this.#soon = [...SOON_MS];
		this.wake();
	}
}

type JobsDeps = Pick<RunnerDeps, "metadata" | "clock" | "log"> & Partial<RunnerDeps>;

/** The queue on a metadata store, untraced by default and with 10 seconds to close; nothing is done before `start` or `runDue`. */
export function createJobs(deps: JobsDeps): Jobs {
	const jobs = new JobRunner({ random: Math.random, drainMs: 10_000, trace: untraced, ...deps });
	jobs.schedule("job-retention", "17 * * * *", async () => {
		const nowMs = deps.clock.now();
		await forgetJobs(deps.metadata, { done: nowMs - DAY_MS, failed: nowMs - 30 * DAY_MS });
	});
	return jobs;
}
