import { type ChannelRules, classifyChannel } from "../../../analytics/attribution/channel-rules.ts";
import { findClickIds } from "../../../analytics/attribution/click-ids.ts";
import { type PageAddress, parseQuery } from "../../../analytics/attribution/page-address.ts";
import {
	type AttributionSettings,
	type Entrance,
	type LiveSession,
	resolveAttribution,
} from "../../../analytics/attribution/resolve-attribution.ts";
import { beginTrail, extendTrail } from "../../../analytics/attribution/trail.ts";
import type { SessionDimensions } from "../../../analytics/model/event-row.ts";
import type { LocalHour } from "../../../analytics/model/site-clock.ts";
import type { VisitEvent } from "../../../analytics/model/visit-rows.ts";
import { DAY_MS } from "../../../platform/lib/durations.ts";
import { LruMap } from "../../../platform/lib/lru-map.ts";
import { type Agent, newSessionId, secondsBetween, visitorId } from "../visitors/index.ts";

export interface VisitSettings {
	readonly siteId: string;
	readonly importId: string;
	/** Random, of this import alone. */
	readonly salt: string;
	readonly timeoutMs: number;
	readonly attribution: AttributionSettings;
	readonly channelRules: ChannelRules | undefined;
}

interface PageView {
	readonly at: number;
	readonly when: LocalHour;
	readonly page: PageAddress;
	readonly referrer: PageAddress | undefined;
	readonly visitor: string;
	readonly userAgent: string;
	readonly judged: { readonly agent: Agent; readonly score: number; readonly flags: number };
}

interface Visit {
	readonly session: string;
	readonly dimensions: SessionDimensions;
	live: LiveSession;
	readonly entrance: LocalHour & { readonly ts: number };
	engaged: boolean;
	lastSeen: number;
}

/** More visits at a time than any log of one site has; beyond it the oldest begin anew. */
const MAX_VISITS = 500_000;
const CLICK_IDS = 100_000;
const CLICK_ID_MS = 30 * DAY_MS;
const NOTHING = Object.freeze({});

/** Makes visits of page views, by the rules of the collector, in the order in which the views come. */
export class Visits {
	readonly #settings: VisitSettings;
	#visits = new Map<string, Visit>();
	readonly #clickIds = new LruMap<string, number>(CLICK_IDS);
	#nextSweep = Number.NEGATIVE_INFINITY;

	constructor(settings: VisitSettings) {
		this.#settings = settings;
	}

	take(view: PageView): VisitEvent {
		const { at, page } = view;
		this.#sweep(at);
		const key = `${view.visitor}\n${view.userAgent}`;
		const found = this.#visits.get(key);
		const live = found !== undefined && this.#isLive(found, at) ? found : undefined;
		const decision = resolveAttribution({
			page,
			referrer: view.referrer,
			site: this.#settings.attribution,
			live: live?.live,
			isClickIdSeen: (id) => this.#isSeen(id, at),
		});
		if (page.query !== "") this.#remember(page.query, at);
		if (decision.kind === "continue" && live !== undefined) return this.#goOn(view, live);
		if (decision.kind === "continue") throw new Error("a visit that is not there cannot go on");
		const visit = this.#begin(view, decision, found);
		this.#visits.set(key, visit);
		return this.#event(view, visit, {
			isEntrance: true,
			rejoined: decision.rejoined,
			secondsSince: 0,
			engages: undefined,
		});
	}

	#begin({ at, when, page, referrer, visitor, userAgent, judged }: PageView, decision: Entrance, found?: Visit): Visit {
		const { siteId, salt, channelRules } = this.#settings;
		const { kind: _kind, rejoined: _rejoined, ...source } = decision;
		const number = visitorId(`${salt}\n${when.date}`, siteId, visitor, userAgent);
		const { device, browser, os } = judged.agent;
		const touch = { source: source.utm_source, medium: source.utm_medium, campaign: source.utm_campaign };
		const dimensions: SessionDimensions = {
			...source,
			landing_path: page.path,
			landing_group: "",
			country: "Unknown",
			device,
			browser,
			os,
			channel: classifyChannel(touch, channelRules),
		};
		return {
			session: newSessionId(number, at, found?.session),
			dimensions,
			live: { ...source, trail: beginTrail(page, referrer, this.#settings.attribution.utmMappings) },
			entrance: { ...when, ts: at },
			engaged: false,
			lastSeen: at,
		};
	}

	#goOn(view: PageView, visit: Visit): VisitEvent {
		const engages = visit.engaged ? undefined : visit.entrance;
		const secondsSince = secondsBetween(visit.lastSeen, view.at);
		visit.engaged = true;
		visit.lastSeen = Math.max(visit.lastSeen, view.at);
		const trail = extendTrail(visit.live.trail, view.page, this.#settings.attribution.utmMappings);
		if (trail !== visit.live.trail) visit.live = { ...visit.live, trail };
		return this.#event(view, visit, { isEntrance: false, rejoined: false, secondsSince, engages });
	}

	#event(
		{ at, when, page, judged }: PageView,
		{ session, dimensions }: Visit,
		of: Pick<VisitEvent, "isEntrance" | "rejoined" | "secondsSince" | "engages">,
	): VisitEvent {
		return {
			site: this.#settings.siteId,
			...when,
			ts: at,
			session,
			dimensions,
			kind: "pageview",
			path: page.path,
			contentGroup: "",
			eventType: "",
			amount: 0,
			properties: NOTHING,
			botScore: judged.score,
			botFlags: judged.flags,
			...of,
			importId: this.#settings.importId,
		};
	}

	/** Lines are written when a request ends, a little out of order; files that were put together may go back by days. */
	#isLive({ lastSeen }: Visit, at: number): boolean {
		return Math.abs(at - lastSeen) < this.#settings.timeoutMs;
	}

	/** Forgets visits that are over, with the addresses that they are known by. */
	#sweep(at: number): void {
		const { timeoutMs } = this.#settings;
		const isFull = this.#visits.size >= MAX_VISITS;
		if (!isFull && at < this.#nextSweep && at > this.#nextSweep - 2 * timeoutMs) return;
		this.#nextSweep = at + timeoutMs / 2;
		for (const [key, visit] of this.#visits) {
			if (!this.#isLive(visit, at)) this.#visits.delete(key);
		}
		if (this.#visits.size < MAX_VISITS) return;
		let left = MAX_VISITS / 2;
		for (const key of this.#visits.keys()) {
			if (left-- <= 0) break;
			this.#visits.delete(key);
		}
	}

	#isSeen(id: string, at: number): boolean {
		const seen = this.#clickIds.get(id);
		return seen !== undefined && Math.abs(at - seen) < CLICK_ID_MS;
	}

	#remember(query: string, at: number): void {
		for (const { value } of findClickIds(parseQuery(query))) this.#clickIds.set(value, at);
	}
}
