import { setTimeout as delay } from "node:timers/promises";
import type { Clock } from "../lib/clock.ts";
import { uuid } from "../lib/ids.ts";
import { describeCause } from "../log/describe-cause.ts";
import type { Log } from "../log/log.ts";
import type { Metadata } from "../metadata/metadata.ts";
import { doJob } from "./do-job.ts";
import { JobEnds } from "./job-ends.ts";
import type { JobRow } from "./job-tables.ts";
import type { JobContext, JobHandler, JobKind, JobOptions, Jobs, NewJob } from "./jobs.ts";
import { Pause } from "./pause.ts";
import { Schedules } from "./schedules.ts";
import { claimJobs, dueKinds, insertJob } from "./store.ts";

interface Deps {
	readonly metadata: Metadata;
	readonly clock: Clock;
	readonly log: Log;
	readonly random: () => number;
	readonly drainMs: number;
}

interface Running {
	readonly kind: string;
	readonly lane: string | null;
	readonly abort: AbortController;
	readonly ended: Promise<void>;
}

const defaults = { maxAttempts: 8, leaseMs: 60_000, concurrency: 4, perLane: Number.POSITIVE_INFINITY };

/** The loop rests so many times as long as its last look took. */
const REST_PER_LOOK = 4;

/** Takes due jobs from the store and does them. */
export class JobRunner implements Jobs {
	readonly #deps: Deps;
	readonly #kinds = new Map<string, JobKind>();
	readonly #unknownKinds = new Set<string>();
	readonly #running = new Map<number, Running>();
	/** Names this process: it never takes a job that it runs. */
	readonly #lease = uuid();
	readonly #ends: JobEnds;
	readonly #schedules: Schedules;
	readonly #pause = new Pause();
	#taking: Promise<number> = Promise.resolve(0);
	#loop: Promise<void> | undefined;
	#isClosing = false;
	#isStoreAway = false;

	constructor(deps: Deps) {
		this.#deps = deps;
		this.#schedules = new Schedules(deps.metadata);
		this.#ends = new JobEnds(deps.metadata, this.#lease);
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

	async enqueue(trx: Metadata, { kind, payload = null, runAt, uniqueKey, lane }: NewJob): Promise<boolean> {
		const nowMs = this.#deps.clock.now();
		const isNew = await insertJob(trx, {
			kind,
			payload: JSON.stringify(payload),
			uniqueKey: uniqueKey ?? null,
			lane: lane ?? null,
			dueAt: runAt ?? nowMs,
			nowMs,
		});
		if (isNew) this.#pause.hurry();
		return isNew;
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

	async close(): Promise<void> {
		this.#isClosing = true;
		this.#pause.wake();
		await this.#loop;
		await this.#taking.catch(() => undefined);
		for (const { abort } of this.#running.values()) abort.abort();
		const { promise: timeout, resolve } = Promise.withResolvers<void>();
		const timer = setTimeout(resolve, this.#deps.drainMs);
		await Promise.race([this.#idle(), timeout]);
		clearTimeout(timer);
	}

	async #idle(): Promise<void> {
		await Promise.all([...this.#running.values()].map(({ ended }) => ended));
	}

	async #takeUntilClosed(): Promise<void> {
		while (!this.#isClosing) {
			const began = performance.now();
			try {
				await this.#take();
				this.#isStoreAway = false;
			} catch (error) {
				if (!this.#isStoreAway) this.#deps.log.warn({ cause: describeCause(error) }, "The jobs could not be read");
				this.#isStoreAway = true;
			}
			// A look at a long queue takes its time: what ends meanwhile is filled in one, so that looking leaves most of it to the jobs.
			if (!this.#isClosing) await delay(REST_PER_LOOK * (performance.now() - began));
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
		const { metadata, clock } = this.#deps;
		await this.#schedules.enqueueDue(clock.now());
		let taken = 0;
		for (const kind of await dueKinds(metadata, clock.now())) {
			const known = this.#kinds.get(kind);
			if (known === undefined) this.#reportUnknown(kind);
			else taken += await this.#takeOf(kind, known);
		}
		return taken;
	}

	async #takeOf(kind: string, known: JobKind): Promise<number> {
		const busy = [...this.#running.values()].filter((running) => running.kind === kind);
		if (busy.length >= known.concurrency || this.#isClosing) return 0;
		const nowMs = this.#deps.clock.now();
		const rows = await claimJobs(this.#deps.metadata, {
			kind,
			limit: known.concurrency - busy.length,
			perLane: known.perLane,
			busyLanes: busy.flatMap(({ lane }) => lane ?? []),
			lease: this.#lease,
			leaseUntil: nowMs + known.leaseMs,
			nowMs,
			except: [...this.#running.keys()],
		});
		for (const row of rows) this.#begin(row, known);
		return rows.length;
	}

	#begin(row: JobRow, kind: JobKind): void {
		const abort = new AbortController();
		const isClosing = () => this.#isClosing;
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
		this.#deps.log.warn({ kind }, "Jobs wait whose kind this version does not know");
	}
}
