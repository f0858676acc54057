import { ServiceError } from "../../../platform/errors/service-error.ts";
import type { Clock } from "../../../platform/lib/clock.ts";
import { type DateRange, daysIn } from "./date-range.ts";
import { parseDay } from "./parse-day.ts";
import { type Period, periods } from "./periods.ts";

/** The longest range that a report covers. */
export const MAX_DAYS = 730;

/** Dates as a request gives them; `date_from` and `date_to` are older names of the other two. */
export interface DateInput {
	readonly period?: Period;
	readonly start_date?: string;
	readonly end_date?: string;
	readonly date_from?: string;
	readonly date_to?: string;
}

/** Base of relative dates. */
export interface DateContext {
	/** IANA zone of the site. */
	readonly timezone: string;
	readonly clock: Pick<Clock, "now">;
}

/** The current day in a time zone. */
export function todayIn(timezone: string, clock: Pick<Clock, "now">): Temporal.PlainDate {
	return Temporal.Instant.fromEpochMilliseconds(clock.now()).toZonedDateTimeISO(timezone).toPlainDate();
}

function givenRange(input: DateInput, context: DateContext): DateRange {
	const at = (name: keyof DateInput) => parseDay(input[name], name);
	const [startDate, endDate, dateFrom, dateTo] = [at("start_date"), at("end_date"), at("date_from"), at("date_to")];
	const today = todayIn(context.timezone, context.clock);
	if (input.period !== undefined) return periods[input.period](today);
	const start = startDate ?? dateFrom;
	const end = endDate ?? dateTo ?? today;
	return { start: start ?? end.subtract({ days: 29 }), end };
}

/**
 * The days that a request asks for: its period, else its dates, else the last 30 days, today included. Only a start
 * means until today, only an end the 30 days that end there. Throws `BadQuestion` for a malformed date; 400 for a start
 * after the end and for more than 730 days.
 */
export function resolveRange(input: DateInput, context: DateContext): DateRange {
	const range = givenRange(input, context);
	if (Temporal.PlainDate.compare(range.start, range.end) > 0) {
		throw new ServiceError("bad_request", { message: "The start date is after the end date" });
	}
	if (daysIn(range) > MAX_DAYS) {
		throw new ServiceError("bad_request", { message: `The date range is longer than ${MAX_DAYS} days` });
	}
	return range;
}
