import { join } from "node:path";
import { paymentPages } from "../../../analytics/attribution/payment-pages.ts";
import { SUSPICIOUS_ABOVE } from "../../../analytics/model/bot-flags.ts";
import { encodeEventRow } from "../../../analytics/model/event-tsv.ts";
import type { EventStore } from "../../../platform/event-store/event-store.ts";
import type { Clock } from "../../../platform/lib/clock.ts";
import { within } from "../../../platform/lib/within.ts";
import { describeCause } from "../../../platform/log/describe-cause.ts";
import type { Log } from "../../../platform/log/log.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import type { SiteDirectory } from "../../accounts/sites/index.ts";
import type { AttributionDirectory } from "../attribution-settings/index.ts";
import { botHitLine } from "./bot-hit.ts";
import type { CollectContext, CollectStep, Outcome } from "./collect-context.ts";
import { bookSteps, checkSteps } from "./collect-steps.ts";
import { EventQuota } from "./event-quota.ts";
import { eventRows } from "./event-rows.ts";
import { FloodGuard } from "./flood-guard.ts";
import { type Hit, type HitRequest, newHit } from "./hit.ts";
import type { RejectReason } from "./rejection.ts";
import { RejectionLog } from "./rejection-log.ts";
import { restoreInTime } from "./restore-in-time.ts";
import type { SessionStore } from "./sessions/session-store.ts";
import { LoadJournal } from "./spool/load-journal.ts";
import { Loader } from "./spool/loader.ts";
import { Spool } from "./spool/spool.ts";
import { TokenCheck } from "./token-check.ts";
import { VisitorSalts } from "./visitor-salts.ts";

const SALT_CHECK_MS = 5 * 60_000;
/** How long the end waits for an event store; what it does not take in time is taken at the next start. */
const LAST_LOAD_MS = 1000;

/** What the collector stands on. */
export interface CollectorDeps {
	readonly clock: Clock;
	readonly log: Log;
	readonly metadata: Metadata;
	readonly store: EventStore;
	/** Resolves when the event store can be asked. */
	readonly storeReady: Promise<void>;
	readonly sites: SiteDirectory;
	readonly attribution: Pick<AttributionDirectory, "get">;
	readonly sessions: SessionStore;
	/** Any of them keys the tokens that tracker scripts carry. */
	readonly secrets: readonly string[];
	readonly dataDir: string;
	/** Hits are refused while this many bytes wait for the event store. */
	readonly spoolMaxBytes: number;
	/** How long a session lives without a hit, ms. */
	readonly sessionTimeoutMs: number;
	/** Payment pages beyond the bundled ones. */
	readonly paymentDomains: readonly string[];
}

/** Whether a hit is safe: `kept` (counted, or kept for the bot statistics), `rejected`, or `unstored`: to be sent again. */
export type HitFate = "kept" | "rejected" | "unstored";

/** Takes hits, books them under their sessions and makes their rows durable. */
export class Collector {
	readonly rejections = new RejectionLog();
	readonly #deps: CollectorDeps;
	readonly #context: CollectContext;
	readonly #spool: Spool;
	readonly #journal: LoadJournal;
	readonly #loader: Loader;
	readonly #ending = new AbortController();
	#saltTimer: NodeJS.Timeout | undefined;
	#restored: Promise<void> = Promise.resolve();

	private constructor(deps: CollectorDeps, spool: Spool, journal: LoadJournal) {
		this.#deps = deps;
		this.#spool = spool;
		this.#journal = journal;
		this.#loader = new Loader({ spool, journal, store: deps.store, log: deps.log });
		this.#context = {
			sites: deps.sites,
			attribution: deps.attribution,
			sessions: deps.sessions,
			salts: new VisitorSalts({
				...deps,
				onError: () => deps.log.warn({}, "the salts of visitor ids could not be read"),
			}),
			quota: new EventQuota(deps),
			tokens: new TokenCheck(deps.secrets),
			flood: new FloodGuard(),
			paymentPages: paymentPages(deps.paymentDomains),
		};
	}

	/** Opens the spool and begins to finish what an earlier run left: `restored` tells when hits may be taken. */
	static async open(deps: CollectorDeps): Promise<Collector> {
		const directory = join(deps.dataDir, "spool");
		const spool = await Spool.open({ directory, maxBytes: deps.spoolMaxBytes });
		const collector = new Collector(deps, spool, await LoadJournal.open(directory));
		try {
			await collector.#start();
			return collector;
		} catch (error) {
			await collector.close();
			throw error;
		}
	}

	/** Resolves when the sessions of an earlier run are back, or the event store has taken too long. Never rejects. */
	get restored(): Promise<void> {
		return this.#restored;
	}

	/** Bytes of hits that wait for the event store. */
	get waitingBytes(): number {
		return this.#spool.bytes;
	}

	/** False while the spool has no room for hits. */
	get accepts(): boolean {
		return this.#spool.accepts;
	}

	/** Sends a hit on its way; `settled` is called once, when its fate is certain. */
	take(request: HitRequest, settled: (fate: HitFate) => void): void {
		if (!this.#spool.accepts) {
			settled("unstored");
			return;
		}
		const hit = newHit(request);
		const failed = (error: unknown) => {
			this.#deps.log.error({ cause: describeCause(error) }, "a hit could not be processed");
			settled("unstored");
		};
		try {
			const outcome = this.#walk(hit, checkSteps);
			if (outcome instanceof Promise) outcome.then((reason) => this.#checked(hit, reason, settled)).catch(failed);
			else this.#checked(hit, outcome, settled)?.catch(failed);
		} catch (error) {
			failed(error);
		}
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

	/** Makes everything durable and ends; what does not reach the event store within a second waits for the next start. */
	async close(): Promise<void> {
		this.#ending.abort();
		clearInterval(this.#saltTimer);
		await this.#spool.flush();
		await within(
			LAST_LOAD_MS,
			this.#loader.flush().then(() => this.#loader.stop()),
		);
		// Begins nothing more, also when the step at hand still waits for its answer.
		void this.#loader.stop();
		await this.#spool.close();
		await this.#journal.close();
	}

	async #start(): Promise<void> {
		await this.#context.salts.refresh();
		this.#saltTimer = setInterval(() => void this.#context.salts.refresh(), SALT_CHECK_MS).unref();
		this.#loader.start();
		const restoring = { ...this.#deps, loader: this.#loader, timeoutMs: this.#deps.sessionTimeoutMs };
		this.#restored = restoreInTime({ ...restoring, ending: this.#ending.signal }, this.#deps.clock.now());
	}

	/** Runs the steps in order; goes asynchronous only where a step does. */
	#walk(hit: Hit, steps: readonly CollectStep[], from = 0): Outcome | Promise<Outcome> {
		for (let index = from; index < steps.length; index++) {
			const outcome = steps[index]?.(hit, this.#context);
			if (outcome instanceof Promise) {
				return outcome.then((reason) => reason ?? this.#walk(hit, steps, index + 1));
			}
			if (outcome !== undefined) return outcome;
		}
		return undefined;
	}

	#checked(hit: Hit, reason: Outcome, settled: (fate: HitFate) => void): Promise<void> | undefined {
		if (reason !== undefined) {
			this.#reject(hit, reason);
			settled("rejected");
			return undefined;
		}
		if (hit.score > hit.site.botThreshold) {
			this.#append(hit, "", 0, settled);
			return undefined;
		}
		const booked = this.#walk(hit, bookSteps);
		if (booked instanceof Promise) return booked.then(() => this.#book(hit, settled));
		this.#book(hit, settled);
		return undefined;
	}

	#book(hit: Hit, settled: (fate: HitFate) => void): void {
		if (hit.change === undefined) throw new Error("a hit without a session cannot be booked");
		const rows = eventRows(hit, hit.change);
		this.#context.quota.count(hit.site);
		this.#append(hit, rows.map(encodeEventRow).join(""), rows.length, settled);
	}

	#append(hit: Hit, events: string, rows: number, settled: (fate: HitFate) => void): void {
		const counted = rows > 0;
		const botHit = hit.score > SUSPICIOUS_ABOVE || !counted ? botHitLine(hit, counted) : "";
		this.#spool.append(events, botHit, rows + (botHit === "" ? 0 : 1), (error) => {
			if (error === undefined) {
				this.rejections.accept(hit.site.id, hit.request.receivedAt);
				settled("kept");
				return;
			}
			// The session as this hit left it is not what is stored; the next hit begins another.
			const held = hit.change?.session;
			if (held) Promise.resolve(this.#context.sessions.putBack(hit.visitor, held, undefined)).catch(() => {});
			settled("unstored");
		});
	}

	#reject(hit: Hit, reason: RejectReason): void {
		this.rejections.reject(hit.site.id, reason, hit.page.host, hit.request.receivedAt);
	}
}
