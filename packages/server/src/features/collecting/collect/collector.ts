import { join } from "node:path";
import type { EventStore } from "../../../platform/event-store/event-store.ts";
import type { HitFate, HitRequest } from "./hit.ts";
import { HitPipeline, type PipelineDeps } from "./hit-pipeline.ts";
import { restoreClickIds, restoreSessions } from "./restore-sessions.ts";
import { LoadJournal } from "./spool/load-journal.ts";
import { Loader } from "./spool/loader.ts";
import { Spool } from "./spool/spool.ts";

const SALT_CHECK_MS = 5 * 60_000;
/** How long the start waits for rows of an earlier run to reach the event store. */
const DRAIN_MS = 10_000;

/** What the collector stands on. */
export interface CollectorDeps extends PipelineDeps {
	readonly store: EventStore;
	readonly dataDir: string;
	/** Hits are refused while this many bytes wait for the event store. */
	readonly spoolMaxBytes: number;
}

/** Takes hits, books them under their sessions and makes their rows durable. */
export class Collector {
	readonly #deps: CollectorDeps;
	readonly #pipeline: HitPipeline;
	readonly #spool: Spool;
	readonly #journal: LoadJournal;
	readonly #loader: Loader;
	#saltTimer: NodeJS.Timeout | undefined;

	private constructor(deps: CollectorDeps, spool: Spool, journal: LoadJournal) {
		this.#deps = deps;
		this.#spool = spool;
		this.#journal = journal;
		this.#loader = new Loader({ spool, journal, store: deps.store, log: deps.log });
		this.#pipeline = new HitPipeline(deps, spool);
	}

	/** Opens the spool, finishes what an earlier run began and puts its live sessions back. */
	static async open(deps: CollectorDeps): Promise<Collector> {
		const directory = join(deps.dataDir, "spool");
		const spool = await Spool.open({ directory, maxBytes: deps.spoolMaxBytes });
		const collector = new Collector(deps, spool, await LoadJournal.open(directory));
		await collector.#start();
		return collector;
	}

	/** Bytes of hits that wait for the event store. */
	get waitingBytes(): number {
		return this.#spool.bytes;
	}

	/** Accepted and rejected hits of the last day. */
	get rejections(): HitPipeline["rejections"] {
		return this.#pipeline.rejections;
	}

	/** Sends a hit on its way; `settled` is called once, when its fate is certain. */
	take(request: HitRequest, settled: (fate: HitFate) => void): void {
		this.#pipeline.take(request, settled);
	}

	/** Resolves when everything taken so far is durable and in the event store. */
	async flush(): Promise<void> {
		await this.#spool.flush();
		await this.#loader.flush();
	}

	/** True as soon as everything taken so far is in the event store; false when that takes longer, or the store refuses it. */
	async isCaughtUp(waitMs: number): Promise<boolean> {
		const { promise: late, resolve } = Promise.withResolvers<boolean>();
		const timer = setTimeout(resolve, waitMs, false);
		const stored = this.flush().then(() => !this.#loader.isRefused);
		try {
			return await Promise.race([stored, late]);
		} finally {
			clearTimeout(timer);
		}
	}

	/** Makes everything durable and ends; what did not reach the event store waits for the next start. */
	async close(): Promise<void> {
		clearInterval(this.#saltTimer);
		await this.flush();
		await this.#loader.stop();
		await this.#spool.close();
		await this.#journal.close();
	}

	async #start(): Promise<void> {
		const { deps, now } = { deps: this.#deps, now: this.#deps.clock.now() };
		await this.#pipeline.salts.refresh();
		this.#saltTimer = setInterval(() => this.#refreshSalts(), SALT_CHECK_MS);
		this.#loader.start();
		const restore = { store: deps.store, sessions: deps.sessions, timeoutMs: deps.sessionTimeoutMs };
		try {
			const isDrained = await this.#drained();
			await restoreClickIds(restore, now);
			if (isDrained) await restoreSessions(restore, now);
			else
				deps.log.warn({ bytes: this.#spool.bytes }, "hits of an earlier run still wait; running sessions begin anew");
		} catch {
			deps.log.warn({}, "the event store does not answer; running sessions begin anew");
		}
	}

	/** Sessions are restored from the event store alone, so what was spooled has to be there first. */
	async #drained(): Promise<boolean> {
		const until = Date.now() + DRAIN_MS;
		while (!this.#loader.isDrained && Date.now() < until) await this.#loader.flush();
		return this.#loader.isDrained;
	}

	async #refreshSalts(): Promise<void> {
		try {
			await this.#pipeline.salts.refresh();
		} catch {
			this.#deps.log.warn({}, "the salts of visitor ids could not be read");
		}
	}
}
