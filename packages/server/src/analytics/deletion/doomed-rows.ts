import type { EventQuery } from "../../platform/event-store/event-store.ts";

/** Rows that are to be deleted, by a condition on columns that both tables of rows have. */
export interface DoomedRows {
	/** SQL without values. */
	readonly condition: string;
	readonly params: NonNullable<EventQuery["params"]>;
	/** Sites that they belong to. */
	readonly sites: readonly string[] | "all";
}

/** Days of a site, bounds included, and until when what was received counts. */
export interface DoomedDays {
	readonly site: string;
	/** `YYYY-MM-DD`, as `to`; null = no bound. */
	readonly from: string | null;
	readonly to: string | null;
	/** Milliseconds since the Unix epoch. */
	readonly until: number;
}

// The first and the last day that a column of type Date can hold.
const [FIRST, LAST] = ["1970-01-01", "2149-06-06"];
const DAYS = "site = {site:String} AND date >= {from:Date} AND date <= {to:Date}";

const paramsOf = ({ site, from, to, until }: DoomedDays) => ({ site, from: from ?? FIRST, to: to ?? LAST, until });

/** The rows of some days of a site that were received until a moment. */
export const rowsOfDays = (days: DoomedDays): DoomedRows => ({
	condition: `${DAYS} AND ts <= fromUnixTimestamp64Milli({until:Int64}, 'UTC')`,
	params: paramsOf(days),
	sites: [days.site],
});

/** Of these days what was received after that moment and belongs to visits that had begun by then. */
export const rowsOfVisits = (days: DoomedDays, sessions: readonly string[]): DoomedRows => ({
	condition: `${DAYS} AND ts > fromUnixTimestamp64Milli({until:Int64}, 'UTC') AND session IN {sessions:Array(UInt64)}`,
	params: { ...paramsOf(days), sessions },
	sites: [days.site],
});

/** The rows of sites that are older than a day, each site its own. */
export const rowsBefore = (ends: readonly { readonly site: string; readonly before: string }[]): DoomedRows => ({
	condition: "date < transform(site, {sites:Array(String)}, {ends:Array(Date)}, toDate('1970-01-01'))",
	params: { sites: ends.map(({ site }) => site), ends: ends.map(({ before }) => before) },
	sites: ends.map(({ site }) => site),
});

/** The microconversions of all sites that are older than a day. */
export const microconversionsBefore = (before: string): DoomedRows => ({
	condition: "kind = 'microconversion' AND date < {before:Date}",
	params: { before },
	sites: "all",
});

/**
 * Visits that had begun when their days were to be deleted, and have later rows: hits of that very moment are stamped up to two
 * seconds later, and another process may have learned of the deletion some seconds late.
 */
export const goingOn = (days: DoomedDays): EventQuery => ({
	sql: `SELECT DISTINCT toString(session) AS session FROM events
WHERE ${DAYS} AND import_id = ''
	AND ts > fromUnixTimestamp64Milli({until:Int64}, 'UTC') AND ts <= fromUnixTimestamp64Milli({until:Int64}, 'UTC') + INTERVAL 1 DAY
	AND session GLOBAL IN (
		SELECT session FROM events
		WHERE ${DAYS} AND import_id = '' AND ts <= fromUnixTimestamp64Milli({until:Int64}, 'UTC')
			AND ts > fromUnixTimestamp64Milli({until:Int64}, 'UTC') - INTERVAL 2 DAY
	)`,
	params: paramsOf(days),
});
