import { parsePageAddress, parseReferrer } from "../../../analytics/attribution/page-address.ts";
import { type AttributionSettings, resolveAttribution } from "../../../analytics/attribution/resolve-attribution.ts";
import { LruMap } from "../../../platform/lib/lru-map.ts";
import type { Arrival, ImportedSum } from "./formats/format.ts";

const REMEMBERED = 20_000;

/** Attribution of arrivals by the rules for hits; no dimensions for a page that has no address. */
export function arrivals(site: AttributionSettings): (arrival: Arrival) => ImportedSum["dimensions"] {
	const known = new LruMap<string, ImportedSum["dimensions"]>(REMEMBERED);
	return (arrival) => {
		const key = `${arrival.page}\n${arrival.referrer}`;
		const before = known.get(key);
		if (before !== undefined) return before;
		const dimensions = dimensionsOf(arrival, site);
		known.set(key, dimensions);
		return dimensions;
	};
}

function dimensionsOf(arrival: Arrival, site: AttributionSettings): ImportedSum["dimensions"] {
	const page = parsePageAddress(arrival.page);
	if (page === undefined) return {};
	const referrer = parseReferrer(arrival.referrer);
	const decided = resolveAttribution({ page, referrer, site, live: undefined, isClickIdSeen: () => false });
	if (decided.kind === "continue") return {};
	const { utm_source, utm_medium, utm_campaign, utm_term, utm_content } = decided;
	return { referrer: decided.referrer, utm_source, utm_medium, utm_campaign, utm_term, utm_content };
}
