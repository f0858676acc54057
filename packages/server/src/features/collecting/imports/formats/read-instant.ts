import { remembered } from "../remembered.ts";

const DATE_TIME =
	/^(\d{4})[-/](\d{2})[-/](\d{2})[T ](\d{2}):(\d{2})(?::(\d{2}))?(?:[.,](\d{1,9}))? ?(Z|UTC|GMT|[+-]\d{2}(?::?\d{2})?)?(?: UTC)?$/i;
const WITH_ZONE = /(?:Z|UTC|GMT|[+-]\d{2}:?\d{2})$/i;
/** Numbers since 1970 below which one is in seconds, milliseconds and microseconds; above the last one in nanoseconds. */
const UNITS = [
	[1e11, 1000],
	[1e14, 1],
	[1e17, 1e-3],
	[Number.POSITIVE_INFINITY, 1e-6],
] as const;

/** The moment at which clocks of a zone show a time; where they show it twice, the first. Undefined for what is no time. */
export function wallTime(
	timeZone: string,
	[year, month, day, hour, minute, second]: readonly [number, number, number, number, number, number],
): number | undefined {
	try {
		const time = { timeZone, year, month, day, hour, minute, second: Math.min(second, 59) };
		return Temporal.ZonedDateTime.from(time, { overflow: "reject" }).epochMilliseconds;
	} catch {
		return undefined;
	}
}

/** Reads moments, ms since 1970: ISO 8601 and its variants, by default of `timezone`, and numbers, whose digits tell their unit. */
export function instantReader(timezone: string): (value: unknown) => number | undefined {
	const minuteOf = remembered(1000, (text) => {
		const [year = 0, month = 0, day = 0, hour = 0, minute = 0, zone = ""] = text.split(" ");
		return wallTime(zone, [Number(year), Number(month), Number(day), Number(hour), Number(minute), 0]);
	});
	return (value) => {
		const text = String(value).trim();
		if (/^\d+(?:\.\d+)?(?:e\+?\d+)?$/i.test(text)) return ofNumber(Number(text));
		const parts = DATE_TIME.exec(text);
		// Other forms, such as `Sat, 21 Nov 2026 09:00:00 GMT`; without a zone they would be read in that of the machine.
		if (parts === null) return WITH_ZONE.test(text) ? finite(Date.parse(text)) : undefined;
		const [, year, month, day, hour, at, second = "0", fraction = "0", zone] = parts;
		const minute = minuteOf([year, month, day, hour, at, zone === undefined ? timezone : zoneOf(zone)].join(" "));
		if (minute === undefined || Number(second) > 60) return undefined;
		return minute + Number(second) * 1000 + Math.floor(Number(`0.${fraction}`) * 1000);
	};
}

/** An offset as Temporal writes it: `+00`, `+0530` and `+05:30` are known. */
function zoneOf(text: string): string {
	const [, sign = "+", hours = "00", minutes = "00"] = /^([+-])(\d{2}):?(\d{2})?$/.exec(text) ?? [];
	return `${sign}${hours}:${minutes}`;
}

function ofNumber(value: number): number | undefined {
	const factor = UNITS.find(([below]) => value < below)?.[1];
	return factor === undefined ? undefined : finite(Math.round(value * factor));
}

/** The time, unless it is beyond the range of a `Date`. */
const finite = (at: number): number | undefined => (Number.isFinite(at) && Math.abs(at) < 8e15 ? at : undefined);
