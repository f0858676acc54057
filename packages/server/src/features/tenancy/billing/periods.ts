/** Days `YYYY-MM-DD`; the end is not part of it. */
export interface Period {
	readonly start: string;
	readonly end: string;
}

/** The life of a subscription in days, and the day from which its months are counted. */
export interface Term {
	readonly start: string;
	/** Null while it is open. */
	readonly end: string | null;
	readonly anchor: string;
}

const earlier = (a: string, b: string | null | undefined): string => (b != null && b < a ? b : a);
const later = (a: string, b: string | null | undefined): string => (b != null && b > a ? b : a);

/**
 * The period of a day: a month of the subscription that ran then, else the calendar month, cut where a subscription
 * begins or ends. A yearly subscription has months too, as a plan's events are monthly; days before the anchor are its
 * trial. Every day is in exactly one period.
 */
export function periodAt(subscriptions: readonly Term[], day: string): Period {
	const terms = withoutOverlaps(subscriptions);
	const term = terms.findLast(({ start, end }) => start <= day && (end === null || day < end));
	if (term === undefined) {
		const { start, end } = calendarMonth(day);
		const before = terms.findLast((one) => one.start <= day);
		const next = terms.find((one) => one.start > day);
		return { start: later(start, before?.end), end: earlier(end, next?.start) };
	}
	const { start, end } =
		day < term.anchor ? { start: term.start, end: term.anchor } : monthFrom(Temporal.PlainDate.from(term.anchor), day);
	return { start: later(start, term.start), end: earlier(end, term.end) };
}

/** Of two that ran at once the later one counts. */
function withoutOverlaps(terms: readonly Term[]): Term[] {
	const sorted = terms.toSorted((a, b) => (a.start < b.start ? -1 : a.start > b.start ? 1 : 0));
	return sorted
		.map((term, at) => {
			const next = sorted[at + 1]?.start;
			return { ...term, end: next === undefined ? term.end : earlier(term.end ?? next, next) };
		})
		.filter(({ start, end }) => end === null || start < end);
}

function calendarMonth(day: string): Period {
	const start = Temporal.PlainDate.from(day).with({ day: 1 });
	return { start: start.toString(), end: start.add({ months: 1 }).toString() };
}

/** The month, counted from a day on, in which a later day lies. A month without that day begins at its last. */
function monthFrom(anchor: Temporal.PlainDate, day: string): Period {
	const { year, month } = Temporal.PlainDate.from(day);
	const months = (year - anchor.year) * 12 + month - anchor.month;
	const from = anchor.add({ months }).toString() > day ? months - 1 : months;
	return { start: anchor.add({ months: from }).toString(), end: anchor.add({ months: from + 1 }).toString() };
}

/** The period before another one. */
export const periodBefore = (subscriptions: readonly Term[], { start }: Period): Period =>
	periodAt(subscriptions, Temporal.PlainDate.from(start).subtract({ days: 1 }).toString());
