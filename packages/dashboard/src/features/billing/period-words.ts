import { day, days, month } from "../../lib/format.ts";

const dayMs = 86_400_000;
const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** A period, which ends before its end: a whole month by its name, any other by its days. */
export function periodWords(start: string, end: string): string {
	const first = start.slice(0, 10);
	const next = end.slice(0, 10);
	const begun = new Date(start);
	const isMonth = first.endsWith("-01") && dayOf(Date.UTC(begun.getUTCFullYear(), begun.getUTCMonth() + 1, 1)) === next;
	return isMonth ? month(first, "long") : days(first, dayOf(Date.parse(end) - dayMs));
}

/** The day of a moment. */
export const dayWords = (iso: string): string => day(iso.slice(0, 10), "long");
