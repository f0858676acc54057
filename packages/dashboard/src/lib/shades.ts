const shades = 5;

/**
 * Where each of up to five shades begins. They widen by a factor where few values are large and many small, as those of
 * countries are; `even` ones are equally wide. The largest value has the darkest shade.
 */
export function limitsOf(values: readonly number[], steps: "by factor" | "even" = "by factor"): readonly number[] {
	const some = values.filter((value) => value > 0);
	if (some.length === 0) return [];
	const [least, most] = [Math.min(...some), Math.max(...some)];
	const limits = Array.from({ length: shades }, (_, at) => {
		const share = at / shades;
		return round(steps === "even" ? least + (most - least) * share : least * (most / least) ** share, least);
	});
	return [...new Set(limits)];
}

/** Two digits say enough in a legend; never above the least value, which would lose its shade. */
function round(limit: number, least: number): number {
	const unit = 10 ** Math.max(0, Math.floor(Math.log10(limit)) - 1);
	// A hair more, as powers of fractions end just below whole numbers.
	const rounded = Math.floor(limit / unit + 1e-9) * unit;
	return rounded === 0 ? least : rounded;
}

/** The shade of a value, from 1 on; 0 for none. */
export const shadeOf = (limits: readonly number[], value: number): number =>
	limits.filter((limit) => value >= limit && value > 0).length;
