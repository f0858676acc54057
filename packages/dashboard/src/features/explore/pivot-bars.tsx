import { figure } from "../../lib/format.ts";
import { BarChart, seriesColours } from "../../ui/charts/bar-chart.tsx";
import { metricOf, useSite, valueName } from "../site/index.ts";
import type { PivotAnswer } from "./ask-pivot.ts";
import { amountOf } from "./figures.ts";
import { columnName, type Pairs } from "./pairs.ts";
import { keyOf } from "./pivot.ts";
import { t } from "./texts.ts";

interface PivotBarsProps {
	readonly answer: PivotAnswer;
	readonly onFilter: (pairs: Pairs) => void;
}

/** The first figure of the outer groups as bars, one a column. */
export function PivotBars({ answer: { pivot, groups, columns }, onFilter }: PivotBarsProps) {
	const { currency } = useSite();
	const [dimension] = pivot.rows;
	const [key = "entrances"] = pivot.figures;
	const { kind, label } = metricOf(key);
	const shown = columns.slice(0, seriesColours);
	return (
		<BarChart
			label={`${label}, ${t.bars}`}
			series={shown.map((column) => columnName(column, pivot.columns))}
			rows={groups.map(({ path, total, cells }) => {
				const value = path[0] ?? null;
				const rows = shown.length > 0 ? shown.map((column) => cells.get(keyOf(column, pivot.columns))) : [total];
				return {
					key: JSON.stringify(path),
					label: dimension ? valueName(dimension, value) : t.all,
					values: rows.map((row) => ({ value: amountOf(key, row), text: figure(amountOf(key, row), kind, currency) })),
					onClick: dimension && (() => onFilter([[dimension, value]])),
				};
			})}
		/>
	);
}
