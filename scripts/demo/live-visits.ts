import { connect } from "node:net";
import { browsers } from "../../bench/support/browsers.ts";
import { buildRequest, type HitTarget } from "../../bench/support/hits.ts";
import { drawPage } from "../../packages/server/src/features/collecting/seed/demo-pages.ts";
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

/** Most people look at a few pages and go. */
const STAYS = 0.75;
const EVENT_SHARE = 0.12;
const PURCHASE_SHARE = 0.03;
/** Between two hits, on average, ms. */
const GAP_MS = 900;

/** Lets visitors come, look around and buy, about one hit a second, until it is called. */
export function startLiveVisits(port: number, target: HitTarget): () => void {
	const random = createRandom(Date.now());
	const socket = connect(port, "127.0.0.1");
	// Answers are of no interest, but they have to be read.
	socket.resume();
	socket.on("error", () => {});
	const crowd: LiveVisitor[] = [];
	let made = 0;
	let timer: NodeJS.Timeout;
	const hit = () => {
		if (crowd.length < 4 || random.chance(0.4)) crowd.push(newVisitor(random, made++));
		const at = random.below(crowd.length);
		const visitor = crowd[at];
		if (visitor !== undefined) {
			if (socket.writable) socket.write(buildRequest(target, visitor, nextHit(random, visitor)));
			if (!random.chance(STAYS)) crowd.splice(at, 1);
		}
		timer = setTimeout(hit, random.exponential(GAP_MS));
	};
	hit();
	return () => {
		clearTimeout(timer);
		socket.destroy();
	};
}

interface LiveVisitor {
	readonly address: string;
	readonly browser: ReturnType<typeof browsers>;
	readonly zone: string;
	page: string;
	referrer: string;
}

function newVisitor(random: Random, index: number): LiveVisitor {
	const address = `198.18.${(index >> 8) & 255}.${index & 255}`;
	return { address, browser: browsers(random), zone: zones(random), page: "", referrer: referrers(random) };
}

const pages = drawPage(false);

function nextHit(random: Random, visitor: LiveVisitor): object {
	const { page, referrer } = visitor;
	if (page !== "" && random.chance(PURCHASE_SHARE)) {
		return {
			u: page,
			r: referrer,
			e: "purchase",
			v: 19.9 + random.below(120),
			x: { order_id: `O-${random.below(1e9)}` },
		};
	}
	if (page !== "" && random.chance(EVENT_SHARE)) return { u: page, r: referrer, e: eventTypes(random), m: 1 };
	if (page !== "") visitor.referrer = page;
	visitor.page = `${origin}${pages(random).path}`;
	return { u: visitor.page, r: visitor.referrer };
}
