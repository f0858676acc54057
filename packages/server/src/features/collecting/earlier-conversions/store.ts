import { sql } from "kysely";
import { wildcardExpression } from "../../../analytics/attribution/search-pattern.ts";
import { projectionSettings, rowSettings } from "../../../analytics/catalog/projections.ts";
import { type SessionDimensions, sessionColumns } from "../../../analytics/model/event-row.ts";
import { ServiceError } from "../../../platform/errors/service-error.ts";
import type { EventQuery, EventStore } from "../../../platform/event-store/event-store.ts";
import { engineOf, type Metadata } from "../../../platform/metadata/metadata.ts";
import type { GoalMatcher } from "../../tenancy/sites/index.ts";

interface ReadingDeps {
	readonly eventStore: EventStore;
}

/** Visits of a site that a goal may count. */
export interface EarlierVisits {
	readonly site: string;
	readonly goal: GoalMatcher;
	/** Milliseconds since the Unix epoch: a visit with later rows may still be running. */
	readonly liveSince: number;
}

/** A visit at the first event that its goal counts. */
export interface EarlierVisit extends SessionDimensions {
	readonly visit: string;
	/** `YYYY-MM-DD` */
	readonly day: string;
	readonly hour: number;
	/** Milliseconds since the Unix epoch. */
	readonly at: number;
	readonly path: string;
	readonly content_group: string;
}

/** Days of one month, `YYYY-MM-DD`, both included. */
export interface Days {
	readonly first: string;
	readonly last: string;
}

export interface MatchingDay {
	readonly day: string;
	/** Matching events of the site's own, those that goals counted among them. */
	readonly own: number;
	/** Those that imports brought. */
	readonly imported: number;
}

// No goal counts what another one counted.
const kinds = {
	page: { column: "path", measure: "page_view", isHit: "kind = 'pageview'" },
	event: {
		column: "event_type",
		measure: "microconversion",
		isHit: "kind = 'microconversion' AND properties['goal_id'] = ''",
	},
} as const;

/** Runs the counting of a site, one process at a time on PostgreSQL, else throws `conflict`; with SQLite only one process counts. */
export function countAlone<T>(metadata: Metadata, siteId: string, run: () => Promise<T>): Promise<T> {
	if (engineOf(metadata) !== "postgresql") return run();
	return metadata.transaction().execute(async (trx) => {
		const key = sql`hashtextextended(${`count-earlier ${siteId}`}, 0)`;
		const { rows } = await sql<{ is_free: boolean }>`select pg_try_advisory_xact_lock(${key}) as is_free`.execute(trx);
		if (rows[0]?.is_free !== true) throw isBeingCounted();
		return run();
	});
}

/** Two goals counted at once would get the same published times. */
export const isBeingCounted = (): ServiceError => new ServiceError("conflict", "A goal of the site is being counted");

/** The days, latest first, with events of the pattern; `before` is left out. */
export function matchingDays(
	{ eventStore }: ReadingDeps,
	{ site, goal }: EarlierVisits,
	{ from, before }: { readonly from: string; readonly before: string },
): Promise<MatchingDay[]> {
	const { column, measure } = kinds[goal.kind];
	return eventStore.query({
		sql: `SELECT toString(date) AS day, sumIf(events, is_own) AS own, sumIf(events, NOT is_own) AS imported
FROM (
	SELECT date, import_id = '' AS is_own, sum(${measure}) AS events FROM events
	WHERE site = {site:String} AND date >= {from:Date} AND date < {before:Date} AND match(${column}, {pattern:String})
	GROUP BY date, is_own
)
GROUP BY date HAVING own + imported > 0 ORDER BY date DESC`,
		params: { site, from, before, pattern: wildcardExpression(goal.pattern) },
		settings: projectionSettings([column]),
	});
}

// A visit lasts two days at most: the first one with such an event is that on which it is counted.
function visitsOf({ site, goal, liveSince }: EarlierVisits, days: Days): Required<Pick<EventQuery, "sql" | "params">> {
	const { column, isHit } = kinds[goal.kind];
	const matches = `(${isHit} AND match(${column}, {pattern:String}))`;
	return {
		sql: `FROM events
WHERE site = {site:String} AND date >= {first:Date} AND date <= {last:Date} AND import_id = '' AND session != 0 AND ${matches}
	AND session GLOBAL NOT IN (
		SELECT session FROM events
		WHERE site = {site:String} AND date >= {first:Date} - 1 AND date <= {last:Date} + 1 AND import_id = ''
			AND (properties['goal_id'] = {goal:String}
				OR ts > fromUnixTimestamp64Milli({live_since:Int64}, 'UTC')
				OR (date < {first:Date} AND ${matches})))`,
		params: { site, ...days, goal: goal.id, live_since: liveSince, pattern: wildcardExpression(goal.pattern) },
	};
}

/** The number of visits that a goal has not counted on some days. */
export async function countVisits({ eventStore }: ReadingDeps, visits: EarlierVisits, days: Days): Promise<number> {
	const { sql, params } = visitsOf(visits, days);
	const query = { sql: `SELECT uniqExact(session) AS visits ${sql}`, params, settings: rowSettings };
	const [row] = await eventStore.query<{ visits: number }>(query);
	return row?.visits ?? 0;
}

/** These visits in an order that stays the same. */
export function streamVisits(
	{ eventStore }: ReadingDeps,
	visits: EarlierVisits,
	days: Days,
): AsyncIterable<readonly EarlierVisit[]> {
	const { sql, params } = visitsOf(visits, days);
	const columns = `toString(session) AS visit, toString(date) AS day, hour, toUnixTimestamp64Milli(ts) AS at, path, content_group`;
	return eventStore.stream<EarlierVisit>({
		sql: `SELECT ${columns}, ${sessionColumns.join(", ")} ${sql} ORDER BY at, visit, path LIMIT 1 BY visit`,
		params,
		settings: rowSettings,
	});
}

/** The published times, in milliseconds, of a site's events of a kind about some days. */
export async function publishedTimes(
	{ eventStore }: ReadingDeps,
	{ site, goal }: EarlierVisits,
	days: Days,
): Promise<Set<number>> {
	const [row] = await eventStore.query<{ times: readonly number[] }>({
		sql: `SELECT groupUniqArray(toUnixTimestamp64Milli(ts)) AS times FROM events
WHERE site = {site:String} AND date >= {first:Date} - 1 AND date <= {last:Date} + 1 AND kind = {kind:String}`,
		params: { site, ...days, kind: goal.counts_as },
		settings: rowSettings,
	});
	return new Set(row?.times);
}
