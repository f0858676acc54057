import { count, exact } from "../../lib/format.ts";
import { BarChart } from "../../ui/charts/bar-chart.tsx";
import {
	type Dimension,
	filterFields,
	isChosen,
	useChangeSearch,
	useSiteSearch,
	valueName,
	withValue,
} from "../site/index.ts";
import styles from "./goals.module.css";

/** A row of the API: the values that name it, and its share. */
export interface SplitRow {
	readonly count: number;
	readonly percentage: number;
	readonly [dimension: string]: string | number;
}

interface SplitListProps {
	readonly label: string;
	/** Dimensions that name a row; empty values are omitted except the first. */
	readonly by: readonly Dimension[];
	readonly rows: readonly SplitRow[];
}

/** As many as one looks at. */
const shown = 8;

/** The values that the most come from; a click filters by those of a row. */
export function SplitList({ label, by, rows }: SplitListProps) {
	const { f } = useSiteSearch();
	const change = useChangeSearch();
	return (
		<div>
			<h4 className={styles.splitName}>{label}</h4>
			<BarChart
				label={label}
				rows={rows.slice(0, shown).map((row) => {
					const pairs = by
						.map((name, at) => ({ name, value: String(row[name] ?? ""), isFirst: at === 0 }))
						.filter(({ value, isFirst }) => isFirst || value !== "");
					const fields = pairs.flatMap(({ name, value }) => {
						const field = filterFields.find((one) => one === name);
						return field === undefined ? [] : [{ field, value }];
					});
					const isOn = fields.every(({ field, value }) => isChosen(f, field, value));
					return {
						key: JSON.stringify(pairs),
						label: pairs.map(({ name, value }) => valueName(name, value)).join(" / "),
						values: [{ value: row.count, text: `${count(row.count)} · ${exact(row.percentage, "rate")}` }],
						isChosen: isOn,
						onClick: () =>
							change({
								f: fields.reduce<readonly string[]>(
									(filters, { field, value }) =>
										isChosen(filters, field, value) === isOn ? withValue(filters, field, value) : filters,
									f,
								),
							}),
					};
				})}
			/>
		</div>
	);
}
