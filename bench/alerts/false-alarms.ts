// How often rules fire at traffic in which nothing happens: 90 days with the shape of days and weeks, and chance.
import { type Judging, judge } from "../../packages/server/src/features/delivering/alerts/judge.ts";
import { baselineWindows, currentWindow } from "../../packages/server/src/features/delivering/alerts/read-values.ts";
import {
	type BaselinePeriod,
	type ComparisonWindow,
	windowMs,
} from "../../packages/server/src/features/delivering/alerts/vocabulary.ts";

const MINUTE = 60_000;
const DAY = 1440 * MINUTE;
const START = Date.parse("2026-02-02T00:00:00Z");
/** Days that are watched, after those that the longest baseline of these rules needs. */
const [WATCHED, WARM_UP] = [90, 30];
/** Summer time begins among them. */
const timezone = "Europe/Madrid";
const COOLDOWN = 60 * MINUTE;

interface WatchRule extends Judging {
	readonly title: string;
	readonly period: BaselinePeriod;
	readonly length: ComparisonWindow;
}

const spike = {
	alert_type: "traffic_spike",
	condition_type: "percentage_change",
	threshold_value: 50,
	threshold_direction: "both",
} as const;
const rules: readonly WatchRule[] = [
	{ ...spike, title: "default: spike of 50 %, 1h against 7d", period: "7d", length: "1h" },
	{ ...spike, title: "drop of 50 %, 1h against 7d", alert_type: "traffic_drop", period: "7d", length: "1h" },
	{ ...spike, title: "spike of 50 %, 24h against 7d", period: "7d", length: "24h" },
	{
		...spike,
		title: "either way, 4 deviations, 1h against 30d",
		alert_type: "custom",
		condition_type: "std_deviation",
		threshold_value: 4,
		period: "30d",
		length: "1h",
	},
];

/** Numbers from 0 to 1 that are the same at every run (mulberry32). */
function numbersFrom(seed: number): () => number {
	let state = seed;
	return () => {
		state = (state + 0x6d2b79f5) | 0;
		let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
		mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
	};
}

/** How many arrive where so many are usual (Knuth). */
function arrivals(usual: number, random: () => number): number {
	const limit = Math.exp(-usual);
	let count = 0;
	for (let product = random(); product > limit; product *= random()) count++;
	return count;
}

/** How busy an hour is against the mean: quiet nights, and two thirds of the visitors at weekends. */
function busyness(at: number): number {
	const { hour, dayOfWeek } = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(timezone);
	return (dayOfWeek > 5 ? 2 / 3 : 1) * (1 + 0.9 * Math.sin(((hour - 9) / 24) * 2 * Math.PI));
}

/** Page views until each minute; days differ by a tenth. */
function traffic(perDay: number, random: () => number): Float64Array {
	const sums = new Float64Array((WARM_UP + WATCHED) * 1440 + 1);
	let ofDay = 1;
	let ofHour = 1;
	for (let minute = 0; minute < sums.length - 1; minute++) {
		if (minute % 1440 === 0) ofDay = 0.9 + 0.2 * random();
		if (minute % 60 === 0) ofHour = busyness(START + minute * MINUTE);
		sums[minute + 1] = (sums[minute] ?? 0) + arrivals((perDay / 1440) * ofDay * ofHour, random);
	}
	return sums;
}

/** Incidents that a rule opens. */
function incidents(rule: WatchRule, sums: Float64Array): number {
	const count = ({ from, until }: { from: number; until: number }) =>
		(sums[(until - START) / MINUTE] ?? 0) - (sums[(from - START) / MINUTE] ?? 0);
	let opened = 0;
	let isOpen = false;
	let calmSince: number | undefined;
	let quietUntil = 0;
	for (let until = START + WARM_UP * DAY; until <= START + (WARM_UP + WATCHED) * DAY; until += MINUTE) {
		const baseline = baselineWindows({ ...rule, timezone }, until).filter(({ from }) => from >= START);
		const value = count(currentWindow(rule.length, until));
		const { fires } = judge(rule, { value, before: undefined, baseline: baseline.map(count), isRunning: true });
		if (!isOpen && fires === true && until >= quietUntil) {
			isOpen = true;
			opened++;
			calmSince = undefined;
		} else if (isOpen && fires === true) calmSince = undefined;
		else if (isOpen && calmSince === undefined) calmSince = until;
		else if (isOpen && calmSince !== undefined && until - calmSince >= windowMs[rule.length]) {
			isOpen = false;
			quietUntil = until + COOLDOWN;
		}
	}
	return opened;
}

/** Prints the false alarms of rules at sites of several sizes. */
export function printFalseAlarms(sizes: readonly number[]): void {
	console.log(`False alarms in ${WATCHED} days of usual traffic, looked at every minute`);
	console.log(`${"page views a day".padEnd(44)}${sizes.map((size) => String(size).padStart(9)).join("")}`);
	const sites = sizes.map((size) => traffic(size, numbersFrom(size)));
	for (const rule of rules) {
		const found = sites.map((sums) => String(incidents(rule, sums)).padStart(9)).join("");
		console.log(`${rule.title.padEnd(44)}${found}`);
	}
}
