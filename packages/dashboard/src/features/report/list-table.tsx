import { exact } from "../../lib/format.ts";
import { texts } from "../../lib/language.ts";
import { Change } from "../../ui/change/change.tsx";
import { DataTable, type Sorting } from "../../ui/data-table/data-table.tsx";
import { useSite } from "../site/index.ts";
import { before, type ListAnswer, type Row } from "./list-answer.ts";
import styles from "./list-table.module.css";
import { columnOf, shownValue, wordsOf } from "./list-words.ts";
import type { Column, List } from "./lists.ts";
import { RowMenu } from "./row-menu.tsx";
import { useValueFilter } from "./use-value-filter.ts";

const t = texts({
	en: { total: "All", before: "previous" },
	es: { total: "Total", before: "anterior" },
});

interface ListTableProps {
	readonly list: List;
	readonly answer: ListAnswer;
	readonly columns: readonly Column[];
	readonly sorting: Sorting;
	readonly onSort: (sorting: Sorting) => void;
}

/** The rows of a list with the chosen figures, and those before. */
export function ListTable({ list, answer, columns, sorting, onSort }: ListTableProps) {
	const { currency } = useSite();
	const { totals } = answer;
	return (
		<DataTable
			fills
			label={wordsOf(list).title}
			rows={answer.rows}
			rowKey={({ value }) => value}
			sorting={sorting}
			onSort={onSort}
			columns={[
				{
					key: list.value,
					label: wordsOf(list).one,
					cell: ({ value }: Row) => <Name list={list} value={value} />,
					...(totals && { total: t.total }),
				},
				...columns.map((key) => {
					const { label, kind } = columnOf(list, key);
					return {
						key,
						label,
						isNumber: true,
						canSort: list.sorts.includes(key),
						cell: (row: Row) => <Figure list={list} column={key} row={row} />,
						...(totals && { total: totals[key] === undefined ? null : exact(totals[key], kind, currency) }),
					};
				}),
			]}
		/>
	);
}

/** Name of a row; a click filters by it and returns to the report. */
function Name({ list, value }: { readonly list: List; readonly value: string }) {
	const filter = useValueFilter(list.field);
	const shown = shownValue(list, value);
	return (
		<span className={styles.name}>
			{filter.isOffered ? (
				<button
					type="button"
					className={styles.value}
					aria-pressed={filter.isChosen(value)}
					{...filter.aheadOf(value)}
					onClick={(event) => filter.choose(value, event.altKey ? "exclude" : "include")}
				>
					{shown}
				</button>
			) : (
				shown
			)}
			<RowMenu
				list={list}
				value={value}
				shown={shown}
				isChosen={filter.isChosen(value)}
				isOffered={filter.isOffered}
				onChoose={(way) => filter.choose(value, way)}
			/>
		</span>
	);
}

function Figure({ list, column, row }: { readonly list: List; readonly column: Column; readonly row: Row }) {
	const { currency } = useSite();
	const { kind, good } = columnOf(list, column);
	const now = row.figures[column];
	const then = before(row, column);
	if (now === undefined) return "–";
	return (
		<>
			{exact(now, kind, currency)}
			{then !== undefined && (
				<span className={styles.before} title={t.before}>
					<Change now={now} before={then} kind={kind} good={good} currency={currency} />
					{exact(then, kind, currency)} <span className="visually-hidden">{t.before}</span>
				</span>
			)}
		</>
	);
}
