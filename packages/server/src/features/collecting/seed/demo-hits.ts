import { classifyChannel } from "../../../analytics/attribution/channel-rules.ts";
import type { SessionDimensions } from "../../../analytics/model/event-row.ts";
import { localHour } from "../../../analytics/model/site-clock.ts";
import type { VisitEvent } from "../../../analytics/model/visit-rows.ts";
import type { SiteFacts } from "../../tenancy/sites/index.ts";
import { newSessionId, secondsBetween } from "../visitors/index.ts";
import { type DemoPage, type drawPage, productLines } from "./demo-pages.ts";
import { type DemoSource, drawCountry, drawSource, drawVisitor } from "./demo-visitors.ts";
import { byRank, type Random, weighted } from "./random.ts";

export interface DemoTraffic {
	readonly random: Random;
	readonly site: SiteFacts;
	readonly pages: ReturnType<typeof drawPage>;
	/** Many distinct campaigns. */
	readonly wild: boolean;
	/** Times of conversions so far: they are unique in a site. */
	readonly taken: Set<number>;
	/** Decides who comes back, apart from `random`: other figures stay as they are. */
	readonly returns: Random;
	readonly today: { date: string; visitors: number[] };
}

const MAX_VISITOR = 2 ** 47;
const PAGE_GAP_MS = 45_000;
const BOUNCE_SHARE = { desktop: 0.38, tablet: 0.42, mobile: 0.52, unknown: 0.4 } as const;
const ANOTHER_PAGE_SHARE = 0.68;
const MAX_PAGES = 25;
const MICRO_SHARE = 0.11;
const PURCHASE_SHARE = 0.016;
const SIGNUP_SHARE = 0.008;
const ANOTHER_ITEM_SHARE = 0.35;
/** Share of visits by somebody who was there before on that day. */
const RETURN_SHARE = 0.18;

const productOf = weighted(byRank(productLines, 0.7));
const microTypes = weighted(
	Object.entries({ scroll_75: 5, add_to_cart: 4, video_play: 2, store_locator: 1.5, newsletter_open: 1 }),
);
const coupons = weighted(Object.entries({ "": 8, WELCOME10: 1, SPRING15: 1 }));

/** The hits of one visit that begins at `start` (ms), in the order of their times. */
export function demoVisit(traffic: DemoTraffic, start: number): VisitEvent[] {
	const { random } = traffic;
	const source = drawSource(random, traffic.wild);
	const landing = traffic.pages(random);
	const visit = beginVisit(traffic, source, landing, start);
	const hits = [visit.view(landing, start)];
	let now = start;
	let page = landing;
	const isBounce = random.chance(BOUNCE_SHARE[visit.dimensions.device]);
	if (!isBounce) {
		do {
			now += 2_000 + Math.floor(random.exponential(PAGE_GAP_MS));
			page = traffic.pages(random);
			hits.push(visit.view(page, now));
			if (random.chance(MICRO_SHARE)) {
				now += 1_000 + random.below(20_000);
				hits.push(visit.event(page, now, "microconversion", microTypes(random), 0, { depth: hits.length }));
			}
		} while (hits.length < MAX_PAGES && random.chance(ANOTHER_PAGE_SHARE));
		if (random.chance(PURCHASE_SHARE * source.intent)) hits.push(purchase(traffic, visit, page, now + 30_000));
		else if (random.chance(SIGNUP_SHARE)) {
			hits.push(
				visit.event(page, now + 20_000, "conversion", "signup", 0, { plan: random.chance(0.8) ? "free" : "club" }),
			);
		}
	}
	return hits;
}

function purchase(traffic: DemoTraffic, visit: Visit, page: DemoPage, at: number): VisitEvent {
	const { random } = traffic;
	const items = [];
	do {
		const { sku, name, price } = productOf(random);
		items.push({ sku, name, price, quantity: random.chance(0.85) ? 1 : 2 });
	} while (items.length < 6 && random.chance(ANOTHER_ITEM_SHARE));
	const total = items.reduce((sum, item) => sum + item.price * item.quantity, 0);
	const order = `O-${random.below(1e9)}`;
	const properties = { order_id: order, coupon: coupons(random), items };
	return visit.event(page, at, "conversion", "purchase", Math.round(total * 100) / 100, properties);
}

type Visit = ReturnType<typeof beginVisit>;

function beginVisit(traffic: DemoTraffic, source: DemoSource, landing: DemoPage, start: number) {
	const { random, site } = traffic;
	const dimensions = dimensionsOf(random, source, landing);
	const entrance = { ...localHour(site.timezone, start), ts: start };
	const visitor = visitorOn(traffic, entrance.date, Math.floor(random.next() * MAX_VISITOR));
	const session = newSessionId(visitor, start, undefined);
	const base = { site: site.id, session, dimensions, botScore: 0, botFlags: 0, rejoined: false };
	let views = 0;
	let before = start;
	const at = ({ path, group }: DemoPage, ts: number) => {
		const secondsSince = secondsBetween(before, ts);
		before = ts;
		const plain = { ...base, isEntrance: false, engages: undefined };
		return { ...plain, ...localHour(site.timezone, ts), ts, path, contentGroup: group, secondsSince };
	};
	return {
		dimensions,
		view(page: DemoPage, ts: number): VisitEvent {
			views++;
			const engages = views === 2 ? entrance : undefined;
			const empty = { eventType: "", amount: 0, properties: {} };
			return { ...at(page, ts), ...empty, kind: "pageview", isEntrance: views === 1, engages };
		},
		event(
			page: DemoPage,
			ts: number,
			kind: "conversion" | "microconversion",
			eventType: string,
			amount: number,
			properties: Readonly<Record<string, unknown>>,
		): VisitEvent {
			const unique = kind === "conversion" ? uniqueTime(traffic.taken, ts) : ts;
			return { ...at(page, unique), kind, eventType, amount, properties };
		},
	};
}

/** A visitor of that day who comes back, or the new one. */
function visitorOn({ today, returns }: DemoTraffic, date: string, fresh: number): number {
	if (today.date !== date) Object.assign(today, { date, visitors: [] });
	const earlier = returns.chance(RETURN_SHARE) ? today.visitors[returns.below(today.visitors.length)] : undefined;
	if (earlier === undefined) today.visitors.push(fresh);
	return earlier ?? fresh;
}

function dimensionsOf(random: Random, source: DemoSource, landing: DemoPage): SessionDimensions {
	const { clickIdParam, intent: _, ...campaign } = source;
	return {
		...drawVisitor(random),
		...campaign,
		landing_path: landing.path,
		landing_group: landing.group,
		country: drawCountry(random),
		channel: channelOf(source.utm_source, source.utm_medium),
		clid: clickIdParam === "" ? "" : clickId(random),
	};
}

const channels = new Map<string, string>();

/** None of the demo's campaigns decides a channel, so source and medium are enough to remember it by. */
function channelOf(source: string, medium: string): string {
	const key = `${source}\n${medium}`;
	const known = channels.get(key);
	if (known !== undefined) return known;
	const channel = classifyChannel({ source, medium, campaign: "" });
	channels.set(key, channel);
	return channel;
}

function clickId(random: Random): string {
	let text = "Cj0KCQ";
	while (text.length < 54) text += random.next().toString(36).slice(2, 10);
	return text;
}

function uniqueTime(taken: Set<number>, at: number): number {
	let unique = at;
	while (taken.has(unique)) unique++;
	taken.add(unique);
	return unique;
}
