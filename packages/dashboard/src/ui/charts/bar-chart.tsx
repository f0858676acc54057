import type { CSSProperties } from "react";
import { Cut } from "../cut/cut.tsx";
import styles from "./bar-chart.module.css";

/** A row of bars. */
export interface BarRow {
	readonly key: string;
	readonly label: string;
	/** One value a series. */
	readonly values: readonly {
		readonly value: number;
		readonly text: string;
		/** The figure to its last digit, where `text` is a short one. */
		readonly whole?: string;
	}[];
	readonly isChosen?: boolean;
	/** Click on the row; a row without is not a button. */
	readonly onClick?: (() => void) | undefined;
}

interface BarChartProps {
	/** Names the chart. */
	readonly label: string;
	readonly rows: readonly BarRow[];
	/** Names of the series, where there are several. */
	readonly series?: readonly string[];
}

/** At most these have a colour of their own. */
export const seriesColours = 8;
const colour = (at: number) => `var(--series-${at + 1})`;

/** Bars that lie, each with its figure: text for everybody, so it needs no other form. A single series lies behind the names. */
export function BarChart({ label, rows, series = [] }: BarChartProps) {
	const most = Math.max(...rows.flatMap(({ values }) => values.map(({ value }) => value)), 0);
	const shareOf = (value: number) => (most > 0 ? value / most : 0);
	const isSingle = rows.every(({ values }) => values.length === 1);
	return (
		<ul aria-label={label} className={styles.rows}>
			{rows.map((row) =>
				isSingle ? (
					<SingleRow key={row.key} row={row} shareOf={shareOf} />
				) : (
					<GroupedRow key={row.key} row={row} series={series} shareOf={shareOf} />
				),
			)}
		</ul>
	);
}

interface RowProps {
	readonly row: BarRow;
	readonly shareOf: (value: number) => number;
}

const Name = ({ row: { label, isChosen, onClick } }: Pick<RowProps, "row">) =>
	onClick ? (
		<button type="button" className={styles.label} aria-pressed={isChosen} onClick={onClick}>
			<Cut text={label} />
		</button>
	) : (
		<span className={styles.label}>
			<Cut text={label} />
		</span>
	);

const SingleRow = ({ row, shareOf }: RowProps) => (
	<li className={styles.single} style={{ "--share": shareOf(row.values[0]?.value ?? 0) } as CSSProperties}>
		<Name row={row} />
		<span className={styles.value} title={row.values[0]?.whole}>
			{row.values[0]?.text}
		</span>
	</li>
);

const GroupedRow = ({ row, series, shareOf }: RowProps & { readonly series: readonly string[] }) => (
	<li className={styles.row}>
		<Name row={row} />
		<div className={styles.bars}>
			{row.values.map(({ value, text }, at) => (
				<div key={series[at] ?? at} className={styles.bar} style={{ "--share": shareOf(value) } as CSSProperties}>
					<div className={styles.fill} style={{ background: colour(at) }} />
					<span className={styles.value}>{text}</span>
					<span className={styles.series}>
						<Cut text={series[at] ?? ""} />
					</span>
				</div>
			))}
		</div>
	</li>
);

/** Which colour is which series. */
export const Legend = ({ series }: { readonly series: readonly string[] }) => (
	<ul className={styles.legend} aria-hidden="true">
		{series.map((name, at) => (
			<li key={name}>
				<span className={styles.swatch} style={{ background: colour(at) }} />
				{name}
			</li>
		))}
	</ul>
);
