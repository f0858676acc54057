import type { ForgottenDays } from "../sites/index.ts";

/** From the first moment of the first day to the last one of the last day, in the zone of the site. */
export function periodOf({ from, to, until }: ForgottenDays, timezone: string): { from: number; until: number } {
	const startOf = (day: Temporal.PlainDate) => day.toZonedDateTime(timezone).epochMilliseconds;
	const end = to === null ? until : startOf(Temporal.PlainDate.from(to).add({ days: 1 })) - 1;
	return { from: from === null ? 0 : startOf(Temporal.PlainDate.from(from)), until: Math.min(end, until) };
}
