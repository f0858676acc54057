import type { SessionDimensions } from "../../../analytics/model/event-row.ts";
import type { EventStore } from "../../../platform/event-store/event-store.ts";
import type { SessionState } from "./sessions/session-state.ts";
import type { SessionStore } from "./sessions/session-store.ts";

const DAY_MS = 86_400_000;

interface RestoreDeps {
	readonly store: Pick<EventStore, "query" | "stream">;
	readonly sessions: SessionStore;
	/** How long a session lives without a hit, ms. */
	readonly timeoutMs: number;
}

interface SessionRow extends SessionDimensions {
	readonly session: string;
	readonly last_seen: number;
	readonly entrance_date: string;
	readonly entrance_hour: number;
	readonly entrance_ts: number;
	readonly has_entrance: number;
	readonly has_engaged: number;
}

const DIMENSIONS = [
	"referrer",
	"landing_path",
	"landing_group",
	"utm_source",
	"utm_medium",
	"utm_campaign",
	"utm_term",
	"utm_content",
	"country",
	"device",
	"browser",
	"os",
	"channel",
	"clid",
] as const satisfies readonly (keyof SessionDimensions)[];

/** Sessions with a hit within the timeout; of long ones also the rows of the day before, where the entrance may be. */
const LIVE_SESSIONS = `SELECT toString(session) AS session,
  toUnixTimestamp64Milli(maxIf(ts, kind IN ('pageview', 'conversion', 'microconversion'))) AS last_seen,
  toString(argMaxIf(date, ts, entrance = 1)) AS entrance_date, argMaxIf(hour, ts, entrance = 1) AS entrance_hour,
  toUnixTimestamp64Milli(maxIf(ts, entrance = 1)) AS entrance_ts,
  max(entrance) AS has_entrance, max(engaged) AS has_engaged,
  ${DIMENSIONS.map((name) => `argMax(${name}, ts) AS ${name}`).join(", ")}
FROM events
WHERE date >= {since:Date} AND import_id = '' AND (site, session) GLOBAL IN (
  SELECT site, session FROM events
  WHERE date >= {since:Date} AND ts > fromUnixTimestamp64Milli({live_since:Int64}, 'UTC') AND import_id = '')
GROUP BY site, session`;

const CLICK_IDS = `SELECT site, clid, toUnixTimestamp64Milli(min(ts)) AS first_seen FROM events
WHERE date >= {since:Date} AND entrance = 1 AND clid != '' AND import_id = '' GROUP BY site, clid`;

const LAST_TIMES = `SELECT site, toString(kind) AS kind, toUnixTimestamp64Milli(max(ts)) AS last_time FROM events
WHERE date >= {since:Date} AND kind IN ('conversion', 'microconversion')
  AND ts > fromUnixTimestamp64Milli({live_since:Int64}, 'UTC') AND import_id = ''
GROUP BY site, kind`;

/** Puts back the sessions that were live when the process ended, and the latest times that were given out. */
export async function restoreSessions(deps: RestoreDeps, now: number): Promise<void> {
	const liveSince = now - deps.timeoutMs;
	// Two days, as the site's date may be one behind the server's.
	const params = { since: isoDate(now - 2 * DAY_MS), live_since: liveSince };
	await Promise.all([restoreLive(deps, params), restoreTimes(deps, params)]);
}

async function restoreLive({ store, sessions }: RestoreDeps, params: Record<string, string | number>): Promise<void> {
	for await (const rows of store.stream<SessionRow>({ sql: LIVE_SESSIONS, params })) {
		for (const row of rows) await sessions.restore(stateOf(row));
	}
}

/** Puts back the click ids that began sessions in the last 30 days. */
export async function restoreClickIds({ store, sessions }: RestoreDeps, now: number): Promise<void> {
	const params = { since: isoDate(now - 30 * DAY_MS) };
	const query = { sql: CLICK_IDS, params };
	for await (const rows of store.stream<{ site: string; clid: string; first_seen: number }>(query)) {
		for (const row of rows) await sessions.rememberClickId(row.site, row.clid, row.first_seen);
	}
}

async function restoreTimes({ store, sessions }: RestoreDeps, params: Record<string, string | number>): Promise<void> {
	const rows = await store.query<{ site: string; kind: string; last_time: number }>({ sql: LAST_TIMES, params });
	for (const row of rows) await sessions.uniqueTime(row.site, row.kind, row.last_time);
}

function stateOf(row: SessionRow): SessionState {
	const { referrer, landing_path, landing_group, utm_source, utm_medium, utm_campaign, utm_term, utm_content } = row;
	const { country, device, browser, os, channel, clid } = row;
	return {
		session: row.session,
		dimensions: {
			referrer,
			landing_path,
			landing_group,
			utm_source,
			utm_medium,
			utm_campaign,
			utm_term,
			utm_content,
			country,
			device,
			browser,
			os,
			channel,
			clid,
		},
		entrance:
			row.has_entrance === 1
				? {
						date: row.entrance_date,
						hour: row.entrance_hour,
						ts: row.entrance_ts,
					}
				: null,
		engaged: row.has_engaged === 1,
		lastSeen: row.last_seen,
		entranceFingerprint: null,
	};
}

const isoDate = (ms: number) => new Date(ms).toISOString().slice(0, 10);
