import { join } from "node:path";
import { paymentPages } from "../../../analytics/attribution/payment-pages.ts";
import { localHour } from "../../../analytics/model/site-clock.ts";
import type { EventQuery, EventStore } from "../../../platform/event-store/event-store.ts";
import type { Cancel } from "../../../platform/lib/clock.ts";
import { DAY_MS } from "../../../platform/lib/durations.ts";
import { type Trace, untraced } from "../../../platform/lib/trace.ts";
import { within } from "../../../platform/lib/within.ts";
import { describeCause } from "../../../platform/log/describe-cause.ts";
import { coversHit, type ForgottenDays, type SiteDirectory, type SiteFacts } from "../../tenancy/sites/index.ts";
import type { CollectContext, Outcome, PipelineDeps } from "./collect-context.ts";
import { walk } from "./collect-steps.ts";
import { EventQuota } from "./event-quota.ts";
import { Hit, type HitFate, type HitRequest, type RejectReason, rejectReasons } from "./hit.ts";
import { abandon } from "./keep-hit.ts";
import { MinuteWindow, NewcomerGuard } from "./minute-guards.ts";
import { RejectionLog } from "./rejection-log.ts";
import { restoreClickIds, restoreSessions } from "./restore-sessions.ts";
import { SharedAddresses } from "./shared-addresses.ts";
import { type HeldLoader, Loader } from "./spool/loader.ts";
import { Spool, type SpoolState } from "./spool/spool.ts";
import { TokenCheck } from "./token.ts";
import { VisitorSalts } from "./visitor-salts.ts";

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

/** Hits a minute that one visitor may send. */
const HITS_A_MINUTE = 300;
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
	readonly rejections = new RejectionLog();
	/** Hits since the start, by what became of them. */
	readonly outcomes: Readonly<ReturnType<typeof noneYet>>;
	readonly #outcomes = noneYet();
	readonly #deps: CollectorDeps;
	readonly #addresses = new SharedAddresses();
	readonly #salts: VisitorSalts;
	readonly #quota: EventQuota;
	readonly #context: CollectContext;
	readonly #spool: Spool;
	readonly #loader: Loader;
	readonly #ending = new AbortController();
	#stopTimers: Cancel = () => {};
	/** Resolves when the sessions of an earlier run are back, or the event store has taken too long. Never rejects. */
	restored: Promise<void> = Promise.resolve();

	private constructor(deps: CollectorDeps, spool: Spool) {
		this.#deps = deps;
		this.#spool = spool;
		this.outcomes = this.#outcomes;
		const { store, clock, log, trace = untraced, onStored = () => {} } = deps;
		this.#loader = new Loader({ spool, store, clock, log, trace, onStored });
		this.#salts = new VisitorSalts({
			...deps,
			onError: () => log.warn({}, "the salts of visitor ids could not be read"),
		});
		this.#quota = new EventQuota(deps);
		this.#context = {
			...deps,
			salts: this.#salts,
			quota: this.#quota,
			tokens: new TokenCheck(deps.secrets),
			flood: new MinuteWindow(HITS_A_MINUTE),
			newcomers: new NewcomerGuard(deps.newVisitsPerAddress),
			paymentPages: paymentPages(deps.paymentDomains),
			spool,
			rejections: this.rejections,
			// Sessions are put back under the ids of the day on which they began.
			restoredUntil: clock.now() + DAY_MS,
		};
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
		return this.#addresses.isShared;
	}

	/** Sends a hit on its way; `settled` is called once, when its fate is certain. */
	take(request: HitRequest, settled: (fate: HitFate) => void): void {
		const hit = new Hit(request, (fate) => {
			if (fate !== "rejected") this.#outcomes[fate] += 1;
			if (fate === "kept") this.#noteAddress(hit);
			settled(fate);
		});
		try {
			const outcome = walk(hit, this.#context);
			if (outcome instanceof Promise)
				outcome.then((end) => this.#end(hit, end)).catch((error) => this.#fail(hit, error));
			else this.#end(hit, outcome);
		} catch (error) {
			this.#fail(hit, error);
		}
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
		return this.#quota.exchange();
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
		await within(this.#deps.clock, LAST_EXCHANGE_MS, this.#quota.exchange());
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
		await this.#salts.refresh();
		const { clock } = this.#deps;
		const stops = [
			clock.every(SALT_CHECK_MS, () => void this.#salts.refresh()),
			clock.every(QUOTA_EXCHANGE_MS, () => void this.#quota.exchange()),
		];
		this.#stopTimers = () => {
			for (const stop of stops) stop();
		};
		this.#loader.start();
		this.restored = restoreInTime({ ...this.#deps, loader: this.#loader, ending: this.#ending.signal });
	}

	#end(hit: Hit, outcome: Outcome): void {
		// Of a hit that is kept the spool says when it is safe.
		if (outcome === "kept") return;
		if (outcome === "unstored") hit.settle("unstored");
		else if (outcome === undefined) throw new Error("the way of a hit has no end");
		else {
			this.#outcomes[outcome] += 1;
			this.rejections.reject(hit.siteId, outcome, hit.origin, hit.request.receivedAt);
			hit.settle("rejected");
		}
	}

	#noteAddress({ score, site, request: { ip, userAgent, receivedAt } }: Hit): void {
		if (score > site.botThreshold || !this.#addresses.note(ip, userAgent, receivedAt)) return;
		this.#deps.log.warn(
			{ setting: "TRUST_PROXY" },
			"Almost all hits have one address, or a few: visitors with the same browser count as one. A proxy or network in front does not pass on " +
				"where requests come from: have it set X-Forwarded-For, and name all of its addresses in TRUST_PROXY",
		);
	}

	#fail(hit: Hit, error: unknown): void {
		this.#deps.log.error({ cause: describeCause(error) }, "a hit could not be processed");
		abandon(hit, this.#context);
	}
}

/** Every outcome from the start on, so that a first one shows as a rise. */
const noneYet = () =>
	Object.fromEntries(["kept", "unstored", ...rejectReasons].map((outcome) => [outcome, 0])) as Record<
		RejectReason | Exclude<HitFate, "rejected">,
		number
	>;
