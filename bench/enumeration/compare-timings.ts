/** The largest difference that is taken for none: below what an attacker sees through a network and the limits of the routes. */
export const TOLERANCE_MS = 0.5;
/** Chance of a false alarm of one comparison and side. Measure a second time for certainty. */
const FALSE_ALARM = 1e-3;

/** Result of comparing two series of timings. */
export interface Comparison {
	/** Median of all differences between a value of the first and one of the second series (Hodges and Lehmann), in ms. */
	readonly shiftMs: number;
	/** Chance of such values, or of values further apart, if the series differed by no more than the tolerance. */
	readonly chance: number;
	readonly differ: boolean;
}

/**
 * Compares two series of timings by the rank test of Mann and Whitney, once for each side, after the tolerance was taken
 * off. Ranks make it indifferent to the few slow outliers of a loaded machine. The question is not whether the series
 * are the same (no two pieces of work are, given enough tries), but whether they differ by more than the tolerance.
 */
export function compareTimings(
	first: readonly number[],
	second: readonly number[],
	toleranceMs: number = TOLERANCE_MS,
): Comparison {
	const slower = chanceOfGreater(
		first.map((value) => value - toleranceMs),
		second,
	);
	const faster = chanceOfGreater(
		second.map((value) => value - toleranceMs),
		first,
	);
	const chance = Math.min(slower, faster);
	return { shiftMs: medianDifference(first, second), chance, differ: chance < FALSE_ALARM };
}

/** One-sided chance of ranks this high in the first series if both came from one source (normal approximation). */
function chanceOfGreater(first: readonly number[], second: readonly number[]): number {
	const [n, m] = [first.length, second.length];
	let wins = 0;
	for (const a of first) for (const b of second) wins += a > b ? 1 : a === b ? 0.5 : 0;
	const spread = Math.sqrt((n * m * (n + m + 1)) / 12);
	return upperTail((wins - (n * m) / 2) / spread);
}

function medianDifference(first: readonly number[], second: readonly number[]): number {
	const differences = Float64Array.from(first.flatMap((a) => second.map((b) => a - b))).sort();
	const middle = differences.length >> 1;
	return differences.length % 2 === 1
		? (differences[middle] ?? Number.NaN)
		: ((differences[middle - 1] ?? Number.NaN) + (differences[middle] ?? Number.NaN)) / 2;
}

/** Chance that a standard normal value is above z (Abramowitz and Stegun, 7.1.26; the error is below 1.5e-7). */
function upperTail(z: number): number {
	const x = Math.abs(z) / Math.SQRT2;
	const t = 1 / (1 + 0.3275911 * x);
	const polynomial = ((((1.061405429 * t - 1.453152027) * t + 1.421413741) * t - 0.284496736) * t + 0.254829592) * t;
	const tail = (polynomial * Math.exp(-x * x)) / 2;
	return z >= 0 ? tail : 1 - tail;
}
