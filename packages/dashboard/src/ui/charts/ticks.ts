/** The least of 1, 2 or 5 times a power of ten that is not below. */
function roundStep(least: number): number {
	const power = 10 ** Math.floor(Math.log10(least));
	const factor = [1, 2, 5].find((one) => one * power >= least * (1 - 1e-9)) ?? 10;
	return factor * power;
}

/** Round values, zero among them, that cover all from `min` to `max`; `whole` for what comes in whole numbers only. */
export function valueTicks(min: number, max: number, { wanted = 4, whole = false } = {}): readonly number[] {
	const [low, high] = [Math.min(0, min), Math.max(0, max)];
	if (low === high) return [0, 1];
	const fitting = roundStep((high - low) / wanted);
	const step = whole ? Math.max(1, fitting) : fitting;
	const first = Math.floor(low / step + 1e-9);
	const last = Math.ceil(high / step - 1e-9);
	// Multiples are rounded, as 3 x 0.1 is not 0.3.
	return Array.from({ length: last - first + 1 }, (_, at) => Number(((first + at) * step).toPrecision(12)) + 0);
}

/** Round values from zero on, so many steps up to the largest: a second axis that shares the lines of the first one. */
export function sharedTicks(max: number, steps: number, whole = false): readonly number[] {
	if (max <= 0) return [0];
	const fitting = roundStep(max / steps);
	const step = whole ? Math.max(1, fitting) : fitting;
	return Array.from({ length: steps + 1 }, (_, at) => Number((at * step).toPrecision(12)));
}

/** At most `most` of `count` points, from the first one on, as many points from each to the next. */
export function pointTicks(count: number, most: number): readonly number[] {
	const step = Math.max(1, Math.ceil((count - 1) / Math.max(1, most - 1)));
	return Array.from({ length: Math.ceil(count / step) }, (_, at) => at * step);
}
