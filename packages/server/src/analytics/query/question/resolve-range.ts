import { ServiceError } from "../../../platform/errors/service-error.ts";
import type { Clock } from "../../../platform/lib/clock.ts";
import { BadQuestion } from "./bad-question.ts";
import { type DateRange, daysIn } from "./date-range.ts";
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
		throw new ServiceError("bad_request", "The start date is after the end date");
	}
	if (daysIn(range) > MAX_DAYS) {
		throw new ServiceError("bad_request", `The date range is longer than ${MAX_DAYS} days`);
	}
	return range;
}

/** A day as a request gives it. Throws `BadQuestion` at the parameter's name for what is none. */
export function parseDay(text: string | undefined, name: string): Temporal.PlainDate | undefined {
	if (text === undefined) return undefined;
	try {
		// A year with a leading zero is a typing error, and its comparison period may lie in a year without this form.
		if (!/^[1-9]\d{3}-\d{2}-\d{2}$/.test(text)) throw new RangeError("not YYYY-MM-DD");
		return Temporal.PlainDate.from(text);
	} catch {
		throw new BadQuestion("Must be a date, YYYY-MM-DD", { at: [name], type: "date" });
	}
}

const RETENTION_YEARS = 2;

/** The first day of which microconversions are kept, by the date of a time zone. */
export const firstKeptDay = (timezone: string, clock: Clock): Temporal.PlainDate =>
	todayIn(timezone, clock).subtract({ years: RETENTION_YEARS });

/** The part of a range of microconversions and items that may still be read; undefined when nothing of it may. */
export function readableRange(range: DateRange, timezone: string, clock: Clock): DateRange | undefined {
	const oldest = firstKeptDay(timezone, clock);
	if (Temporal.PlainDate.compare(range.end, oldest) < 0) return undefined;
	return Temporal.PlainDate.compare(range.start, oldest) < 0 ? { ...range, start: oldest } : range;
}
