import { createRandom } from "../../packages/server/src/features/collecting/seed/random.ts";
import { browsers } from "./browsers.ts";
import { buildRequest, type HitTarget } from "./hits.ts";

/** A hit, derived from its number alone, so that sender and counter agree. */
export interface NumberedHit {
	readonly number: number;
	readonly path: string;
	readonly visitor: number;
	/** The `utm_source` of a visitor's first hit, which is that of the visit; undefined for other hits, and for who comes directly. */
	readonly source: string | undefined;
	/** Amount, in quarters of a unit so that sums are exact; undefined for a page view. */
	readonly amount: number | undefined;
}

const PREFIX = "/hit/";
/** One hit in so many is a purchase. */
const PURCHASE_EVERY = 7;
const AMOUNTS = 40;
const SOURCES = ["newsletter", "partner", "ads", undefined];
const BROWSERS = 500;

const random = createRandom(7);
const kinds = Array.from({ length: BROWSERS }, () => browsers(random));

/** The hit of a number; visitors come in turn. */
export function numberedHit(number: number, visitors: number): NumberedHit {
	const isPurchase = number % PURCHASE_EVERY === PURCHASE_EVERY - 1;
	const visitor = number % visitors;
	return {
		number,
		path: `${PREFIX}${number}`,
		visitor,
		source: number < visitors ? SOURCES[visitor % SOURCES.length] : undefined,
		amount: isPurchase ? (1 + (number % AMOUNTS)) / 4 : undefined,
	};
}

/** The number of the hit with this path; undefined for any other. */
export function numberOfPath(path: string): number | undefined {
	const digits = path.startsWith(PREFIX) ? path.slice(PREFIX.length) : "";
	return /^\d+$/.test(digits) ? Number(digits) : undefined;
}

/** The request that sends a hit, of a visitor with an address of its own. */
export function numberedRequest(target: HitTarget, { path, visitor, source, amount }: NumberedHit): Buffer {
	const [browser = { headers: [] }] = kinds.slice(visitor % BROWSERS);
	const address = `12.${(visitor >> 16) & 255}.${(visitor >> 8) & 255}.${visitor & 255}`;
	const campaign = source === undefined ? "" : `?utm_source=${source}&utm_medium=link`;
	const page = { u: `https://shop.example${path}${campaign}`, r: "" };
	const hit = amount === undefined ? page : { ...page, e: "purchase", v: amount };
	return buildRequest(target, { address, browser, zone: "Europe/Madrid" }, hit);
}
