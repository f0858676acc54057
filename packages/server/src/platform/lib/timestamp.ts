/** A moment as texts tell it: ISO 8601 in UTC with milliseconds. */
export const timestamp = (ms: number): string => new Date(ms).toISOString();

/** The same of a moment that may not have come. */
export const timestampOrNull = (ms: number | null | undefined): string | null => (ms == null ? null : timestamp(ms));

/** The day of a moment in UTC, e.g. `2026-11-21`. */
export const utcDay = (ms: number): string => timestamp(ms).slice(0, 10);

const days = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeZone: "UTC" });

/** Two days, each `YYYY-MM-DD`, as a range in English: `16 – 22 Nov 2026`. */
export const dayRange = (start: string, end: string): string =>
	days.formatRange(new Date(start), new Date(end)).replaceAll(/\s/g, " ");
