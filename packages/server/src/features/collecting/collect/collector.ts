import { join } from "node:path";
import { paymentPages } from "../../../analytics/attribution/payment-pages.ts";
import { SUSPICIOUS_ABOVE } from "../../../analytics/model/bot-flags.ts";
import { encodeEventRow } from "../../../analytics/model/event-tsv.ts";
import type { EventStore } from "../../../platform/event-store/event-store.ts";
import type { Clock } from "../../../platform/lib/clock.ts";
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
import { restoreClickIds, restoreSessions } from "./restore-sessions.ts";
import type { SessionStore } from "./sessions/session-store.ts";
import { Loader } from "./spool/loader.ts";
import { Spool, type SpoolState } from "./spool/spool.ts";
import { TokenCheck } from "./token-check.ts";
import { VisitorSalts } from "./visitor-salts.ts";

const SALT_CHECK_MS = 5 * 60_000;
/** How long the start waits for rows of an earlier run to reach the event store. */
const DRAIN_MS = 10_000;

/** What the collector stands on. */
export interface CollectorDeps {
	readonly clock: Clock;
	readonly log: Log;
	readonly metadata: Metadata;
	readonly store: EventStore;
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
	/** Called after hits reached the event store, with their sites where these are known. */
	readonly onStored?: (sites: ReadonlySet<string> | "all") => void;
}

/** Whether a hit is safe: `kept` (counted, or kept for the bot statistics), `rejected`, or `unstored`: to be sent again. */
export type HitFate = "kept" | "rejected" | "unstored";

/** Takes hits, books them under their sessions and makes their rows durable. */
export class Collector {
	readonly rejections = new RejectionLog();
	readonly #deps: CollectorDeps;
	readonly #context: CollectContext;
	readonly #spool: Spool;
	readonly #loader: Loader;
	#saltTimer: NodeJS.Timeout | undefined;

	private constructor(deps: CollectorDeps, spool: Spool) {
		this.#deps = deps;
		this.#spool = spool;
		this.#loader = new Loader({ spool, store: deps.store, log: deps.log, onStored: deps.onStored ?? (() => {}) });
		this.#context = {
			sites: deps.sites,
			attribution: deps.attribution,
			sessions: deps.sessions,
			salts: new VisitorSalts(deps),
			quota: new EventQuota(deps),
			tokens: new TokenCheck(deps.secrets),
			flood: new FloodGuard(),
			paymentPages: paymentPages(deps.paymentDomains),
		};
	}

	/** Opens the spool, finishes what an earlier run began and puts its live sessions back. */
	static async open(deps: CollectorDeps): Promise<Collector> {
		const directory = join(deps.dataDir, "spool");
		const spool = await Spool.open({ directory, maxBytes: deps.spoolMaxBytes, log: deps.log });
		const collector = new Collector(deps, spool);
		await collector.#start();
		return collector;
	}

	/** Bytes of hits that wait for the event store. */
	get waitingBytes(): number {
		return this.#spool.waitingBytes;
	}

	/** How the spool stands. */
	get spoolState(): SpoolState {
		return this.#spool.state;
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

	/** Makes everything durable and ends; what did not reach the event store waits for the next start. */
	async close(): Promise<void> {
		clearInterval(this.#saltTimer);
		await this.#spool.flush();
		if (!this.#loader.isRefused) await this.#loader.flush();
		await this.#loader.stop();
		await this.#spool.close();
	}

	async #start(): Promise<void> {
		const { deps, now } = { deps: this.#deps, now: this.#deps.clock.now() };
		await this.#context.salts.refresh();
		this.#saltTimer = setInterval(() => this.#refreshSalts(), SALT_CHECK_MS);
		this.#loader.start();
		const restore = { store: deps.store, sessions: deps.sessions, timeoutMs: deps.sessionTimeoutMs };
		try {
			const isDrained = await this.#drained();
			await restoreClickIds(restore, now);
			if (isDrained) await restoreSessions(restore, now);
			else
				deps.log.warn(
					{ bytes: this.#spool.waitingBytes },
					"hits of an earlier run still wait; running sessions begin anew",
				);
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
			await this.#context.salts.refresh();
		} catch {
			this.#deps.log.warn({}, "the salts of visitor ids could not be read");
		}
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
		this.#spool.append(hit.site.id, events, botHit, rows + (botHit === "" ? 0 : 1), (error) => {
			if (error === undefined) {
				this.rejections.accept(hit.site.id, hit.request.receivedAt);
				settled("kept");
				return;
			}
			// The session as this hit left it is not what is stored; the next hit begins another.
			Promise.resolve(this.#context.sessions.forget(hit.visitor)).catch(() => {});
			settled("unstored");
		});
	}

	#reject(hit: Hit, reason: RejectReason): void {
		this.rejections.reject(hit.site.id, reason, hit.page.host, hit.request.receivedAt);
	}
}
