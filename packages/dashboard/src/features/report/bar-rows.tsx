import { type CSSProperties, useContext } from "react";
import { classes } from "../../lib/classes.ts";
import { exact, figure } from "../../lib/format.ts";
import { texts } from "../../lib/language.ts";
import { Baseline } from "../../ui/change/baseline.ts";
import { Change } from "../../ui/change/change.tsx";
import { Cut } from "../../ui/cut/cut.tsx";
import { useSite } from "../site/index.ts";
import styles from "./bar-rows.module.css";
import { before, type Row } from "./list-answer.ts";
import { columnOf, shownValue } from "./list-words.ts";
import type { Column, List } from "./lists.ts";
import { RowMenu } from "./row-menu.tsx";
import { useValueFilter } from "./use-value-filter.ts";

const t = texts({
	en: { hint: "Click to filter. Alt-click to exclude." },
	es: { hint: "Clic: filtrar. Alt y clic: excluir." },
});

interface BarRowsProps {
	readonly list: List;
	readonly rows: readonly Row[];
	/** The figure that the bars show. */
	readonly column: Column;
}

/** Rows with a bar each, as long as its share of the largest. A click filters by the row, with Alt it leaves it out. */
export function BarRows({ list, rows, column }: BarRowsProps) {
	const filter = useValueFilter(list.field);
	const largest = Math.max(...rows.map(({ figures }) => figures[column] ?? 0));
	const isCompared = useContext(Baseline) === undefined && rows.some((row) => before(row, column) !== undefined);
	return (
		<ol className={classes(styles.rows, !isCompared && styles.plain)}>
			{rows.map((row) => {
				const share = { "--share": largest > 0 ? (row.figures[column] ?? 0) / largest : 0 } as CSSProperties;
				const cells = <Cells list={list} row={row} column={column} isCompared={isCompared} />;
				return (
					<li key={row.value} className={styles.row} style={share}>
						{filter.isOffered ? (
							<button
								type="button"
								className={styles.cells}
								aria-pressed={filter.isChosen(row.value)}
								aria-description={t.hint}
								{...filter.aheadOf(row.value)}
								onClick={(event) => filter.choose(row.value, event.altKey ? "exclude" : "include")}
							>
								{cells}
							</button>
						) : (
							<span className={styles.cells}>{cells}</span>
						)}
						<RowMenu
							list={list}
							value={row.value}
							shown={shownValue(list, row.value)}
							isChosen={filter.isChosen(row.value)}
							isOffered={filter.isOffered}
							onChoose={(way) => filter.choose(row.value, way)}
						/>
					</li>
				);
			})}
		</ol>
	);
}

interface CellsProps {
	readonly list: List;
	readonly row: Row;
	readonly column: Column;
	readonly isCompared: boolean;
}

function Cells({ list, row, column, isCompared }: CellsProps) {
	const { currency } = useSite();
	const { kind, good } = columnOf(list, column);
	const now = row.figures[column] ?? 0;
	return (
		<>
			<Cut text={shownValue(list, row.value)} className={styles.name} />
			<span className={styles.figure} title={exact(now, kind, currency)}>
				{figure(now, kind, currency)}
			</span>
			{isCompared && (
				<span className={styles.change}>
					<Change now={now} before={before(row, column)} kind={kind} good={good} currency={currency} />
				</span>
			)}
		</>
	);
}
