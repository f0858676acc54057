export interface Interval {
	readonly low: number;
	readonly high: number;
}

/** How many deviations of a normal distribution hold 95 % of it. */
const Z = 1.96;
/** The same for 99 %, for rules that look at many values. */
export const Z_OF_MANY = 2.576;
/** The same for 99.7 %, for alarms. */
export const Z_OF_ALARM = 3;

/** Where a share lies with 95 %, or another certainty, by Wilson; `whole` is above 0. Parts beyond the whole count as the whole. */
export function wilson(part: number, whole: number, z = Z): Interval {
	const share = Math.min(1, part / whole);
	const width = 1 + z ** 2 / whole;
	const middle = (share + z ** 2 / (2 * whole)) / width;
	const half = (z / width) * Math.sqrt((share * (1 - share)) / whole + z ** 2 / (4 * whole ** 2));
	return { low: Math.max(0, middle - half), high: Math.min(1, middle + half) };
}

/** Where the usual count lies with 95 % when so many came. */
export function countInterval(count: number): Interval {
	const [middle, half] = [count + Z ** 2 / 2, Z * Math.sqrt(count + Z ** 2 / 4)];
	return { low: Math.max(0, middle - half), high: middle + half };
}

export const areApart = (one: Interval, other: Interval): boolean => one.high < other.low || other.high < one.low;

/** Standard deviations that a change must exceed: by chance less than one in a thousand counts does. */
const BEYOND_CHANCE = 3.29;

/** True when two counts of equally long times differ by more than chance; `spread` is 1 for what comes one by one. */
export const isBeyondChance = (now: number, before: number, spread = 1): boolean =>
	now !== before && Math.abs(now - before) / Math.sqrt((now + before) * spread) >= BEYOND_CHANCE;
