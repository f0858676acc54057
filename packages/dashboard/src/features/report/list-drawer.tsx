import { Download } from "lucide-react";
import { useEffect, useLayoutEffect, useRef, useState } from "react";
import { isShared } from "../../api/shared.ts";
import { exact } from "../../lib/format.ts";
import { useShortcuts } from "../../lib/keys.ts";
import { texts } from "../../lib/language.ts";
import { viewValues, withView } from "../../lib/view.ts";
import { Button } from "../../ui/button/button.tsx";
import { Change } from "../../ui/change/change.tsx";
import { ColumnChoice } from "../../ui/data-table/column-choice.tsx";
import { DataTable, type Sorting } from "../../ui/data-table/data-table.tsx";
import { Dialog } from "../../ui/dialog/dialog.tsx";
import { Loaded } from "../../ui/loaded/loaded.tsx";
import { Pager, pageOf } from "../../ui/pager/pager.tsx";
import { CopyAs } from "../copy-as/index.ts";
import { comparedQuery, mayFilter, useChangeSearch, useSite, useSiteSearch } from "../site/index.ts";
import { before, type Choice, type ListAnswer, type Row } from "./list-answer.ts";
import styles from "./list-drawer.module.css";
import { listRecords } from "./list-records.ts";
import tableStyles from "./list-table.module.css";
import { columnOf, shownValue, wordsOf } from "./list-words.ts";
import type { Column, List } from "./lists.ts";
import { NothingHere } from "./nothing-here.tsx";
import { RowMenu } from "./row-menu.tsx";
import { saveRows } from "./save-rows.ts";
import { listInput, useList } from "./use-list.ts";
import { useValueFilter } from "./use-value-filter.ts";

interface ListTableProps {
	readonly list: List;
	readonly answer: ListAnswer;
	readonly columns: readonly Column[];
	readonly sorting: Sorting;
	readonly onSort: (sorting: Sorting) => void;
}

/** The rows of a list with the chosen figures, and those before. */
function ListTable({ list, answer, columns, sorting, onSort }: ListTableProps) {
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
		<span className={tableStyles.name}>
			{filter.isOffered ? (
				<button
					type="button"
					className={tableStyles.value}
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
				<span className={tableStyles.before} title={t.before}>
					<Change now={now} before={then} kind={kind} good={good} currency={currency} />
					{exact(then, kind, currency)} <span className="visually-hidden">{t.before}</span>
				</span>
			)}
		</>
	);
}

const t = texts({
	en: {
		search: "Search",
		csv: "CSV",
		saves: "Save these rows as a CSV file",
		nothing: (q: string) => `No results for “${q}”.`,
		total: "All",
		before: "previous",
	},
	es: {
		search: "Buscar",
		csv: "CSV",
		saves: "Guardar estas filas como archivo CSV",
		nothing: (q: string) => `No hay resultados para «${q}».`,
		total: "Total",
		before: "anterior",
	},
});

const size = 100;
/** How long typing rests before it is searched for. */
const restMs = 250;

/** All rows of a list with all their figures: searched, ordered, page by page, as the address says. */
export function ListDrawer({ list }: { readonly list: List }) {
	const site = useSite();
	const search = useSiteSearch();
	const change = useChangeSearch();
	const choice = choiceOf(list, search);
	const asked = comparedQuery(site.id, search);
	const query = useList(list, asked, choice, { more: moreOf(list) });
	const { data } = query;
	const hidden = viewValues(search.view, "hide");
	const columns = list.columns.filter((key) => !hidden.includes(key));
	const onColumns = (chosen: readonly Column[]) =>
		change({
			view: withView(
				search.view,
				"hide",
				list.columns.filter((key) => !chosen.includes(key)),
			),
		});
	return (
		<Dialog
			shape="wide"
			title={wordsOf(list).title}
			onClose={() => change({ panel: undefined, sort: undefined, q: undefined, page: undefined })}
		>
			<div className={styles.drawer}>
				<div className="row-centered">
					{(list.search !== "path_filter" || mayFilter()) && <Search />}
					<ColumnChoice
						columns={list.columns.map((key) => ({ key, label: columnOf(list, key).label }))}
						chosen={columns}
						onChange={onColumns}
					/>
					{!isShared && (
						<Button
							aria-label={t.saves}
							disabled={data === undefined || data.rows.length === 0}
							onClick={() => data && saveRows(list, site.id, data.rows)}
						>
							<Download size={16} aria-hidden="true" /> {t.csv}
						</Button>
					)}
					<CopyAs
						about={wordsOf(list).title}
						route={list.route}
						params={listInput(list, asked, choice, moreOf(list))}
						rows={data && (() => listRecords(list, data.rows))}
						{...(!list.hidesSql && { sql: "asked" })}
					/>
				</div>
				<div className={styles.rows}>
					<Loaded
						query={query}
						isEmpty={({ rows }) => rows.length === 0}
						empty={
							choice.search === "" ? <NothingHere reason={wordsOf(list).empty} /> : <p>{t.nothing(choice.search)}</p>
						}
					>
						{(answer) => (
							<ListTable
								list={list}
								answer={answer}
								columns={columns}
								sorting={{ by: choice.sort, isDescending: !choice.isRising }}
								onSort={({ by, isDescending }) =>
									change({ sort: isDescending ? `-${by}` : by, page: undefined }, { replace: true })
								}
							/>
						)}
					</Loaded>
				</div>
				{data && (
					<Pager
						page={choice.page}
						pageSize={size}
						total={data.total}
						onPage={(page) => change({ page: page === 1 ? undefined : String(page) })}
					/>
				)}
			</div>
		</Dialog>
	);
}

/** Sorting, search and page in the address. */
function choiceOf(list: List, { sort = "", q = "", page }: { sort?: string; q?: string; page?: string }): Choice {
	const column = list.sorts.find((one) => one === sort.replace(/^-/, ""));
	return {
		sort: column ?? list.sorts[0],
		isRising: column !== undefined && !sort.startsWith("-"),
		search: list.search === "path_filter" && !mayFilter() ? "" : q,
		page: pageOf(page),
		size,
	};
}

const moreOf = (list: List): object => ({
	...(list.hasTotals && { include_totals: true }),
	...(list.hasVisitors && {
		include: (["visitors", "visit_duration"] satisfies Column[]).filter((name) => list.columns.includes(name)),
	}),
});

function Search() {
	const { q = "" } = useSiteSearch();
	const change = useChangeSearch();
	const [typed, setTyped] = useState(q);
	const input = useRef<HTMLInputElement>(null);
	useShortcuts([{ key: "/", label: t.search, run: () => input.current?.focus(), above: true }]);
	// The browser opens the dialog after this, and gives the focus to what asks for it; a finger would get its keyboard.
	useLayoutEffect(() => {
		if (input.current !== null) input.current.autofocus = matchMedia("(pointer: fine)").matches;
	}, []);
	// The address follows when typing rests.
	useEffect(() => {
		if (typed === q) return;
		const timer = setTimeout(() => change({ q: typed || undefined, page: undefined }, { replace: true }), restMs);
		return () => clearTimeout(timer);
	});
	return (
		<input
			ref={input}
			type="search"
			className={styles.search}
			aria-label={t.search}
			placeholder={t.search}
			value={typed}
			onChange={(event) => setTyped(event.target.value)}
		/>
	);
}
