import type { EventStore } from "../../../platform/event-store/event-store.ts";
import type { Clock } from "../../../platform/lib/clock.ts";
import { DAY_MS } from "../../../platform/lib/durations.ts";
import { utcDay } from "../../../platform/lib/timestamp.ts";
import { rowSettings } from "../../catalog/projections.ts";

/** State of a site's tracker, from stored hits. */
export interface SiteActivity {
	/** Milliseconds since the Unix epoch; null for a site without hits. */
	readonly firstHitAt: number | null;
	readonly lastHitAt: number | null;
	/** Hits of the last 14 days. */
	readonly recentHits: number;
}

const WINDOW_MS = 14 * 24 * 60 * 60 * 1000;

// Imported rows came from elsewhere; engaged and item rows go with a hit that has a row of its own.
const hits = "site = {site:String} AND kind IN ('pageview', 'conversion', 'microconversion') AND import_id = ''";

// Read along the primary key, so that the first and the last row are found without a scan.
const edge = (direction: "ASC" | "DESC") => `
SELECT toUnixTimestamp64Milli(ts) AS at
FROM events
WHERE ${hits}
ORDER BY site ${direction}, date ${direction}, hour ${direction}, ts ${direction}
LIMIT 1`;

// The date only narrows the scan: it is local, up to a day away from the UTC date.
const recent = `
SELECT count() AS recent
FROM events
WHERE ${hits}
	AND date >= {day:Date}
	AND ts >= fromUnixTimestamp64Milli({since:Int64})`;

/** First and last hit of a site and its hits of the last 14 days; bot hits above the site's threshold are no hits. */
export async function siteActivity(
	deps: { readonly eventStore: EventStore; readonly clock: Pick<Clock, "now"> },
	site: string,
): Promise<SiteActivity> {
	const since = deps.clock.now() - WINDOW_MS;
	const day = utcDay(since - DAY_MS);
	const [first, last, counted] = await Promise.all([
		deps.eventStore.query<{ at: number }>({ sql: edge("ASC"), params: { site }, settings: rowSettings }),
		deps.eventStore.query<{ at: number }>({ sql: edge("DESC"), params: { site }, settings: rowSettings }),
		deps.eventStore.query<{ recent: number }>({ sql: recent, params: { site, since, day }, settings: rowSettings }),
	]);
	return {
		firstHitAt: first[0]?.at ?? null,
		lastHitAt: last[0]?.at ?? null,
		recentHits: counted[0]?.recent ?? 0,
	};
}
