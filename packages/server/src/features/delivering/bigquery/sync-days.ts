import type { DateRange } from "../../../analytics/query/question/date-range.ts";
import { todayIn } from "../../../analytics/query/question/resolve-range.ts";
import { ServiceError } from "../../../platform/errors/service-error.ts";
import type { Clock } from "../../../platform/lib/clock.ts";
import { sha256Hex } from "../../../platform/lib/crypto.ts";
import type { IntegrationRow, SyncRow } from "./store.ts";

/** Days as they are stored and shown, both included. */
export interface Days {
	readonly from: string;
	readonly to: string;
}

interface FailedDays extends Days {
	readonly error: string;
}

const MAX_DAYS = 365;

export const failedIn = ({ failed_chunks: failed }: SyncRow) => JSON.parse(failed) as FailedDays[];

/** Days of one part of a sync, where nothing else is said. */
export const USUAL_CHUNK_DAYS = 7;

/** Hits come late, and days are corrected: the last ones are synced again. */
const AGAIN_DAYS = 2;

const day = (text: string) => Temporal.PlainDate.from(text);
const { compare } = Temporal.PlainDate;
const bad = (message: string) => new ServiceError("bad_request", message);

/** Days that are asked for; 400 where they lie in the future, are in the wrong order or more than a year. */
export function checkedDays({ from, to }: Days, timezone: string, clock: Clock): Days {
	if (compare(day(from), day(to)) > 0) throw bad("The start date is after the end date");
	if (compare(day(to), todayIn(timezone, clock)) > 0) throw bad("The dates are in the future");
	if (day(from).until(day(to), { largestUnit: "days" }).days >= MAX_DAYS) {
		throw bad(`The date range is longer than ${MAX_DAYS} days`);
	}
	return { from, to };
}

export const rangeOf = ({ from, to }: Days): DateRange => ({ start: day(from), end: day(to) });

export function chunksOf({ from, to }: Days, days: number): Days[] {
	const chunks: Days[] = [];
	for (let start = day(from); compare(start, day(to)) <= 0; start = start.add({ days })) {
		const end = start.add({ days: days - 1 });
		chunks.push({ from: start.toString(), to: compare(end, day(to)) < 0 ? end.toString() : to });
	}
	return chunks;
}

type Beginning = Pick<IntegrationRow, "backfill_days" | "initial_date_from" | "initial_date_to">;

/** The days with which an integration begins, as of a day. */
export function initialDays(integration: Beginning, today: Temporal.PlainDate): Days {
	const { initial_date_from: from, initial_date_to: to, backfill_days: days } = integration;
	if (from !== null && to !== null) return { from, to };
	return { from: today.subtract({ days }).toString(), to: today.toString() };
}

/** The days that a sync covers of itself: from two days before those that are there until today. */
export function dueDays(integration: Beginning & Pick<IntegrationRow, "synced_through">, today: Temporal.PlainDate) {
	const { synced_through: through } = integration;
	const from =
		through === null ? day(initialDays(integration, today).from) : day(through).subtract({ days: AGAIN_DAYS });
	const earliest = today.subtract({ days: MAX_DAYS - 1 });
	return { from: (compare(from, earliest) < 0 ? earliest : from).toString(), to: today.toString() };
}

/** Up to which day everything is there after a sync has ended; `before` was what was there. */
export function throughAfter(
	before: string | null,
	sync: Pick<SyncRow, "date_from" | "date_to">,
	failed: readonly Days[],
	initial: Days,
): string | null {
	const firstGap = failed.map(({ from }) => from).sort()[0];
	const through = firstGap === undefined ? sync.date_to : day(firstGap).subtract({ days: 1 }).toString();
	if (through < sync.date_from) return before;
	const isContinued = sync.date_from <= (before === null ? initial.from : day(before).add({ days: 1 }).toString());
	return isContinued && (before === null || through > before) ? through : before;
}

const MINUTES = 60;
/** By then the hits of the day before are stored, whatever the load at midnight. */
const DAILY_HOUR = 3;

/** Sites that are alike come at different minutes. */
const minuteOf = (siteId: string): number => Number.parseInt(sha256Hex(siteId).slice(0, 8), 16) % MINUTES;

/** When a site is synced next by itself; null = never. */
export function nextTurn(
	{ id, timezone }: { readonly id: string; readonly timezone: string },
	{ sync_frequency: frequency, is_active }: Pick<IntegrationRow, "sync_frequency" | "is_active">,
	nowMs: number,
): number | null {
	if (frequency === "manual" || is_active !== 1) return null;
	const now = Temporal.Instant.fromEpochMilliseconds(nowMs).toZonedDateTimeISO(timezone);
	const minute = { minute: minuteOf(id), second: 0, millisecond: 0, microsecond: 0, nanosecond: 0 };
	const isHourly = frequency === "hourly";
	const turn = now.with(isHourly ? minute : { hour: DAILY_HOUR, ...minute });
	const isAhead = turn.epochMilliseconds > nowMs;
	return (isAhead ? turn : turn.add(isHourly ? { hours: 1 } : { days: 1 })).epochMilliseconds;
}
