import { language } from "./language.ts";

const locale = language === "es" ? "es-ES" : "en-GB";
// A number that rounds to zero has no sign.
const whole = new Intl.NumberFormat(locale, { maximumFractionDigits: 0, signDisplay: "negative" });
const compact = new Intl.NumberFormat(locale, { notation: "compact", maximumFractionDigits: 1 });
const decimal = new Intl.NumberFormat(locale, { minimumFractionDigits: 1, maximumFractionDigits: 1 });
const short = new Intl.NumberFormat(locale, { maximumFractionDigits: 2 });
const signedWhole = new Intl.NumberFormat(locale, { maximumFractionDigits: 0, signDisplay: "exceptZero" });
const signedCompact = new Intl.NumberFormat(locale, {
	notation: "compact",
	maximumFractionDigits: 1,
	signDisplay: "exceptZero",
});
const signedDecimal = new Intl.NumberFormat(locale, {
	minimumFractionDigits: 1,
	maximumFractionDigits: 1,
	signDisplay: "exceptZero",
});
const moneys = new Map<string, Intl.NumberFormat>();

/** Amounts get shorter as they grow, where their exact digits stand elsewhere. */
function money(currency: string, value: number, exact: boolean): Intl.NumberFormat {
	const size = exact || Math.abs(value) < 1_000 ? "exact" : Math.abs(value) < 100_000 ? "whole" : "compact";
	const key = `${currency} ${size}`;
	let found = moneys.get(key);
	if (found === undefined) {
		found = new Intl.NumberFormat(locale, {
			...{ style: "currency", currency },
			...(size === "whole" && { maximumFractionDigits: 0 }),
			...(size === "compact" && { notation: "compact", maximumFractionDigits: 1 }),
		});
		moneys.set(key, found);
	}
	return found;
}

/** How a metric is written. */
export type Kind = "count" | "rate" | "ratio" | "money" | "duration";

function duration(seconds: number): string {
	const total = Math.round(seconds);
	const [hours, minutes, rest] = [Math.floor(total / 3600), Math.floor((total % 3600) / 60), total % 60];
	if (hours > 0) return `${hours} h ${minutes} min`;
	return minutes > 0 ? `${minutes} min ${rest} s` : `${rest} s`;
}

/** A figure for tiles and bars: a count is whole below 10,000, an amount below 100,000, then compact; the exact one is {@link exact}. */
export function figure(value: number, kind: Kind, currency = "EUR"): string {
	if (kind === "count") return Math.abs(value) < 10_000 ? whole.format(value) : compact.format(value);
	return written(value, kind, currency, false);
}

/** A figure with all its digits, for tables and tooltips. */
export const exact = (value: number, kind: Kind, currency = "EUR"): string => written(value, kind, currency, true);

/** A price in cents as offers write it: whole amounts without cents, others with both digits. */
export function price(cents: number, currency = "EUR"): string {
	const digits = cents % 100 === 0 ? 0 : 2;
	const style = { style: "currency", currency, minimumFractionDigits: digits, maximumFractionDigits: digits } as const;
	return new Intl.NumberFormat(locale, style).format(cents / 100);
}

/** A round figure beside an axis: no more digits than it needs. */
export function tick(value: number, kind: Kind, currency = "EUR"): string {
	if (kind === "rate") return `${short.format(value)} %`;
	if (kind !== "money") return figure(value, kind, currency);
	const [start, end] = moneyAround(currency);
	return `${start}${Math.abs(value) < 10_000 ? short.format(value) : compact.format(value)}${end}`;
}

/** Text before and after an amount: the currency sign where the language puts it. */
function moneyAround(currency: string): readonly [string, string] {
	const parts = money(currency, 1_000, false).formatToParts(1_000);
	const at = parts.findIndex(({ type }) => type === "integer");
	const text = (some: typeof parts) =>
		some
			.filter(({ type }) => type === "currency" || type === "literal")
			.map(({ value }) => value)
			.join("");
	return [text(parts.slice(0, at)), text(parts.slice(at))];
}

function written(value: number, kind: Kind, currency: string, wholeDigits: boolean): string {
	if (kind === "rate") return `${decimal.format(value)} %`;
	if (kind === "ratio") return decimal.format(value);
	if (kind === "money") return money(currency, value, wholeDigits).format(value);
	if (kind === "duration") return duration(value);
	return whole.format(value);
}

/** A difference with its sign. */
export function difference(value: number, kind: Kind, currency = "EUR"): string {
	if (kind === "rate") return signedDecimal.format(value);
	if (kind === "money") return `${value > 0 ? "+" : ""}${figure(value, kind, currency)}`;
	return Math.abs(value) < 10_000 ? signedWhole.format(value) : signedCompact.format(value);
}

/** Percent with its sign, whole: `+12 %`. */
export const signedPercent = (value: number): string => `${signedWhole.format(value)} %`;

/** A share in whole percent: `78 %`. */
export const percent = (value: number): string => `${whole.format(value)} %`;

/** Percentage points with their sign: `+1.3`. */
export const signedPoints = (value: number): string => signedDecimal.format(value);

/** How often a whole number is written with all digits: counts of rows and the like. */
export const count = (value: number): string => whole.format(value);

/** A day (`YYYY-MM-DD`) as people write it. It is a day of the site, so no time zone may move it. */
export const day = (iso: string, style: "short" | "long" = "short"): string =>
	(style === "short" ? shortDay : longDay).format(new Date(`${iso}T00:00:00Z`));
const shortDay = new Intl.DateTimeFormat(locale, { timeZone: "UTC", day: "numeric", month: "short" });
const longDay = new Intl.DateTimeFormat(locale, {
	timeZone: "UTC",
	weekday: "short",
	day: "numeric",
	month: "short",
	year: "numeric",
});

const yearlyDay = new Intl.DateTimeFormat(locale, { timeZone: "UTC", day: "numeric", month: "short", year: "numeric" });
/** Days from one to the other, `24 Oct – 22 Nov`; the year stands there when it is not this one. */
export function days(from: string, to: string): string {
	const thisYear = String(new Date().getFullYear());
	const isThisYear = from.startsWith(thisYear) && to.startsWith(thisYear);
	return (isThisYear ? shortDay : yearlyDay).formatRange(new Date(`${from}T00:00:00Z`), new Date(`${to}T00:00:00Z`));
}

const longMonth = new Intl.DateTimeFormat(locale, { timeZone: "UTC", month: "long", year: "numeric" });
const shortMonth = new Intl.DateTimeFormat(locale, { timeZone: "UTC", month: "short", year: "2-digit" });
/** The month of a day, `November 2026`. */
export const month = (iso: string, style: "short" | "long" = "short"): string =>
	(style === "short" ? shortMonth : longMonth).format(new Date(`${iso}T00:00:00Z`));

const weekdayNames = (style: "short" | "long"): readonly string[] =>
	[1, 2, 3, 4, 5, 6, 7].map((date) =>
		new Intl.DateTimeFormat(locale, { timeZone: "UTC", weekday: style }).format(new Date(Date.UTC(2024, 0, date))),
	);
/** Names of the weekdays from Monday on. */
export const weekdays = weekdayNames("short");
export const longWeekdays = weekdayNames("long");

const moment = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "short" });
/** A moment in the reader's own zone. */
export const time = (iso: string): string => moment.format(new Date(iso));

/** The time of day in a zone, the reader's own unless told: `14:03`, or with seconds `14:03:21`. */
export function clock(moment: Date | string, timeZone?: string, precision: "minute" | "second" = "minute"): string {
	const key = `${timeZone} ${precision}`;
	let found = clocks.get(key);
	if (found === undefined) {
		found = new Intl.DateTimeFormat(locale, {
			hour: "2-digit",
			minute: "2-digit",
			...(precision === "second" && { second: "2-digit" }),
			...(timeZone !== undefined && { timeZone }),
		});
		clocks.set(key, found);
	}
	return found.format(new Date(moment));
}
const clocks = new Map<string, Intl.DateTimeFormat>();

const relative = new Intl.RelativeTimeFormat(locale, { numeric: "auto" });
/** How long ago, in the largest unit that fits. */
export function ago(iso: string, now = Date.now()): string {
	const seconds = Math.round((new Date(iso).getTime() - now) / 1000);
	for (const [unit, size] of [
		["day", 86_400],
		["hour", 3_600],
		["minute", 60],
	] as const) {
		if (Math.abs(seconds) >= size) return relative.format(Math.trunc(seconds / size), unit);
	}
	return relative.format(seconds, "second");
}

const regions = new Intl.DisplayNames(locale, { type: "region", fallback: "code" });
/** The name of a country, `ES` -> `Spain`; codes that are none stay. */
export const country = (code: string): string => (/^[A-Z]{2}$/.test(code) ? (regions.of(code) ?? code) : code);
