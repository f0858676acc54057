import { restoreTrail } from "../../../analytics/attribution/trail.ts";
import { type SessionDimensions, sessionColumns } from "../../../analytics/model/event-row.ts";
import type { EventStore } from "../../../platform/event-store/event-store.ts";
import { DAY_MS } from "../../../platform/lib/durations.ts";
import { utcDay } from "../../../platform/lib/timestamp.ts";
import { visitorOf } from "../visitors/index.ts";
import { sightOf } from "./sessions/click-id-memory.ts";
import type { LiveSession, SessionState, SessionStore } from "./sessions/session-store.ts";

/** How far after their receipt events may be stamped, as stamps are unique. */
const AHEAD_MS = 2000;

interface RestoreDeps {
	readonly store: Pick<EventStore, "query" | "stream">;
	readonly sessions: SessionStore;
	readonly sessionTimeoutMs: number;
}

interface SessionRow extends SessionDimensions {
	readonly session: string;
	readonly last_seen: number;
	readonly entrance_date: string;
	readonly entrance_hour: number;
	readonly entrance_ts: number;
	readonly has_entrance: number;
	readonly has_engaged: number;
	readonly page_views: number;
	readonly paths: readonly string[];
	readonly reached: readonly string[];
}

/**
 * Sessions with a hit within the timeout, the latest hits last. Of each the rows of two days are read, as many as a
 * session of today or yesterday can have; of the entrance's values where it is among them, else of the latest row.
 */
const LIVE_SESSIONS = `SELECT toString(session) AS session,
  toUnixTimestamp64Milli(maxIf(ts, kind IN ('pageview', 'conversion', 'microconversion'))) AS last_seen,
  toString(argMin(date, (1 - entrance, ts))) AS entrance_date, argMin(hour, (1 - entrance, ts)) AS entrance_hour,
  toUnixTimestamp64Milli(tupleElement(min((1 - entrance, ts)), 2)) AS entrance_ts,
  max(entrance) AS has_entrance, max(engaged) AS has_engaged, toUInt32(countIf(kind = 'pageview')) AS page_views,
  groupUniqArrayIf(50)(path, kind IN ('pageview', 'conversion', 'microconversion')) AS paths,
  groupUniqArrayIf(20)(properties['goal_id'], properties['goal_id'] != '') AS reached,
  ${sessionColumns.map((name) => `argMax(${name}, (entrance, ts)) AS ${name}`).join(", ")}
FROM events
WHERE date >= {since:Date} AND import_id = '' AND (site, session) GLOBAL IN (
  SELECT site, session FROM events
  WHERE date >= {since:Date} AND ts > fromUnixTimestamp64Milli({live_since:Int64}, 'UTC')
    AND ts <= fromUnixTimestamp64Milli({until:Int64}, 'UTC') AND import_id = '')
GROUP BY site, session
ORDER BY last_seen`;

/** Of each click id the latest entrance that it made. */
const CLICK_IDS = `SELECT site, clid, toUnixTimestamp64Milli(max(ts)) AS last_seen FROM events
WHERE date >= {since:Date} AND entrance = 1 AND clid != '' AND import_id = '' GROUP BY site, clid ORDER BY last_seen`;

const LAST_TIMES = `SELECT site, toString(kind) AS kind, toUnixTimestamp64Milli(max(ts)) AS last_time FROM events
WHERE date >= {since:Date} AND kind IN ('conversion', 'microconversion')
  AND ts > fromUnixTimestamp64Milli({live_since:Int64}, 'UTC')
  AND ts <= fromUnixTimestamp64Milli({until:Int64}, 'UTC') AND import_id = ''
GROUP BY site, kind`;

export async function restoreSessions({ store, sessions, sessionTimeoutMs }: RestoreDeps, now: number): Promise<void> {
	const params = {
		// Two days, as the site's date may be one behind the server's.
		since: utcDay(now - 2 * DAY_MS),
		live_since: now - sessionTimeoutMs,
		// Rows of a clock that was ahead say nothing of now.
		until: now + AHEAD_MS,
	};
	const restoreTimes = async () => {
		const rows = await store.query<{ site: string; kind: string; last_time: number }>({ sql: LAST_TIMES, params });
		await Promise.all(rows.map(({ site, kind, last_time }) => sessions.uniqueTime(site, kind, last_time)));
	};
	const restoreLive = async () => {
		for await (const rows of store.stream<SessionRow>({ sql: LIVE_SESSIONS, params }))
			await sessions.restore(rows.map(liveSession));
	};
	await Promise.all([restoreLive(), restoreTimes()]);
}

/** Restores the click ids of the last 30 days from entrances, for the case that the session store has lost its notes. */
export async function restoreClickIds({ store, sessions }: RestoreDeps, now: number): Promise<void> {
	const params = { since: utcDay(now - 31 * DAY_MS) };
	const query = { sql: CLICK_IDS, params };
	for await (const rows of store.stream<{ site: string; clid: string; last_seen: number }>(query)) {
		await sessions.restoreClickIds(
			rows.map(({ site, clid, last_seen }) => sightOf(site, clid, last_seen)),
			now,
		);
	}
}

function liveSession(row: SessionRow): LiveSession {
	const { session, last_seen, has_entrance, has_engaged, page_views, paths, reached, ...rest } = row;
	const { entrance_date, entrance_hour, entrance_ts, ...dimensions } = rest;
	const state: SessionState = {
		session,
		dimensions,
		// A session of earlier days has its landing page; of its entrance only the rows' first moment is known here.
		entrance: dimensions.landing_path === "" ? null : { date: entrance_date, hour: entrance_hour, ts: entrance_ts },
		// Where the entrance is not among the rows, a page view among them is not the first one.
		engaged: has_engaged === 1 || (has_entrance === 0 && page_views > 0),
		lastSeen: last_seen,
		trail: restoreTrail(paths),
		reached,
	};
	return { visitor: visitorOf(session), state };
}
