import { HOUR_MS } from "../../../platform/lib/durations.ts";
import type { Random } from "./random.ts";

/** Share of a day's visits by hour, from midnight on: quiet nights, a lunch peak, a higher evening one. */
const hourWeights = [
	1.1, 0.7, 0.5, 0.4, 0.4, 0.7, 1.6, 3.0, 4.4, 5.2, 5.6, 5.8, 6.0, 5.6, 5.3, 5.2, 5.4, 5.8, 6.2, 6.9, 7.6, 7.4, 5.6,
	3.0,
];
/** Sunday first. */
const weekdayWeights = [1.12, 1.04, 0.98, 0.96, 0.97, 0.9, 1.0];
/** How much more traffic the last day has than the first. */
const GROWTH = 0.6;

/** An hour of the seeded period. */
export interface ShapedHour {
	/** Its beginning, ms. */
	readonly start: number;
	/** Milliseconds; less than an hour where it was cut off. */
	readonly length: number;
	/** Its share of all visits. */
	readonly share: number;
}

/**
 * Spreads traffic over the `days` before `end` (ms), as far as they lie before `cut`: a weekly rhythm, a daily one, growth,
 * and days that are off the trend.
 */
export function shapeHours(random: Random, days: number, end: number, cut = end): ShapedHour[] {
	const first = end - days * 24 * HOUR_MS;
	const weights: number[] = [];
	for (let day = 0; day < days; day++) {
		const weekday = new Date(first + day * 24 * HOUR_MS).getUTCDay();
		const noise = 0.9 + 0.2 * random.next();
		const peak = random.chance(0.03) ? 1.6 : 1;
		const level = (1 + (GROWTH * day) / days) * (weekdayWeights[weekday] ?? 1) * noise * peak;
		for (const weight of hourWeights) weights.push(weight * level * (0.92 + 0.16 * random.next()));
	}
	const hours = weights.flatMap((weight, hour) => {
		const start = first + hour * HOUR_MS;
		const length = Math.min(HOUR_MS, cut - start);
		return length > 0 ? [{ start, length, weight: (weight * length) / HOUR_MS }] : [];
	});
	const total = hours.reduce((sum, { weight }) => sum + weight, 0);
	return hours.map(({ start, length, weight }) => ({ start, length, share: weight / total }));
}
