const months: Readonly<Record<string, number>> = {
	Jan: 0,
	Feb: 1,
	Mar: 2,
	Apr: 3,
	May: 4,
	Jun: 5,
	Jul: 6,
	Aug: 7,
	Sep: 8,
	Oct: 9,
	Nov: 10,
	Dec: 11,
};

const MINUTE = "21/Nov/2026:10:15".length;
const LENGTH = "21/Nov/2026:10:15:30 +0100".length;

/** Reads times such as `21/Nov/2026:10:15:30 +0100`; lines of a log mostly share their minute with the one before. */
export function logTimes(): (text: string, at: number) => number | undefined {
	let minute = "";
	let zone = "";
	let base = 0;
	return (text, at) => {
		if (text.length < at + LENGTH) return undefined;
		const seconds = twoDigits(text, at + MINUTE + 1);
		if (seconds === undefined || seconds > 60 || text.charCodeAt(at + MINUTE) !== 0x3a) return undefined;
		if (minute === "" || !text.startsWith(minute, at) || !text.startsWith(zone, at + MINUTE + 3)) {
			const begin = minuteOf(text, at);
			if (begin === undefined) return undefined;
			base = begin;
			minute = text.slice(at, at + MINUTE);
			zone = text.slice(at + MINUTE + 3, at + LENGTH);
		}
		return base + seconds * 1000;
	};
}

function minuteOf(text: string, at: number): number | undefined {
	const day = twoDigits(text, at);
	const month = months[text.slice(at + 3, at + 6)];
	const century = twoDigits(text, at + 7);
	const year = twoDigits(text, at + 9);
	const hour = twoDigits(text, at + 12);
	const minute = twoDigits(text, at + 15);
	const offset = offsetOf(text, at + MINUTE + 4);
	if (day === undefined || month === undefined || century === undefined || year === undefined) return undefined;
	if (hour === undefined || minute === undefined || offset === undefined || hour > 23 || minute > 59) return undefined;
	const instant = Date.UTC(century * 100 + year, month, day, hour, minute);
	// 31 February would be a day of March.
	return new Date(instant).getUTCDate() === day ? instant - offset : undefined;
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
