import { wallTime } from "../read-instant.ts";

const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

const MINUTE = "21/Nov/2026:10:15".length;
const LOCAL_LENGTH = "21/Nov/2026:10:15:30".length;
const LENGTH = "21/Nov/2026:10:15:30 +0100".length;
const COLON = 0x3a;
const SPACE = 0x20;

/**
 * Reads times such as `21/Nov/2026:10:15:30 +0100`; one without an offset is of `timezone`. Lines of a log mostly share their
 * minute with the one before.
 */
export function logTimes(timezone: string): (text: string, at: number) => number | undefined {
	let minute = "";
	let zone = "";
	let base = 0;
	return (text, at) => {
		const seconds = twoDigits(text, at + MINUTE + 1);
		if (seconds === undefined || seconds > 60 || text.charCodeAt(at + MINUTE) !== COLON) return undefined;
		const hasOffset = text.charCodeAt(at + LOCAL_LENGTH) === SPACE;
		const end = at + (hasOffset ? LENGTH : LOCAL_LENGTH);
		if (minute === "" || !text.startsWith(minute, at) || zone !== text.slice(at + LOCAL_LENGTH, end)) {
			const begin = minuteOf(text, at, hasOffset ? undefined : timezone);
			if (begin === undefined) return undefined;
			base = begin;
			minute = text.slice(at, at + MINUTE);
			zone = text.slice(at + LOCAL_LENGTH, end);
		}
		return base + seconds * 1000;
	};
}

function minuteOf(text: string, at: number, timezone: string | undefined): number | undefined {
	const day = twoDigits(text, at);
	const month = months.indexOf(text.slice(at + 3, at + 6)) + 1;
	const century = twoDigits(text, at + 7);
	const year = twoDigits(text, at + 9);
	const hour = twoDigits(text, at + 12);
	const minute = twoDigits(text, at + 15);
	const offset = timezone === undefined ? offsetOf(text, at + LOCAL_LENGTH + 1) : 0;
	if (day === undefined || month === 0 || century === undefined || year === undefined) return undefined;
	if (hour === undefined || minute === undefined || offset === undefined) return undefined;
	const time = wallTime(timezone ?? "UTC", [century * 100 + year, month, day, hour, minute, 0]);
	return time === undefined ? undefined : time - offset;
}

function offsetOf(text: string, at: number): number | undefined {
	const sign = text[at];
	const hours = twoDigits(text, at + 1);
	const minutes = twoDigits(text, at + 3);
	if ((sign !== "+" && sign !== "-") || hours === undefined || minutes === undefined) return undefined;
	return (sign === "-" ? -1 : 1) * (hours * 60 + minutes) * 60_000;
}

function twoDigits(text: string, at: number): number | undefined {
	const tens = text.charCodeAt(at) - 0x30;
	const ones = text.charCodeAt(at + 1) - 0x30;
	return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : undefined;
}
