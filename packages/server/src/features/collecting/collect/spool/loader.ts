import { ServiceError } from "../../../../platform/errors/service-error.ts";
import { type Trace, traced, untraced } from "../../../../platform/lib/trace.ts";
import { type LoadDeps, loadStretch } from "./load-stretch.ts";
import { readStretch, type Stretch } from "./parse-stretch.ts";
import { retryRefused, waitAfter } from "./retry.ts";
import type { Segment } from "./segment.ts";
import { faultCode } from "./spool-files.ts";

/** Loading begins when this many rows wait, or `MAX_WAIT_MS` after the last time: so inserts stay few and large. */
const FULL_ROWS = 20_000;
const MAX_WAIT_MS = 1_000;
/** After a pause rows wait only for those that come with them, as the hits of one page do. */
const TOGETHER_MS = 100;
/** How often the loader looks for refused rows that an operator wants tried again. */
const LOOK_EVERY_MS = 5_000;
const TORN =
	"the end of a segment of the spool is torn and was passed over: a write that no hit was answered for, unless the disk lost it";

interface LoaderDeps extends LoadDeps {
	readonly trace?: Trace;
	readonly onStored: (sites: ReadonlySet<string> | "all") => void;
}

export interface HeldLoader {
	/** Resolves when nothing is loaded any more, and the journal says for each step whether the event store has it. */
	readonly isStill: Promise<void>;
	resume(): void;
}

/** Moves committed rows from the spool into the event store, in order, each exactly once. */
export class Loader {
	readonly #deps: LoaderDeps;
	#waitingRows = 0;
	#dueAt = Number.POSITIVE_INFINITY;
	#begunAt = 0;
	#lookAt = 0;
	#notBefore = 0;
	#failures = 0;
	#isStopped = false;
	#flushers: (() => void)[] = [];
	#errands: (() => Promise<void>)[] = [];
	#held: HeldLoader | undefined;
	#wake = () => {};
	#loop: Promise<void> | undefined;
	/** Completed parts of the current batch. */
	#finished = new Set<string>();

	constructor(deps: LoaderDeps) {
		this.#deps = deps;
	}

	/** Loads what earlier runs left, then follows the spool. */
	start(): void {
		const { spool } = this.#deps;
		this.#begunAt = this.#deps.clock.monotonic();
		spool.subscribe((rows) => this.#arrived(rows));
		if (spool.waitingBytes > 0) this.#dueAt = 0;
		this.#loop ??= this.#run();
	}

	/** True when the event store has everything that was committed. */
	get isDrained(): boolean {
		return this.#deps.spool.waitingBytes === 0;
	}

	get isHeld(): boolean {
		return this.#held !== undefined;
	}

	/** True while the event store takes no rows. */
	get isRefused(): boolean {
		return this.#failures > 0;
	}

	/**
	 * Resolves when all that was committed before the call is in the event store, or the attempt to bring it there has
	 * failed. While the store refuses rows, that attempt is the next one that is due; while the loader is held there is none.
	 */
	async flush(): Promise<void> {
		if (this.#isStopped || this.isHeld || this.#loop === undefined) return;
		await new Promise<void>((resolve) => {
			this.#flushers.push(resolve);
			this.#wake();
		});
	}

	/** Loads all that was committed, leaves no file with it, and runs `then` while nothing is loaded. Waits while the store takes no rows. */
	empty(then: () => Promise<void>): Promise<void> {
		const { promise, resolve, reject } = Promise.withResolvers<void>();
		this.#errands.push(async () => {
			const { spool } = this.#deps;
			await spool.turn();
			await this.#loadSealed();
			await spool.release();
			await then().then(resolve, reject);
		});
		this.#wake();
		return promise;
	}

	/**
	 * Loads what waits and then nothing, until it may go on. A step that was sent without an answer is sent again before, with its token:
	 * so what the journal does not name as done was never sent, and may be loaded into another store.
	 */
	hold(): HeldLoader {
		if (this.#held !== undefined) return this.#held;
		const still = Promise.withResolvers<void>();
		const resumed = Promise.withResolvers<void>();
		const held: HeldLoader = {
			isStill: still.promise,
			resume: () => {
				if (this.#held === held) this.#held = undefined;
				resumed.resolve();
			},
		};
		this.#errands.push(async () => {
			await this.#retryMarked();
			await this.#deps.spool.journal.settle();
			still.resolve();
			await resumed.promise;
		});
		this.#held = held;
		this.#release(this.#flushers.splice(0));
		this.#wake();
		return held;
	}

	/** Ends after the current batch; the rest stays in the spool for the next start. */
	async stop(): Promise<void> {
		this.#isStopped = true;
		this.#held?.resume();
		this.#wake();
		await this.#loop;
		this.#release(this.#flushers);
	}

	#arrived(rows: number): void {
		if (this.#waitingRows === 0) {
			const dueAt = Math.max(this.#deps.clock.monotonic() + TOGETHER_MS, this.#begunAt + MAX_WAIT_MS);
			this.#dueAt = Math.min(this.#dueAt, dueAt);
		}
		const wasFull = this.#waitingRows >= FULL_ROWS;
		this.#waitingRows += rows;
		if (this.#waitingRows === rows || (!wasFull && this.#waitingRows >= FULL_ROWS)) this.#wake();
	}

	async #run(): Promise<void> {
		await this.#due();
		while (!this.#isStopped) {
			const flushers = this.#flushers;
			this.#flushers = [];
			if (this.#waitingRows > 0) this.#begunAt = this.#deps.clock.monotonic();
			this.#waitingRows = 0;
			this.#dueAt = Number.POSITIVE_INFINITY;
			try {
				await this.#loadAll();
				await this.#runErrands();
				if (!this.#isStopped && this.#deps.clock.monotonic() >= this.#lookAt) await this.#retryMarked();
				this.#failures = 0;
			} catch (error) {
				this.#failed(error);
			}
			this.#release(flushers);
			await this.#due();
		}
	}

	/** Resolves when there is something to do, and it may be done, or when the loader is to stop. */
	async #due(): Promise<void> {
		for (;;) {
			const now = this.#deps.clock.monotonic();
			const isAsked = this.#flushers.length > 0 || this.#errands.length > 0;
			const wanted = isAsked || this.#waitingRows >= FULL_ROWS ? now : this.#dueAt;
			const at = Math.max(Math.min(wanted, this.#lookAt), this.#notBefore);
			if (this.#isStopped || at <= now) return;
			const waiting = new AbortController();
			this.#wake = () => waiting.abort();
			// Rounded up, so that it is really due then.
			await this.#deps.clock.sleep(Math.ceil(at - now), waiting.signal).catch(() => undefined);
		}
	}

	#failed(error: unknown): void {
		this.#failures++;
		this.#dueAt = 0;
		this.#notBefore = this.#deps.clock.monotonic() + waitAfter(this.#failures);
		const code = error instanceof ServiceError ? error.code : faultCode(error);
		const cause = error instanceof ServiceError && error.cause instanceof Error ? error.cause.message : undefined;
		const message =
			error instanceof ServiceError
				? "event store takes no rows; they stay in the spool"
				: "the spool cannot be loaded; its rows stay there";
		this.#deps.log.warn({ code, cause, failures: this.#failures }, message);
	}

	#release(flushers: readonly (() => void)[]): void {
		for (const resolve of flushers) resolve();
	}

	/** One that fails by the store is tried again with the next load. */
	async #runErrands(): Promise<void> {
		for (let [errand] = this.#errands; errand !== undefined && !this.#isStopped; [errand] = this.#errands) {
			await errand();
			this.#errands.shift();
		}
	}

	/** Loads the records committed now; later ones wait for the next round, so that inserts stay few and large. */
	async #loadAll(): Promise<void> {
		// A step ends when those before it are loaded: while the store is away, steps grow as large as they may.
		await this.#loadSealed();
		await this.#deps.spool.seal();
		await this.#loadSealed();
	}

	async #loadSealed(): Promise<void> {
		for (let segment = this.#next(); segment !== undefined; segment = this.#next()) {
			await this.#load(segment);
			await this.#deps.spool.release();
		}
	}

	/** The segment whose rows are loaded next; undefined when the event store has all that can be loaded. */
	#next(): Segment | undefined {
		return this.#isStopped ? undefined : this.#deps.spool.segments.all.find(({ done, sealed }) => done < sealed);
	}

	async #load(segment: Segment): Promise<void> {
		const { spool, log, onStored, trace = untraced } = this.#deps;
		const recent = spool.recent.next(segment);
		const stretch = recent === undefined ? await this.#read(segment) : { ...recent, damage: [], torn: 0 };
		const load = () => loadStretch(this.#deps, segment, stretch, this.#finished);
		if (stretch.torn > 0) log.warn({ segment: segment.path, bytes: stretch.torn }, TORN);
		await traced(trace, { name: "spool load", attributes: { "footfall.steps": stretch.records.length } }, load);
		spool.segments.markDone(segment, stretch.to);
		this.#finished = new Set();
		if (stretch.step !== undefined) onStored(recent?.sites ?? "all");
		// An unrecorded segment is repeated after a crash, with the same token.
		await spool.journal.noteDone(segment).catch((error: unknown) => {
			log.warn({ code: faultCode(error) }, "the spool journal cannot be written");
		});
	}

	async #read(segment: Segment): Promise<Stretch> {
		const { spool, log } = this.#deps;
		try {
			return await readStretch(spool.files, segment);
		} catch (error) {
			if (faultCode(error) !== "ENOENT") throw error;
			log.error({ segment: segment.path }, "a spool segment was removed; its rows are lost");
			segment.isLost = true;
			return { step: undefined, records: [], damage: [], torn: 0, to: segment.sealed };
		}
	}

	async #retryMarked(): Promise<void> {
		this.#lookAt = this.#deps.clock.monotonic() + LOOK_EVERY_MS;
		const { refused } = this.#deps.spool;
		await refused.refresh();
		await retryRefused(refused, this.#deps, () => this.#deps.onStored("all"));
	}
}
