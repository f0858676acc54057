import { createRandom, type Random, weighted } from "../../packages/server/src/features/collecting/seed/random.ts";
import { type BenchBrowser, browsers } from "./browsers.ts";

/** Target of hits. */
export interface HitTarget {
	readonly host: string;
	readonly siteId: string;
	readonly token: string;
}

interface Visitor {
	readonly address: string;
	readonly browser: BenchBrowser;
	readonly zone: string;
	page: string;
	referrer: string;
}

const zones = weighted<string>([
	["Europe/Madrid", 5],
	["Europe/Berlin", 4],
	["Europe/Paris", 3],
	["Europe/London", 2],
	["America/New_York", 2],
	["America/Mexico_City", 1],
	["Asia/Tokyo", 1],
	["Australia/Sydney", 0.5],
]);
const referrers = weighted<string>([
	["", 8],
	["https://www.google.com/", 8],
	["https://www.bing.com/", 1],
	["https://duckduckgo.com/", 1],
	["https://l.facebook.com/", 1],
	["https://chatgpt.com/", 1],
	["https://hikers.example/review/tents", 1],
]);
const ORIGIN = "https://shop.example";

/** `count` requests of `visitors` visitors who move from page to page, each visitor with an address and a browser of its own. */
export function buildRequests(target: HitTarget, count: number, visitors: number, seed = 1): Buffer[] {
	const random = createRandom(seed);
	const crowd = Array.from({ length: visitors }, (_, index) => newVisitor(random, index));
	return Array.from({ length: count }, (_, index) => {
		const visitor = crowd[index % visitors] ?? newVisitor(random, index);
		return buildRequest(target, visitor, nextHit(random, visitor, index));
	});
}

function newVisitor(random: Random, index: number): Visitor {
	const octets = [(index >> 16) & 255, (index >> 8) & 255, index & 255];
	const browser = browsers(random);
	return { address: `11.${octets.join(".")}`, browser, zone: zones(random), page: "", referrer: referrers(random) };
}

function nextHit(random: Random, visitor: Visitor, index: number): object {
	if (visitor.page === "") {
		visitor.page = `${ORIGIN}${randomPath(random)}${randomCampaign(random)}`;
		return { u: visitor.page, r: visitor.referrer };
	}
	const kind = random.next();
	if (kind < 0.02) return { u: visitor.page, r: visitor.referrer, ...purchase(random, index) };
	if (kind < 0.1) {
		return { u: visitor.page, r: visitor.referrer, e: "add_to_cart", m: 1, x: { sku: `P-${random.below(300)}` } };
	}
	visitor.referrer = visitor.page;
	visitor.page = `${ORIGIN}${randomPath(random)}`;
	return { u: visitor.page, r: visitor.referrer };
}

const sections = ["shop", "journal", "stores", "rental", "help"];

/** Few pages take most of the views, thousands the rest. */
const randomPath = (random: Random) =>
	random.chance(0.15) ? "/" : `/${sections[random.below(sections.length)]}/${Math.floor(3_000 * random.next() ** 3)}`;

function randomCampaign(random: Random): string {
	const kind = random.next();
	if (kind < 0.12) return `?gclid=${random.next().toString(36).slice(2)}${random.next().toString(36).slice(2)}`;
	if (kind > 0.3) return "";
	return `?utm_source=newsletter&utm_medium=email&utm_campaign=week-${random.below(40)}&utm_content=header`;
}

function purchase(random: Random, index: number): object {
	const items = Array.from({ length: 1 + random.below(3) }, () => ({ sku: `P-${random.below(300)}`, quantity: 1 }));
	return { e: "purchase", v: 19.9 + random.below(200), x: { order_id: `O-${index}`, items } };
}

/** One hit as a browser's beacon sends it. */
export function buildRequest(
	{ host, siteId, token }: HitTarget,
	{ address, browser, zone }: Pick<Visitor, "address" | "browser" | "zone">,
	hit: object,
): Buffer {
	const body = JSON.stringify({
		a: siteId,
		s: "0.8273645510293847",
		t: token,
		z: zone,
		c: 1_790_000_000_000,
		g: "",
		...hit,
	});
	const head = [
		"POST /event HTTP/1.1",
		`Host: ${host}`,
		"Connection: keep-alive",
		`Content-Length: ${Buffer.byteLength(body)}`,
		...browser.headers,
		"Content-Type: text/plain;charset=UTF-8",
		"Accept: */*",
		`Origin: ${ORIGIN}`,
		"Sec-Fetch-Site: cross-site",
		"Sec-Fetch-Mode: no-cors",
		"Sec-Fetch-Dest: empty",
		`Referer: ${ORIGIN}/`,
		"Accept-Encoding: gzip, deflate, br, zstd",
		"Accept-Language: es-ES,es;q=0.9,en;q=0.8",
		`X-Forwarded-For: ${address}`,
		"X-Forwarded-Proto: https",
	];
	return Buffer.from(`${head.join("\r\n")}\r\n\r\n${body}`);
}
