import { join } from "node:path";
import { localHour } from "../../../analytics/model/site-clock.ts";
import type { EventQuery, EventStore } from "../../../platform/event-store/event-store.ts";
import type { Cancel } from "../../../platform/lib/clock.ts";
import { type Trace, untraced } from "../../../platform/lib/trace.ts";
import { within } from "../../../platform/lib/within.ts";
import { coversHit, type ForgottenDays, type SiteDirectory, type SiteFacts } from "../../tenancy/sites/index.ts";
import type { PipelineDeps } from "./collect-context.ts";
import type { HitFate, HitRequest } from "./hit.ts";
import { HitPipeline } from "./hit-pipeline.ts";
import { restoreClickIds, restoreSessions } from "./restore-sessions.ts";
import { type HeldLoader, Loader } from "./spool/loader.ts";
import { Spool, type SpoolState } from "./spool/spool.ts";

/** How long hits wait for the sessions of an earlier run. */
const RESTORE_MS = 10_000;
const DRAIN_PAUSE_MS = 50;

interface RestoringDeps extends CollectorDeps {
	readonly loader: Loader;
	readonly ending: AbortSignal;
}

/** Restores the sessions and click ids of an earlier run within a time limit; click ids may come later, as their hits do too. */
async function restoreInTime(deps: RestoringDeps): Promise<void> {
	const { clock, store, storeReady, ending, log, sites } = deps;
	// An installation without sites has no visits: its store is waited for, and not asked.
	const isNew = sites.isEmpty();
	const now = clock.now();
	const late = new AbortController();
	const cancel = clock.after(RESTORE_MS, () => late.abort());
	const signal = AbortSignal.any([late.signal, ending]);
	const readClickIds = async () => {
		await storeReady;
		if (!isNew) await restoreClickIds({ ...deps, store: abortable(store, ending) }, now);
	};
	const readSessions = async () => {
		await storeReady;
		await drain(deps, signal);
		if (!isNew) await restoreSessions({ ...deps, store: abortable(store, signal) }, now);
	};
	const clickIds = readClickIds();
	clickIds.catch(() => ending.aborted || log.warn({}, "click ids of an earlier run could not be read"));
	try {
		await Promise.race([Promise.all([clickIds, readSessions()]), rejectedBy(signal)]);
	} catch {
		if (!ending.aborted) log.warn({}, "the event store does not answer in time; running sessions start over");
	} finally {
		cancel();
		late.abort();
	}
}

/** Sessions are restored from the event store alone, so what was spooled has to be there first. */
async function drain({ clock, loader }: Pick<RestoringDeps, "clock" | "loader">, signal: AbortSignal): Promise<void> {
	while (!loader.isDrained) {
		signal.throwIfAborted();
		await loader.flush();
		if (!loader.isDrained) await clock.sleep(DRAIN_PAUSE_MS, signal);
	}
}

const abortable = (store: EventStore, signal: AbortSignal): Pick<EventStore, "query" | "stream"> => ({
	query: <Row extends object>(query: EventQuery) => store.query<Row>({ ...query, signal }),
	stream: <Row extends object>(query: EventQuery) => store.stream<Row>({ ...query, signal }),
});

function rejectedBy(signal: AbortSignal): Promise<never> {
	const { promise, reject } = Promise.withResolvers<never>();
	if (signal.aborted) reject(signal.reason);
	else signal.addEventListener("abort", () => reject(signal.reason), { once: true });
	return promise;
}

const SALT_CHECK_MS = 5 * 60_000;
const QUOTA_EXCHANGE_MS = 5000;
/** How long the end waits for the metadata store. */
const LAST_EXCHANGE_MS = 1000;
/** Time that a shutdown waits for the event store; the rest is loaded at the next start. */
const LAST_LOAD_MS = 1000;

interface CollectorDeps extends PipelineDeps {
	readonly sites: Pick<SiteDirectory, "get" | "isEmpty">;
	readonly store: EventStore;
	/** Resolves when the event store can be asked. */
	readonly storeReady: Promise<void>;
	readonly dataDir: string;
	/** Hits are refused while this many bytes wait for the event store. */
	readonly spoolMaxBytes: number;
	/** Called after hits reached the event store, with their sites where these are known. */
	readonly onStored?: (sites: ReadonlySet<string> | "all") => void;
	readonly trace?: Trace;
}

/** Takes hits, books them under their sessions and makes their rows durable. */
export class Collector {
	/** Accepted and rejected hits of the last day. */
	readonly rejections: HitPipeline["rejections"];
	/** Hits since the start, by what became of them. */
	readonly outcomes: Readonly<HitPipeline["outcomes"]>;
	readonly #deps: CollectorDeps;
	readonly #pipeline: HitPipeline;
	readonly #spool: Spool;
	readonly #loader: Loader;
	readonly #ending = new AbortController();
	#stopTimers: Cancel = () => {};
	/** Resolves when the sessions of an earlier run are back, or the event store has taken too long. Never rejects. */
	restored: Promise<void> = Promise.resolve();

	private constructor(deps: CollectorDeps, spool: Spool) {
		this.#deps = deps;
		this.#spool = spool;
		const { store, clock, log, trace = untraced, onStored = () => {} } = deps;
		this.#loader = new Loader({ spool, store, clock, log, trace, onStored });
		this.#pipeline = new HitPipeline(deps, spool);
		this.rejections = this.#pipeline.rejections;
		this.outcomes = this.#pipeline.outcomes;
	}

	/** Opens the spool and begins to finish what an earlier run left: `restored` tells when hits may be taken. */
	static async open(deps: CollectorDeps): Promise<Collector> {
		const directory = join(deps.dataDir, "spool");
		const { spoolMaxBytes: maxBytes, clock, log } = deps;
		const spool = await Spool.open({ directory, maxBytes, clock, log });
		const collector = new Collector(deps, spool);
		try {
			await collector.#start();
			return collector;
		} catch (error) {
			await collector.close();
			throw error;
		}
	}

	get waitingBytes(): number {
		return this.#spool.waitingBytes;
	}

	get spoolState(): SpoolState {
		return this.#spool.state;
	}

	/** False while the spool has no room for hits. */
	get accepts(): boolean {
		return this.#spool.accepts;
	}

	/** True while almost all hits come from addresses that many visitors share. */
	get sharesAddresses(): boolean {
		return this.#pipeline.addresses.isShared;
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

	/** Removes everything here of deleted days of a site: segments, refused rows, counts. Waits as long as the store takes no rows. */
	async forget({ id: siteId, timezone }: Pick<SiteFacts, "id" | "timezone">, days: ForgottenDays): Promise<void> {
		const rows = { siteId, covers: (date: string, at: number) => coversHit(days, date, at) };
		await this.#loader.empty(() => this.#spool.refused.removeRows(rows));
		this.rejections.forget(siteId, (at) => coversHit(days, localHour(timezone, at).date, at));
	}

	exchangeUsage(): Promise<void> {
		return this.#pipeline.quota.exchange();
	}

	/** True as soon as everything taken so far is in the event store; false when that takes longer, or the store refuses it. */
	async isCaughtUp(waitMs: number): Promise<boolean> {
		const stored = this.flush().then(() => !this.#loader.isRefused && !this.#loader.isHeld);
		return (await within(this.#deps.clock, waitMs, stored)) ?? false;
	}

	/** Goes on taking hits and brings none into the event store, once what was on its way is there; see `Loader.hold`. */
	hold(): HeldLoader {
		return this.#loader.hold();
	}

	/** Makes everything durable and closes. Rows that do not reach the event store in time are loaded at the next start. */
	async close(): Promise<void> {
		this.#ending.abort();
		this.#stopTimers();
		await this.#spool.flush();
		await within(this.#deps.clock, LAST_EXCHANGE_MS, this.#pipeline.quota.exchange());
		await within(
			this.#deps.clock,
			LAST_LOAD_MS,
			this.#loader.flush().then(() => this.#loader.stop()),
		);
		// Begins nothing more, also when the step at hand still waits for its answer.
		void this.#loader.stop();
		await this.#spool.close();
	}

	async #start(): Promise<void> {
		const { salts, quota } = this.#pipeline;
		await salts.refresh();
		const { clock } = this.#deps;
		const stops = [
			clock.every(SALT_CHECK_MS, () => void salts.refresh()),
			clock.every(QUOTA_EXCHANGE_MS, () => void quota.exchange()),
		];
		this.#stopTimers = () => {
			for (const stop of stops) stop();
		};
		this.#loader.start();
		this.restored = restoreInTime({ ...this.#deps, loader: this.#loader, ending: this.#ending.signal });
	}
}
