import type { TimeWindow } from "../../../analytics/query/reports/window-sums.ts";
import { DAY_MS, MINUTE_MS } from "../../../platform/lib/durations.ts";
import { type BaselinePeriod, baselineDays, type ComparisonWindow, windowMs } from "./vocabulary.ts";

/** The moment up to which rules look: the end of the last full minute. */
export const lastFullMinute = (nowMs: number): number => Math.floor(nowMs / MINUTE_MS) * MINUTE_MS;

export const currentWindow = (length: ComparisonWindow, until: number): TimeWindow => ({
	from: until - windowMs[length],
	until,
});

export const windowBefore = (length: ComparisonWindow, until: number): TimeWindow =>
	currentWindow(length, until - windowMs[length]);

/**
 * The windows that a current one is compared with, latest first: the same length, ending at the same time of day on each
 * day of the period, or back to back over the 24 hours before. The time of day is that of the site's clock, so that a
 * change to or from daylight saving moves no window against the habits of visitors.
 */
export function baselineWindows(
	{ period, length, timezone }: { period: BaselinePeriod; length: ComparisonWindow; timezone: string },
	until: number,
): TimeWindow[] {
	if (period === "24h") {
		const count = Math.floor(DAY_MS / windowMs[length]);
		return Array.from({ length: count }, (_, index) => currentWindow(length, until - (index + 1) * windowMs[length]));
	}
	const local = Temporal.Instant.fromEpochMilliseconds(until).toZonedDateTimeISO(timezone);
	return Array.from({ length: baselineDays[period] }, (_, index) =>
		currentWindow(length, local.subtract({ days: index + 1 }).epochMilliseconds),
	);
}
