import type { DateRange } from "../../../../analytics/query/question/date-range.ts";
import { periods } from "../../../../analytics/query/question/periods.ts";
import { fieldError } from "../../../../platform/errors/service-error.ts";
import type { Compared } from "../rules/week-figures.ts";

export const reportTypes = ["weekly", "monthly"] as const;
export type ReportType = (typeof reportTypes)[number];

export interface ReportPeriod extends Compared<DateRange> {
	readonly type: ReportType;
}

/** The seven days that end on a day, against the seven before. */
const sevenDays = (end: Temporal.PlainDate): ReportPeriod => ({
	type: "weekly",
	now: { start: end.subtract({ days: 6 }), end },
	before: { start: end.subtract({ days: 13 }), end: end.subtract({ days: 7 }) },
});

const monthOf = (day: Temporal.PlainDate): ReportPeriod => ({
	type: "monthly",
	now: periods.this_month(day),
	before: periods.last_month(day),
});

/** The last week, Monday to Sunday, that had ended by a day. */
export const weeklyPeriod = (day: Temporal.PlainDate): ReportPeriod => sevenDays(periods.last_week(day).end);

/** The last month that had ended by a day. */
export const monthlyPeriod = (day: Temporal.PlainDate): ReportPeriod => monthOf(periods.last_month(day).start);

/** The period that somebody asks for: the seven days that end on a day, or its month. 422 for one that has not ended. */
export function askedPeriod(
	type: ReportType,
	{ end, today }: { readonly end: Temporal.PlainDate | undefined; readonly today: Temporal.PlainDate },
): ReportPeriod {
	if (end === undefined) return type === "weekly" ? weeklyPeriod(today) : monthlyPeriod(today);
	const period = type === "weekly" ? sevenDays(end) : monthOf(end);
	if (Temporal.PlainDate.compare(period.now.end, today) < 0) return period;
	const must = type === "weekly" ? "Must be a day that has ended" : "Must be a day of a month that has ended";
	throw fieldError("body.period_end", must);
}
