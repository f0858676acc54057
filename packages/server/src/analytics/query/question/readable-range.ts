import type { Clock } from "../../../platform/lib/clock.ts";
import type { DateRange } from "./date-range.ts";
import { todayIn } from "./resolve-range.ts";

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
