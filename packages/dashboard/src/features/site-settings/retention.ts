/** How long data can be kept, in months, beside for ever. */
const offered = [1, 3, 6, 12, 13, 24, 25, 36, 60];

/** The choices for a site that keeps its data so long. */
export const choices = (months: number | null): readonly number[] =>
	[...new Set([...offered, ...(months === null ? [] : [months])])].sort((a, b) => a - b);

/** True when something ends that would have been kept. */
export const isShorter = (months: number | null, before: number | null): boolean =>
	months !== null && (before === null || months < before);

/** The first day that is kept; a month that is too short ends with its last day. */
export function firstKept(today: string, months: number): string {
	const [year = 0, month = 1, date = 1] = today.split("-").map(Number);
	const last = new Date(Date.UTC(year, month - months, 0)).getUTCDate();
	return new Date(Date.UTC(year, month - 1 - months, Math.min(date, last))).toISOString().slice(0, 10);
}
