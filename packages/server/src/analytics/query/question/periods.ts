import type { DateRange } from "./date-range.ts";

type Day = Temporal.PlainDate;

const lastDays = (count: number) => (today: Day) => ({ start: today.subtract({ days: count - 1 }), end: today });

/** The Monday of a day's week. */
export const weekStart = (day: Day) => day.subtract({ days: day.dayOfWeek - 1 });
/** The first day of a day's month. */
export const monthStart = (day: Day) => day.with({ day: 1 });
const quarterStart = (day: Day) => day.with({ day: 1, month: day.month - ((day.month - 1) % 3) });
const yearStart = (day: Day) => day.with({ day: 1, month: 1 });

const from = (start: Day, length: Temporal.DurationLike) => ({ start, end: start.add(length).subtract({ days: 1 }) });

/** Every period alias with its days, given today in the site's time zone. */
export const periods = {
	today: (today) => ({ start: today, end: today }),
	yesterday: (today) => from(today.subtract({ days: 1 }), { days: 1 }),
	"7d": lastDays(7),
	"30d": lastDays(30),
	"90d": lastDays(90),
	"12m": lastDays(365),
	this_week: (today) => from(weekStart(today), { weeks: 1 }),
	last_week: (today) => from(weekStart(today).subtract({ weeks: 1 }), { weeks: 1 }),
	this_month: (today) => from(monthStart(today), { months: 1 }),
	last_month: (today) => from(monthStart(today).subtract({ months: 1 }), { months: 1 }),
	this_quarter: (today) => from(quarterStart(today), { months: 3 }),
	last_quarter: (today) => from(quarterStart(today).subtract({ months: 3 }), { months: 3 }),
	this_year: (today) => from(yearStart(today), { years: 1 }),
	last_year: (today) => from(yearStart(today).subtract({ years: 1 }), { years: 1 }),
	wtd: (today) => ({ start: weekStart(today), end: today }),
	mtd: (today) => ({ start: monthStart(today), end: today }),
	qtd: (today) => ({ start: quarterStart(today), end: today }),
	ytd: (today) => ({ start: yearStart(today), end: today }),
} as const satisfies Record<string, (today: Day) => DateRange>;

/** Name of a period. */
export type Period = keyof typeof periods;

/** Every period name. */
export const periodNames = Object.keys(periods) as readonly Period[];
