import { localHour } from "../../../analytics/model/site-clock.ts";
import type { EventStore } from "../../../platform/event-store/event-store.ts";
import { DAY_MS } from "../../../platform/lib/durations.ts";
import { utcDay } from "../../../platform/lib/timestamp.ts";
import { coversHit, type ForgottenDays, type SiteFacts } from "../../tenancy/sites/index.ts";
import type { DurableSessionStore } from "./sessions/durable-session-store.ts";

/** Visits that may be noted: those of the days for which notes are kept, in any zone. */
const NOTED_DAYS = 4;

const SESSIONS = `SELECT DISTINCT toString(session) AS session FROM events
WHERE site = {site:String} AND date >= {since:Date} AND date >= {from:Date} AND date <= {to:Date} AND import_id = ''`;

interface ForgetDeps {
	readonly store: Pick<EventStore, "query">;
	readonly sessions: Pick<DurableSessionStore, "forgetNotes">;
}

/** Removes what is noted beside the rows of deleted days. Asks the rows which visits these are, so it comes before they go. */
export async function forgetNotes(
	{ store, sessions }: ForgetDeps,
	site: Pick<SiteFacts, "id" | "timezone">,
	days: ForgottenDays,
	now: number,
): Promise<void> {
	const params = {
		site: site.id,
		since: utcDay(now - NOTED_DAYS * DAY_MS),
		from: days.from ?? "1970-01-01",
		to: days.to ?? "2149-06-06",
	};
	const rows = await store.query<{ session: string }>({ sql: SESSIONS, params });
	const covers = (at: number) => coversHit(days, localHour(site.timezone, at).date, at);
	await sessions.forgetNotes({ siteId: site.id, covers, sessions: new Set(rows.map((row) => row.session)) }, now);
}
