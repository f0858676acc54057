interface SparklinePath {
	readonly line: string;
	readonly area: string;
	/** From the last whole day to the one that still runs. */
	readonly running: string;
}

const rounded = (value: number): number => Math.round(value * 100) / 100;

/** A line of values in a box: zero at its foot, the largest value a pixel below its top. */
export function sparklinePath(values: readonly number[], width: number, height: number): SparklinePath {
	const most = Math.max(1, ...values);
	const step = values.length > 1 ? width / (values.length - 1) : 0;
	const points = values.map(
		(value, at) => `${rounded(at * step)} ${rounded(height - 1 - (value / most) * (height - 2))}`,
	);
	if (points.length < 2) return { line: "", area: "", running: "" };
	return {
		line: `M${points.slice(0, -1).join("L")}`,
		area: `M0 ${height}L${points.join("L")}L${width} ${height}Z`,
		running: `M${points.slice(-2).join("L")}`,
	};
}
