import { BadQuestion } from "../../../analytics/query/question/bad-question.ts";
import type { DateRange } from "../../../analytics/query/question/date-range.ts";
import { type Period, periods } from "../../../analytics/query/question/periods.ts";
import { comparedRange, comparisonNames } from "../../../analytics/query/question/resolve-comparison.ts";
import { resolveRange } from "../../../analytics/query/question/resolve-range.ts";
import { ServiceError } from "../../../platform/errors/service-error.ts";
import type { Clock } from "../../../platform/lib/clock.ts";
import type { Arguments } from "./route-parameters.ts";

const dayNames = ["start_date", "end_date", "date_from", "date_to"] as const;

/** True for arguments that decide on the days. */
export const isAboutDays = (name: string): boolean =>
	name === "period" || (dayNames as readonly string[]).includes(name);

/**
 * The days that the arguments of a report mean. Undefined when they mean none: the route is asked as it is, to say what is
 * wrong with them.
 */
export function daysMeant(given: Arguments, timezone: string, clock: Clock): DateRange | undefined {
	const texts = ["period", ...dayNames].flatMap((name) => {
		const [value, ...more] = [given[name]].flat();
		return value === undefined ? [] : [[name, more.length === 0 ? String(value) : ""] as const];
	});
	const { period, ...days } = Object.fromEntries(texts);
	if (period !== undefined && !isPeriod(period)) return undefined;
	return understood(() => resolveRange({ ...days, ...(period !== undefined && { period }) }, { timezone, clock }));
}

const isPeriod = (text: string): text is Period => Object.hasOwn(periods, text);

/** The days that a report compares with, given its own; undefined also where the arguments do not say which. */
export function comparedDays(range: DateRange, given: Arguments): DateRange | undefined {
	const word = given.compare ?? (given.compare_start === undefined ? undefined : "custom");
	const compare = word === "true" ? "previous" : comparisonNames.find((name) => name === word);
	const text = (name: string) => given[name]?.toString();
	const days = { compare_start: text("compare_start"), compare_end: text("compare_end") };
	return understood(() => comparedRange({ compare, ...days }, range));
}

/** The parsed value; undefined if it is invalid. */
function understood<T>(read: () => T): T | undefined {
	try {
		return read();
	} catch (error) {
		if (error instanceof ServiceError || error instanceof BadQuestion) return undefined;
		throw error;
	}
}
