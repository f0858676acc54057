// Arithmetic on ISO days (`YYYY-MM-DD`), which have no time zone.

const dayMs = 86_400_000;
const toMs = (day: string) => Date.parse(`${day}T00:00:00Z`);

/** The day so many days later; earlier with a negative number. */
export const addDays = (day: string, days: number): string =>
	new Date(toMs(day) + days * dayMs).toISOString().slice(0, 10);

/** Number of days from one to the other, both counted. */
export const daysBetween = (from: string, to: string): number => Math.round((toMs(to) - toMs(from)) / dayMs) + 1;

/** Today's day in a time zone. */
export const todayIn = (timeZone: string, now = new Date()): string =>
	new Intl.DateTimeFormat("en-CA", { timeZone, year: "numeric", month: "2-digit", day: "2-digit" }).format(now);

/** The time of day in a time zone, `14:03`. */
export const timeIn = (timeZone: string, now = new Date()): string =>
	new Intl.DateTimeFormat("en-GB", { timeZone, hour: "2-digit", minute: "2-digit" }).format(now);

/** True for a day that exists. */
export const isDay = (text: string): boolean =>
	/^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(toMs(text)) && new Date(toMs(text)).toISOString().startsWith(text);

/** A day, or the end of the range that it is beyond. */
export const dayWithin = (day: string, earliest: string, latest: string): string =>
	day > latest ? latest : day < earliest ? earliest : day;
