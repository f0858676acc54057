/** Maps values onto pixels: the first of `from` falls on the first of `to`. A range without extent falls on its first pixel. */
export function linear(from: readonly [number, number], to: readonly [number, number]): (value: number) => number {
	const extent = from[1] - from[0];
	return (value) => (extent === 0 ? to[0] : to[0] + ((value - from[0]) / extent) * (to[1] - to[0]));
}

/** The point of `count` evenly spread ones that is nearest to a share (0-1) of the way. */
export const nearestPoint = (share: number, count: number): number =>
	Math.max(0, Math.min(count - 1, Math.round(share * (count - 1))));
