/** The value below which the share `q` of the sorted numbers lies; 0 when there are none. */
export function quantile(sorted: ArrayLike<number>, q: number): number {
	if (sorted.length === 0) return 0;
	return sorted[Math.min(sorted.length - 1, Math.ceil(q * sorted.length) - 1)] ?? 0;
}
