import { isCampaignParameter, type UtmMapping } from "./campaign.ts";
import { isClickIdParameter } from "./click-ids.ts";
import type { PageAddress } from "./page-address.ts";

/** Pages of a visit that are remembered; those seen for the first time longest ago are forgotten first. */
const MAX_PAGES = 50;
/** Further parameters that advertisers and newsletters add, and scripts clean off. */
const ADDED = /^(?:_gl|_ga|gad_\w+|gclsrc|srsltid|mc_[ce]id|igshid|igsh)$/;

/** Fingerprints, never texts, that distinguish a reload or a restored tab from another arrival. */
export interface Trail {
	/** The referrer that the visit arrived with. Null after a restart, when only the paths of its pages are known. */
	readonly referrer: number | null;
	/** The pages of the visit, without campaign and click ids, as a router may have cleaned them off. */
	readonly pages: readonly number[];
}

/** A trail of which nothing is known. */
export const noTrail: Trail = { referrer: null, pages: [] };

/** The trail of a visit that begins. */
export function beginTrail(
	page: PageAddress,
	referrer: PageAddress | undefined,
	mappings: readonly UtmMapping[],
): Trail {
	return { referrer: fingerprint(referrer?.text ?? ""), pages: [fingerprint(pageText(page, mappings))] };
}

/** The trail of a visit whose stored rows have these paths. */
export function restoreTrail(paths: readonly string[]): Trail {
	return { referrer: null, pages: paths.map(fingerprint) };
}

/** The trail with one more page; the same one when the page was seen before. */
export function extendTrail(trail: Trail, page: PageAddress, mappings: readonly UtmMapping[]): Trail {
	const seen = pageOn(trail, page, mappings);
	if (trail.pages.includes(seen)) return trail;
	return { referrer: trail.referrer, pages: [...trail.pages.slice(1 - MAX_PAGES), seen] };
}

/** True when the page was seen in the visit. */
export function isPageOn(trail: Trail, page: PageAddress, mappings: readonly UtmMapping[]): boolean {
	return trail.pages.includes(pageOn(trail, page, mappings));
}

/** True when the visit arrived with this referrer; after a restart, with one of the same host. */
export function isReferrerOf(trail: Trail, referrer: PageAddress | undefined, storedHost: string): boolean {
	if (trail.referrer === null) return (referrer?.host ?? "") === storedHost;
	return trail.referrer === fingerprint(referrer?.text ?? "");
}

const pageOn = (trail: Trail, page: PageAddress, mappings: readonly UtmMapping[]) =>
	fingerprint(trail.referrer === null ? page.path : pageText(page, mappings));

function pageText({ host, path, query }: PageAddress, mappings: readonly UtmMapping[]): string {
	if (query === "") return host + path;
	const isKept = (pair: string) => {
		const name = pair.split("=", 1)[0] ?? "";
		return !isCampaignParameter(name, mappings) && !isClickIdParameter(name) && !ADDED.test(name);
	};
	const kept = query.split("&").filter(isKept).join("&");
	return kept === "" ? host + path : `${host}${path}?${kept}`;
}

/**
 * A 53-bit number for a text: enough to tell those of one visit apart without keeping them. Not a cryptographic hash, and
 * never stored in the event store.
 */
function fingerprint(text: string): number {
	// cyrb53 (public domain): two 32-bit multiply-xor lanes.
	let low = 0xdeadbeef;
	let high = 0x41c6ce57;
	for (let at = 0; at < text.length; at++) {
		const code = text.charCodeAt(at);
		low = Math.imul(low ^ code, 2654435761);
		high = Math.imul(high ^ code, 1597334677);
	}
	low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
	high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909);
	return 4294967296 * (2097151 & high) + (low >>> 0);
}
