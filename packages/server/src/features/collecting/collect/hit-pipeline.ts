import { hash, randomBytes } from "node:crypto";
import { paymentPages } from "../../../analytics/attribution/payment-pages.ts";
import type { EventStore } from "../../../platform/event-store/event-store.ts";
import type { Clock } from "../../../platform/lib/clock.ts";
import { DAY_MS } from "../../../platform/lib/durations.ts";
import { describeCause } from "../../../platform/log/describe-cause.ts";
import type { Log } from "../../../platform/log/log.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import type { SiteDirectory } from "../../tenancy/sites/index.ts";
import type { AttributionDirectory } from "../attribution-settings/index.ts";
import type { CollectContext, Outcome } from "./collect-context.ts";
import { walk } from "./collect-steps.ts";
import { EventQuota } from "./event-quota.ts";
import { Hit, type HitFate, type HitRequest, type RejectReason, rejectReasons } from "./hit.ts";
import { abandon } from "./keep-hit.ts";
import { FloodGuard, NewcomerGuard } from "./minute-guards.ts";
import { RejectionLog } from "./rejection-log.ts";
import type { SessionStore } from "./sessions/session-store.ts";
import type { Spool } from "./spool/spool.ts";
import { TokenCheck } from "./token.ts";
import { VisitorSalts } from "./visitor-salts.ts";

/** Hits that are looked at together, and after how many of them they are judged. */
const WINDOW = 1000;
const ENOUGH = 100;
/** More user agents than a household has. */
const MANY_AGENTS = 5;
const ALMOST_ALL = 0.9;

/**
 * Finds out whether almost all hits come from addresses that many visitors share, as when a proxy does not pass on where requests come
 * from. Addresses are held as digests alone, and no longer than a day.
 */
class SharedAddresses {
	#key = "";
	#since = 0;
	#hits = 0;
	#addresses = new Map<string, { hits: number; readonly agents: Set<string> }>();
	/** True when almost all hits so far have one address, or a few. */
	isShared = false;
	#toldAt = Number.NEGATIVE_INFINITY;

	/** Notes a hit of a visitor; true when it shows this, once a day. */
	note(ip: string, userAgent: string, now: number): boolean {
		if (this.#hits === 0 || this.#hits === WINDOW || now - this.#since > DAY_MS) this.#begin(now);
		const digest = hash("sha256", `${this.#key}\n${ip}`);
		const address = this.#addresses.get(digest) ?? { hits: 0, agents: new Set() };
		this.#addresses.set(digest, address);
		address.hits++;
		if (address.agents.size < MANY_AGENTS) address.agents.add(userAgent.slice(0, 200));
		this.#hits++;
		if (this.#hits % ENOUGH !== 0) return false;
		const shared = this.#addresses.values().filter(({ agents }) => agents.size === MANY_AGENTS);
		this.isShared = shared.reduce((sum, { hits }) => sum + hits, 0) >= this.#hits * ALMOST_ALL;
		if (!this.isShared || now - this.#toldAt < DAY_MS) return false;
		this.#toldAt = now;
		return true;
	}

	#begin(now: number): void {
		this.#key = randomBytes(16).toString("base64");
		this.#since = now;
		this.#hits = 0;
		this.#addresses = new Map();
	}
}

export interface PipelineDeps {
	readonly clock: Clock;
	readonly log: Log;
	readonly metadata: Metadata;
	readonly store: Pick<EventStore, "query">;
	readonly sites: SiteDirectory;
	readonly attribution: Pick<AttributionDirectory, "get">;
	readonly sessions: SessionStore;
	/** Any of them keys the tokens that tracker scripts carry. */
	readonly secrets: readonly string[];
	/** How long a session lives without a hit, ms. */
	readonly sessionTimeoutMs: number;
	/** Visits a minute that may begin at one address; 0 = no limit. */
	readonly newVisitsPerAddress: number;
	/** Largest amount of a conversion, of either sign. */
	readonly maxAmount: number;
	/** Payment pages beyond the bundled ones. */
	readonly paymentDomains: readonly string[];
}

/** Takes hits: checks them, books them under their visits and hands their rows to the spool. */
export class HitPipeline {
	readonly rejections = new RejectionLog();
	readonly salts: VisitorSalts;
	readonly quota: EventQuota;
	readonly outcomes: Record<RejectReason | Exclude<HitFate, "rejected">, number> = noneYet();
	readonly addresses = new SharedAddresses();
	readonly #log: Log;
	readonly #context: CollectContext;

	constructor(deps: PipelineDeps, spool: Pick<Spool, "accepts" | "append">) {
		this.#log = deps.log;
		this.salts = new VisitorSalts({
			...deps,
			onError: () => deps.log.warn({}, "the salts of visitor ids could not be read"),
		});
		this.quota = new EventQuota(deps);
		this.#context = {
			sites: deps.sites,
			attribution: deps.attribution,
			sessions: deps.sessions,
			salts: this.salts,
			quota: this.quota,
			tokens: new TokenCheck(deps.secrets),
			flood: new FloodGuard(),
			newcomers: new NewcomerGuard(deps.newVisitsPerAddress),
			paymentPages: paymentPages(deps.paymentDomains),
			maxAmount: deps.maxAmount,
			spool,
			rejections: this.rejections,
			// Sessions are put back under the ids of the day on which they began.
			restoredUntil: deps.clock.now() + DAY_MS,
			sessionTimeoutMs: deps.sessionTimeoutMs,
		};
	}

	/** Sends a hit on its way; `settled` is called once, when its fate is certain. */
	take(request: HitRequest, settled: (fate: HitFate) => void): void {
		const hit = new Hit(request, (fate) => {
			if (fate !== "rejected") this.outcomes[fate] += 1;
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

	#end(hit: Hit, outcome: Outcome): void {
		// Of a hit that is kept the spool says when it is safe.
		if (outcome === "kept") return;
		if (outcome === "unstored") hit.settle("unstored");
		else if (outcome === undefined) throw new Error("the way of a hit has no end");
		else {
			this.outcomes[outcome] += 1;
			this.rejections.reject(hit.siteId, outcome, hit.origin, hit.request.receivedAt);
			hit.settle("rejected");
		}
	}

	#noteAddress({ score, site, request: { ip, userAgent, receivedAt } }: Hit): void {
		if (score > site.botThreshold || !this.addresses.note(ip, userAgent, receivedAt)) return;
		this.#log.warn(
			{ setting: "TRUST_PROXY" },
			"Almost all hits have one address, or a few: visitors with the same browser count as one. A proxy or network in front does not pass on " +
				"where requests come from: have it set X-Forwarded-For, and name all of its addresses in TRUST_PROXY",
		);
	}

	#fail(hit: Hit, error: unknown): void {
		this.#log.error({ cause: describeCause(error) }, "a hit could not be processed");
		abandon(hit, this.#context);
	}
}

/** Every outcome from the start on, so that a first one shows as a rise. */
const noneYet = (): HitPipeline["outcomes"] =>
	Object.fromEntries(["kept", "unstored", ...rejectReasons].map((outcome) => [outcome, 0])) as HitPipeline["outcomes"];
