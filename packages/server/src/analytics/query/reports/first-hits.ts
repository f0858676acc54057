import { projectionSettings, rowSettings } from "../../catalog/projections.ts";
import { ask, type RunDeps } from "../engine/run.ts";

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
