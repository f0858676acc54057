import type { EventStore } from "../../../platform/event-store/event-store.ts";
import type { Clock } from "../../../platform/lib/clock.ts";
import { DAY_MS } from "../../../platform/lib/durations.ts";
import { utcDay } from "../../../platform/lib/timestamp.ts";
import { withoutImports } from "../../catalog/filters.ts";
import { projectionSettings, rowSettings } from "../../catalog/projections.ts";
import { ask, type RunDeps } from "../engine/run.ts";
import type { DateRange } from "../question/date-range.ts";
import type { ReportQuery } from "../question/report-query.ts";

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

// Read along the primary key, so that the first row is found without a scan.
const firstDay = (where: string) => `SELECT toString(date) AS day
FROM events
WHERE site = {site:String}${where}
ORDER BY site, date, hour, ts
LIMIT 1`;

/**
 * The part of `meta` that says from which day on the sites have data, where the earlier range begins before it: a change
 * against days that were not counted says nothing. Filters play no part, but the one that leaves imports out.
 */
export async function baselineStart(
	{ eventStore }: { readonly eventStore: Pick<EventStore, "query"> },
	{ site, comparison, conditions }: Pick<ReportQuery, "site" | "conditions"> & { comparison: DateRange | undefined },
): Promise<{ baseline_start?: string }> {
	if (comparison === undefined) return {};
	const sql = firstDay(conditions.includes(withoutImports) ? " AND import_id = ''" : "");
	const days = await Promise.all(
		[site]
			.flat()
			.map((slug) => eventStore.query<{ day: string }>({ sql, params: { site: slug }, settings: rowSettings })),
	);
	const [first] = days.flatMap((rows) => rows.map(({ day }) => day)).sort();
	return first === undefined || first <= comparison.start.toString() ? {} : { baseline_start: first };
}

// Of the projection by day, which knows imports apart.
const DAYS = `
SELECT toString(date) AS day, import_id = '' AS is_own
FROM events
WHERE site = {site:String}
GROUP BY date, is_own
ORDER BY date`;

/** On which days, `YYYY-MM-DD`, a site has hits of its own, and on which it has imported rows. */
export async function countedDays({ eventStore }: { readonly eventStore: Pick<EventStore, "query"> }, site: string) {
	const rows = await eventStore.query<{ day: string; is_own: number | boolean }>({ sql: DAYS, params: { site } });
	const days = (isOwn: boolean) => rows.filter((row) => Boolean(row.is_own) === isOwn).map(({ day }) => day);
	return { own: days(true), imported: days(false) };
}

// A projection holds the days, so that finding the first one reads no rows.
const FIRST_DAYS = `SELECT site, min(parts.date) AS day
FROM (
SELECT site, date, sum(page_view) AS page_views
FROM events
WHERE site IN {sites:Array(String)}
GROUP BY site, date
) AS parts
GROUP BY site`;

const FIRST_MOMENTS = `SELECT site, toUnixTimestamp64Milli(min(ts)) AS first
FROM events
WHERE site IN {sites:Array(String)}
	AND date IN {days:Array(Date)}
GROUP BY site`;

/** The first day with rows, `YYYY-MM-DD`, of each site that has any, by slug. */
export async function firstDays(
	deps: RunDeps,
	sites: readonly string[],
	signal?: AbortSignal,
): Promise<ReadonlyMap<string, string>> {
	if (sites.length === 0) return new Map();
	const rows = await ask<{ site: string; day: string }>(deps, {
		sql: FIRST_DAYS,
		params: { sites },
		settings: projectionSettings([]),
		...(signal && { signal }),
	});
	return new Map(rows.map(({ site, day }) => [site, day]));
}

/** The moment of the first stored hit of each site that has any, by slug, in milliseconds since the Unix epoch. */
export async function firstHits(deps: RunDeps, sites: readonly string[]): Promise<ReadonlyMap<string, number>> {
	const days = await firstDays(deps, sites);
	if (days.size === 0) return new Map();
	const params = { sites: [...days.keys()], days: [...new Set(days.values())] };
	const rows = await ask<{ site: string; first: number }>(deps, { sql: FIRST_MOMENTS, params, settings: rowSettings });
	return new Map(rows.map(({ site, first }) => [site, first]));
}

/** Events of one day of a site, in its time zone. */
export interface UsageDay {
	readonly site: string;
	/** `YYYY-MM-DD` */
	readonly date: string;
	readonly events: number;
}

const SINCE = "site IN {sites:Array(String)} AND date >= {from:Date}";

// A plan holds what was collected here: imported rows came from elsewhere.
const COUNTED_USAGE = `SELECT site, date, sum(page_view) + sum(conversion) + sum(microconversion) AS events
FROM events
WHERE ${SINCE} AND import_id = ''
GROUP BY site, date
ORDER BY site, date`;

const LEFT_OUT_USAGE = `SELECT site, date, sum(hits) AS events
FROM bot_hits
WHERE ${SINCE} AND counted = 0
GROUP BY site, date
ORDER BY site, date`;

/**
 * Usage of some sites since a day: counted events, and hits above their site's bot threshold, which are kept for 90
 * days.
 */
export async function eventUsage(
	{ eventStore }: { readonly eventStore: Pick<EventStore, "query"> },
	sites: readonly string[],
	from: string,
) {
	if (sites.length === 0) return { human: [], agent: [] };
	const params = { sites, from };
	const [human, agent] = await Promise.all([
		eventStore.query<UsageDay>({ sql: COUNTED_USAGE, params, settings: projectionSettings([]) }),
		eventStore.query<UsageDay>({ sql: LEFT_OUT_USAGE, params, settings: rowSettings }),
	]);
	return { human, agent };
}
