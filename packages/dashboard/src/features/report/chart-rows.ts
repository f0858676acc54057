import type { ChartPoint, Stretch } from "./chart-points.ts";

interface Drawn {
	readonly points: readonly ChartPoint[];
	readonly metric: { readonly key: string };
	readonly second: { readonly key: string } | undefined;
}

const nameOf = ({ date, hour }: Stretch): string =>
	hour === undefined ? date : `${date} ${String(hour).padStart(2, "0")}:00`;

/** The figures of a chart as rows, the names of their columns first. What is yet to come is left out. */
export function chartRows({ points, metric, second }: Drawn): readonly (readonly (string | number)[])[] {
	const isCompared = points.some(({ before }) => before !== undefined);
	const head = [
		"date",
		metric.key,
		...(isCompared ? ["date_prev", `${metric.key}_prev`] : []),
		...(second ? [second.key] : []),
	];
	const rows = points.flatMap((point) =>
		point.now === undefined
			? []
			: [
					[
						nameOf(point.at),
						point.now,
						...(isCompared ? [point.before ? nameOf(point.before.at) : "", point.before?.value ?? ""] : []),
						...(second ? [point.second ?? ""] : []),
					],
				],
	);
	return [head, ...rows];
}
