import type { DateRange } from "../../../analytics/query/question/date-range.ts";
import { periods } from "../../../analytics/query/question/periods.ts";
import type { Frequency } from "./store.ts";

/** The hour of the site's clock at which reports go out. */
const MORNING = 7;

/** The first day of the week or month that runs, on the site's clock; a new one begins in the morning of its first day. */
export function runningPeriod(frequency: Frequency, timezone: string, nowMs: number): Temporal.PlainDate {
	const local = Temporal.Instant.fromEpochMilliseconds(nowMs).toZonedDateTimeISO(timezone).toPlainDateTime();
	// By what clocks show, so that a change of the clocks moves no morning.
	const day = local.subtract({ hours: MORNING }).toPlainDate();
	return (frequency === "weekly" ? periods.this_week(day) : periods.this_month(day)).start;
}

/** The days that a report is about, and those that they are compared with. */
export interface ReportDays {
	readonly range: DateRange;
	readonly before: DateRange;
}

/** The last whole week or month before a period, and the one before that. */
export function reportDays(frequency: Frequency, period: Temporal.PlainDate): ReportDays {
	const last = frequency === "weekly" ? periods.last_week : periods.last_month;
	const range = last(period);
	return { range, before: last(range.start) };
}
