import { ChevronDown, ChevronRight } from "lucide-react";
import { useState } from "react";
import { classes } from "../../lib/classes.ts";
import { exact } from "../../lib/format.ts";
import { Change } from "../../ui/change/change.tsx";
import { Cut } from "../../ui/cut/cut.tsx";
import { Scroller } from "../../ui/scroller/scroller.tsx";
import { type Dimension, metricOf, useSite, valueName } from "../site/index.ts";
import type { PivotAnswer, PivotPage } from "./ask-pivot.ts";
import { amountOf, earlierOf, type FigureKey, type QueryRow } from "./figures.ts";
import { type Pairs, pairsIn } from "./pairs.ts";
import { type Group, keyOf, type Value } from "./pivot.ts";
import { PivotHead } from "./pivot-head.tsx";
import styles from "./pivot-table.module.css";
import { t } from "./texts.ts";

/** How warm a cell is, 0 to 1: beside the cells of its figure and level, totals beside totals where nothing else is there. */
type Heat = (figure: FigureKey, depth: number, row: QueryRow | undefined, isTotal: boolean) => number;

/** The warmth of a table's cells. */
function heatOf({ pivot, groups, columns }: PivotAnswer): Heat {
	const hasColumns = columns.length > 0;
	const most = new Map<string, number>();
	const see = (level: readonly Group[], depth: number) => {
		for (const { total, cells, below } of level) {
			for (const key of pivot.figures) {
				const values = (hasColumns ? [...cells.values()] : [total]).map((row) => amountOf(key, row));
				const at = `${depth} ${key}`;
				most.set(at, Math.max(most.get(at) ?? 0, ...values));
			}
			see(below, depth + 1);
		}
	};
	see(groups, 0);
	return (figure, depth, row, isTotal) => {
		const top = most.get(`${depth} ${figure}`) ?? 0;
		if (row === undefined || top <= 0 || (hasColumns && isTotal)) return 0;
		return Math.min(1, amountOf(figure, row) / top);
	};
}

interface PivotTableProps {
	readonly answer: PivotAnswer;
	readonly sort: PivotPage["sort"];
	readonly onSort: (sort: PivotPage["sort"]) => void;
	readonly onFilter: (pairs: Pairs) => void;
}

const pairsOf = (dimensions: readonly Dimension[], values: readonly Value[]): Pairs =>
	values.flatMap((value, at) => {
		const name = dimensions[at];
		return name === undefined ? [] : [[name, value] as const];
	});

/** The pivot as a table: groups below each other, columns beside each other, totals as the server gives them. */
export function PivotTable({ answer, sort, onSort, onFilter }: PivotTableProps) {
	const [closed, setClosed] = useState<ReadonlySet<string>>(new Set());
	const { pivot, groups, total } = answer;
	const heat = heatOf(answer);
	const toggle = (key: string) =>
		setClosed((set) => (set.has(key) ? new Set([...set].filter((one) => one !== key)) : new Set([...set, key])));
	const rows = groups.flatMap((group) => visible(group, closed));
	return (
		<Scroller className={styles.scroller}>
			<table className={styles.table} aria-label={t.result}>
				<PivotHead answer={answer} sort={sort} onSort={onSort} onFilter={onFilter} />
				<tbody>
					<tr className={styles.total}>
						<th scope="row">{t.all}</th>
						<Cells
							figures={pivot.figures}
							cells={cellsOf(answer, (column) => column, total)}
							shade={() => 0}
							onFilter={(at) => onFilter(columnPairs(answer, at))}
						/>
					</tr>
					{rows.map(({ group, depth, key }) => (
						<tr key={key}>
							<th scope="row" className={styles.name}>
								<RowName
									group={group}
									depth={depth}
									isOpen={!closed.has(key)}
									onToggle={() => toggle(key)}
									dimension={pivot.rows[depth]}
									hasToggles={pivot.rows.length > 1}
									onFilter={() => onFilter(pairsOf(pivot.rows, group.path))}
								/>
							</th>
							<Cells
								figures={pivot.figures}
								cells={cellsOf(answer, (_, key) => group.cells.get(key), group.total)}
								shade={(figure, row, isTotal) => heat(figure, depth, row, isTotal)}
								hidesChange={answer.baseline !== undefined}
								onFilter={(at) => onFilter([...pairsOf(pivot.rows, group.path), ...columnPairs(answer, at)])}
							/>
						</tr>
					))}
				</tbody>
			</table>
		</Scroller>
	);
}

function columnPairs({ pivot, columns }: PivotAnswer, at: number): Pairs {
	const column = columns[at];
	return column === undefined ? [] : pairsIn(column, pivot.columns);
}

interface Visible {
	readonly group: Group;
	readonly depth: number;
	readonly key: string;
}

function visible(group: Group, closed: ReadonlySet<string>, depth = 0): readonly Visible[] {
	const key = JSON.stringify(group.path);
	const below = closed.has(key) ? [] : group.below.flatMap((one) => visible(one, closed, depth + 1));
	return [{ group, depth, key }, ...below];
}

interface RowNameProps {
	readonly group: Group;
	readonly depth: number;
	readonly isOpen: boolean;
	readonly onToggle: () => void;
	readonly dimension: Dimension | undefined;
	/** Some rows have others below them; the names of all stand below each other. */
	readonly hasToggles: boolean;
	readonly onFilter: () => void;
}

function RowName({ group, depth, hasToggles, isOpen, onToggle, dimension, onFilter }: RowNameProps) {
	const name = dimension === undefined ? "" : valueName(dimension, group.path.at(-1) ?? null);
	const Mark = isOpen ? ChevronDown : ChevronRight;
	return (
		<span
			className={classes(styles.row, group.below.length > 0 && styles.outer)}
			style={{ paddingInlineStart: depth * 20 + (hasToggles && group.below.length === 0 ? 26 : 0) }}
		>
			{group.below.length > 0 && (
				<button
					type="button"
					className={styles.toggle}
					aria-expanded={isOpen}
					aria-label={t.open(name)}
					onClick={onToggle}
				>
					<Mark size={16} aria-hidden="true" />
				</button>
			)}
			<button type="button" className={styles.filter} title={t.filterBy(name)} onClick={onFilter}>
				<Cut text={name} />
			</button>
		</span>
	);
}

interface Cell {
	/** Of its column. */
	readonly key: string;
	readonly row: QueryRow | undefined;
}

/** The cells of a row: one for each column, and the total. */
const cellsOf = (
	{ pivot, columns }: PivotAnswer,
	cellAt: (column: QueryRow, key: string) => QueryRow | undefined,
	total: QueryRow,
): readonly Cell[] => [
	...columns.map((column) => {
		const key = keyOf(column, pivot.columns);
		return { key, row: cellAt(column, key) };
	}),
	{ key: "total", row: total },
];

interface CellsProps {
	readonly figures: readonly FigureKey[];
	/** The columns of a row, the last of which is the total. */
	readonly cells: readonly Cell[];
	readonly shade: (figure: FigureKey, row: QueryRow | undefined, isTotal: boolean) => number;
	/** There is nothing to compare with, which the row of the totals says. */
	readonly hidesChange?: boolean;
	/** Click on a column. Keyboard users reach the names of its row and column, which do the same. */
	readonly onFilter: (at: number) => void;
}

function Cells({ figures: keys, cells, shade, hidesChange = false, onFilter }: CellsProps) {
	const { currency } = useSite();
	return cells.map(({ key: column, row }, at) => {
		const isTotal = at === cells.length - 1;
		return keys.map((key) => {
			const share = shade(key, row, isTotal);
			return (
				<td
					key={`${column} ${key}`}
					className={classes(styles.number, isTotal && cells.length > 1 && styles.all)}
					style={
						share > 0
							? { background: `color-mix(in oklab, var(--shade-3) ${Math.round(share * 45)}%, var(--card))` }
							: undefined
					}
				>
					<button type="button" tabIndex={-1} className={styles.cell} onClick={() => onFilter(at)}>
						{row === undefined ? (
							<span className="muted">–</span>
						) : (
							<>
								{exact(amountOf(key, row), metricOf(key).kind, currency)}
								{isTotal && !hidesChange && <Moved figure={key} row={row} />}
							</>
						)}
					</button>
				</td>
			);
		});
	});
}

/** How a total has changed, where it is compared. */
function Moved({ figure, row }: { readonly figure: FigureKey; readonly row: QueryRow }) {
	const { currency } = useSite();
	const earlier = earlierOf(row);
	if (earlier === undefined) return null;
	const { kind, good } = metricOf(figure);
	return (
		<span className={styles.moved}>
			<Change
				now={amountOf(figure, row)}
				before={amountOf(figure, earlier)}
				kind={kind}
				good={good}
				currency={currency}
			/>
		</span>
	);
}
