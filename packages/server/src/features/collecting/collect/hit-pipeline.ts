import { hash, randomBytes } from "node:crypto";
import { paymentPages } from "../../../analytics/attribution/payment-pages.ts";
import { DAY_MS } from "../../../platform/lib/durations.ts";
import { describeCause } from "../../../platform/log/describe-cause.ts";
import type { Log } from "../../../platform/log/log.ts";
import type { CollectContext, Outcome, PipelineDeps } from "./collect-context.ts";
import { walk } from "./collect-steps.ts";
import { EventQuota } from "./event-quota.ts";
import { Hit, type HitFate, type HitRequest, type RejectReason, rejectReasons } from "./hit.ts";
import { abandon } from "./keep-hit.ts";
import { MinuteWindow, NewcomerGuard } from "./minute-guards.ts";
import { RejectionLog } from "./rejection-log.ts";
import type { Spool } from "./spool/spool.ts";
import { TokenCheck } from "./token.ts";
import { VisitorSalts } from "./visitor-salts.ts";

/** Hits that are looked at together, and after how many of them they are judged. */
const WINDOW = 1000;
const ENOUGH = 100;
/** More user agents than a household has. */
const MANY_AGENTS = 5;
const ALMOST_ALL = 0.9;

/** Detects that almost all hits share a few addresses, as behind a proxy that hides them. Holds digests of addresses, a day at most. */
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

/** Hits a minute that one visitor may send. */
const HITS_A_MINUTE = 300;

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
			...deps,
			salts: this.salts,
			quota: this.quota,
			tokens: new TokenCheck(deps.secrets),
			flood: new MinuteWindow(HITS_A_MINUTE),
			newcomers: new NewcomerGuard(deps.newVisitsPerAddress),
			paymentPages: paymentPages(deps.paymentDomains),
			spool,
			rejections: this.rejections,
			// Sessions are put back under the ids of the day on which they began.
			restoredUntil: deps.clock.now() + DAY_MS,
		};
	}

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
