import { BadQuestion } from "./bad-question.ts";
import { type ComparisonMode, comesFirst, comparisonRange, type DateRange, daysIn } from "./date-range.ts";
import { type DateContext, MAX_DAYS, parseDay } from "./resolve-range.ts";

/** Every word for what a range is compared with; `custom` names the days itself. */
export const comparisonNames = ["previous", "yoy", "yoy_weekday", "custom"] as const satisfies readonly (
	| ComparisonMode
	| "custom"
)[];

/** A word for what a range is compared with. */
export type ComparisonName = (typeof comparisonNames)[number];

/** A comparison as a request gives it. */
export interface ComparisonInput {
	readonly compare?: ComparisonName | undefined;
	readonly compare_start?: string | undefined;
	readonly compare_end?: string | undefined;
	/** `elapsed` compares a running range with as much of the other one. */
	readonly compare_align?: "elapsed" | undefined;
}

const bounds = ["compare_start", "compare_end"] as const;

function customRange(input: ComparisonInput): DateRange {
	const [start, end] = bounds.map((name) => parseDay(input[name], name));
	if (start === undefined || end === undefined) {
		const at = [start === undefined ? "compare_start" : "compare_end"];
		throw new BadQuestion("Required with compare=custom", { at, type: "missing" });
	}
	if (Temporal.PlainDate.compare(start, end) > 0) {
		throw new BadQuestion("Must not be before compare_start", { at: ["compare_end"] });
	}
	const range = { start, end };
	if (daysIn(range) > MAX_DAYS) {
		throw new BadQuestion(`Must be at most ${MAX_DAYS} days from compare_start`, { at: ["compare_end"] });
	}
	return range;
}

/** The days that a range is compared with; undefined without a comparison. Throws `BadQuestion` for days that do not fit. */
export function comparedRange(input: ComparisonInput, range: DateRange): DateRange | undefined {
	const { compare } = input;
	if (compare === "custom") return customRange(input);
	const given = bounds.find((name) => input[name] !== undefined);
	if (given !== undefined) throw new BadQuestion("Only with compare=custom", { at: [given] });
	return compare === undefined ? undefined : comparisonRange(range, compare);
}

/** How far a range that holds today has come, as a moment of the one that it is compared with; undefined for any other range. */
function elapsedIn(
	compared: DateRange,
	{ compare }: ComparisonInput,
	range: DateRange,
	{ timezone, clock }: DateContext,
): DateRange["until"] {
	const now = Temporal.Instant.fromEpochMilliseconds(clock.now()).toZonedDateTimeISO(timezone);
	const today = now.toPlainDate();
	const isRunning = comesFirst({ start: range.start, end: today }, { start: today, end: range.end });
	// Days of one's choice of another length have none that corresponds to today.
	if (!isRunning || (compare === "custom" && daysIn(compared) !== daysIn(range))) return undefined;
	const passed = range.start.until(today, { largestUnit: "days" });
	const day =
		compare === "yoy" ? comparisonRange({ start: today, end: today }, compare).end : compared.start.add(passed);
	return { day, hour: now.hour };
}

/** Comparison period of a range: the days of `comparedRange`, or the elapsed part of a running range. */
export function resolveComparison(
	input: ComparisonInput,
	range: DateRange,
	context: DateContext,
): DateRange | undefined {
	const compared = comparedRange(input, range);
	if (compared === undefined || input.compare_align === undefined) return compared;
	const until = elapsedIn(compared, input, range, context);
	return until === undefined ? compared : { ...compared, until };
}
