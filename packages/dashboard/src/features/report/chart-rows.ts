import type { ChartPoint, Stretch } from "./chart-points.ts";

interface Drawn {
	readonly points: readonly ChartPoint[];
	readonly metric: { readonly key: string };
	readonly second: { readonly key: string } | undefined;
}

const nameOf = ({ date, hour }: Stretch): string =>
	hour === undefined ? date : `${date} ${String(hour).padStart(2, "0")}:00`;

/** Figures of a chart as rows, without future points. */
export const chartRows = ({ points, metric, second }: Drawn): readonly object[] =>
	points.flatMap(({ at, now, before, second: other }) =>
		now === undefined
			? []
			: [
					{
						date: nameOf(at),
						[metric.key]: now,
						...(before && { date_prev: nameOf(before.at), [`${metric.key}_prev`]: before.value }),
						...(second && { [second.key]: other }),
					},
				],
	);
