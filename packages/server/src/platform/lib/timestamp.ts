/** A moment as texts tell it: ISO 8601 in UTC with milliseconds. */
export const timestamp = (ms: number): string => new Date(ms).toISOString();

/** The same of a moment that may not have come. */
export const timestampOrNull = (ms: number | null | undefined): string | null => (ms == null ? null : timestamp(ms));

/** The day of a moment in UTC, e.g. `2026-11-21`. */
export const utcDay = (ms: number): string => timestamp(ms).slice(0, 10);
