import { connect } from "node:net";
import { browsers } from "../../bench/support/browsers.ts";
import { buildRequest, type HitTarget } from "../../bench/support/hits.ts";
import { type DemoPage, drawPage } from "../../packages/server/src/features/collecting/seed/demo-pages.ts";
import { createRandom, type Random, weighted } from "../../packages/server/src/features/collecting/seed/random.ts";

const origin = "https://shop.example";
const zones = weighted<string>([
	["Europe/Madrid", 6],
	["Europe/Berlin", 4],
	["Europe/Paris", 3],
	["Europe/Rome", 2],
	["Europe/London", 2],
	["America/New_York", 1],
]);
const referrers = weighted<string>([
	["https://www.google.com/", 8],
	["", 6],
	["https://www.bing.com/", 1],
	["https://chatgpt.com/", 1],
	["https://l.facebook.com/", 1],
]);
const eventTypes = weighted<string>([
	["scroll_75", 5],
	["add_to_cart", 4],
	["video_play", 2],
]);

/** Visits that begin in a minute at noon. */
const VISITS_A_MINUTE = 2;
/** The same by hour of the shop's day, of those at noon. */
const hourShares = [
	0.2, 0.12, 0.1, 0.1, 0.1, 0.15, 0.3, 0.5, 0.75, 0.9, 0.95, 1, 1, 0.95, 0.9, 0.9, 0.9, 0.95, 1, 1.1, 1.2, 1.15, 0.9,
	0.5,
];
const STAYS = 0.68;
const EVENT_SHARE = 0.12;
const PURCHASE_SHARE = 0.008;
/** Between two hits of a visit, on average, ms. */
const PAGE_GAP_MS = 25_000;
/** Share of visits by somebody who was there before on that day. */
const RETURNS = 0.25;
/** A visit ends after 30 minutes. */
const VISIT_MS = 30 * 60_000;

interface LiveVisitor {
	readonly address: string;
	readonly browser: ReturnType<typeof browsers>;
	readonly zone: string;
	page: DemoPage | undefined;
	referrer: string;
	seenAt: number;
}

/** Lets visitors come by the hour of the shop's day, look around, buy and come back, until it is called. */
export function startLiveVisits(port: number, target: HitTarget, timezone: string): () => void {
	const random = createRandom(Date.now());
	const socket = connect(port, "127.0.0.1");
	// Answers are of no interest, but they have to be read.
	socket.resume();
	socket.on("error", () => {});
	const timers = new Set<NodeJS.Timeout>();
	const after = (ms: number, run: () => void) => {
		const timer = setTimeout(() => {
			timers.delete(timer);
			run();
		}, ms);
		timers.add(timer);
	};
	const known: LiveVisitor[] = [];
	const enter = (): LiveVisitor => {
		const index = known.findIndex(({ seenAt }) => Date.now() - seenAt > VISIT_MS);
		const returning = index >= 0 && random.chance(RETURNS) ? known.splice(index, 1)[0] : undefined;
		const visitor = returning ?? newVisitor(random);
		visitor.page = undefined;
		known.push(visitor);
		return visitor;
	};
	const move = (visitor: LiveVisitor) => {
		visitor.seenAt = Date.now();
		if (socket.writable) socket.write(buildRequest(target, visitor, nextHit(random, visitor)));
		if (random.chance(STAYS)) after(random.exponential(PAGE_GAP_MS), () => move(visitor));
	};
	const come = () => {
		move(enter());
		const { hour } = Temporal.Now.zonedDateTimeISO(timezone);
		after(random.exponential(60_000 / (VISITS_A_MINUTE * (hourShares[hour] ?? 1))), come);
	};
	come();
	return () => {
		for (const timer of timers) clearTimeout(timer);
		socket.destroy();
	};
}

const newVisitor = (random: Random): LiveVisitor => ({
	address: `198.18.${random.below(256)}.${1 + random.below(254)}`,
	browser: browsers(random),
	zone: zones(random),
	page: undefined,
	referrer: referrers(random),
	seenAt: 0,
});

const pages = drawPage(false);
const addressOf = ({ path }: DemoPage): string => `${origin}${path}`;

function nextHit(random: Random, visitor: LiveVisitor): object {
	const { page, referrer } = visitor;
	if (page !== undefined) {
		const here = { u: addressOf(page), g: page.group, r: referrer };
		if (random.chance(PURCHASE_SHARE)) {
			return { ...here, e: "purchase", v: 19.9 + random.below(120), x: { order_id: `O-${random.below(1e9)}` } };
		}
		if (random.chance(EVENT_SHARE)) return { ...here, e: eventTypes(random), m: 1 };
		visitor.referrer = here.u;
	}
	visitor.page = pages(random);
	return { u: addressOf(visitor.page), g: visitor.page.group, r: visitor.referrer };
}
