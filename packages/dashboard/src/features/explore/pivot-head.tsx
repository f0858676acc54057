import { ArrowDown, ArrowUp } from "lucide-react";
import { Fragment } from "react";
import { classes } from "../../lib/classes.ts";
import { Cut } from "../../ui/cut/cut.tsx";
import { dimensionLabels, metricOf } from "../site/index.ts";
import type { PivotAnswer, PivotPage } from "./ask-pivot.ts";
import { figures } from "./figures.ts";
import { columnName, type Pairs, pairsIn } from "./pairs.ts";
import { keyOf } from "./pivot.ts";
import styles from "./pivot-table.module.css";
import { t } from "./texts.ts";

interface PivotHeadProps {
	readonly answer: PivotAnswer;
	readonly sort: PivotPage["sort"];
	readonly onSort: (sort: PivotPage["sort"]) => void;
	readonly onFilter: (pairs: Pairs) => void;
}

/** The head of a pivot's table: the columns, and below each its figures. */
export const PivotHead = ({ answer, sort, onSort, onFilter }: PivotHeadProps) => (
	<thead>
		{answer.columns.length > 0 && <Groups answer={answer} onFilter={onFilter} />}
		<Figures answer={answer} sort={sort} onSort={onSort} />
	</thead>
);

function Groups({ answer: { pivot, columns }, onFilter }: Pick<PivotHeadProps, "answer" | "onFilter">) {
	const span = pivot.figures.length;
	return (
		<tr>
			<td />
			{columns.map((column) => (
				<th key={keyOf(column, pivot.columns)} scope="colgroup" colSpan={span} className={styles.group}>
					<button
						type="button"
						className={styles.filter}
						title={t.filterBy(columnName(column, pivot.columns))}
						onClick={() => onFilter(pairsIn(column, pivot.columns))}
					>
						<Cut text={columnName(column, pivot.columns)} />
					</button>
				</th>
			))}
			<th scope="colgroup" colSpan={span} className={classes(styles.group, styles.all)}>
				{t.all}
			</th>
		</tr>
	);
}

function Figures({ answer: { pivot, columns }, ...sorting }: Omit<PivotHeadProps, "onFilter">) {
	const [first] = pivot.rows;
	const names = pivot.rows.map((name) => dimensionLabels[name]).join(" › ");
	return (
		<tr>
			<th scope="col">{first && <SortHead field={first} label={names} {...sorting} />}</th>
			{columns.map((column) => (
				<Fragment key={keyOf(column, pivot.columns)}>
					{pivot.figures.map((key) => (
						<th key={key} scope="col" className={styles.number}>
							{metricOf(key).label}
						</th>
					))}
				</Fragment>
			))}
			{pivot.figures.map((key) => (
				<th
					key={key}
					scope="col"
					className={classes(styles.number, columns.length > 0 && styles.all)}
					aria-sort={directionOf(key, sorting.sort)}
				>
					{figures[key].canSort && first ? (
						<SortHead field={key} label={metricOf(key).label} {...sorting} isNumber />
					) : (
						metricOf(key).label
					)}
				</th>
			))}
		</tr>
	);
}

function directionOf(key: string, sort: PivotPage["sort"]): "ascending" | "descending" | undefined {
	if (sort.field !== key) return undefined;
	return sort.direction === "asc" ? "ascending" : "descending";
}

interface SortHeadProps {
	readonly field: string;
	readonly label: string;
	readonly sort: PivotPage["sort"];
	readonly onSort: PivotHeadProps["onSort"];
	readonly isNumber?: boolean;
}

function SortHead({ field, label, sort, onSort, isNumber }: SortHeadProps) {
	const isBy = sort.field === field;
	const turned = sort.direction === "asc" ? "desc" : "asc";
	const Arrow = sort.direction === "asc" ? ArrowUp : ArrowDown;
	return (
		<button
			type="button"
			className={styles.sort}
			onClick={() => onSort({ field, direction: isBy ? turned : isNumber ? "desc" : "asc" })}
		>
			{label}
			{isBy && <Arrow size={14} aria-hidden="true" />}
		</button>
	);
}
