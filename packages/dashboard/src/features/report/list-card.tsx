import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Download } from "lucide-react";
import { type CSSProperties, type ReactNode, useCallback, useContext, useId, useState } from "react";
import { ask, type ReportInput } from "../../api/batch.ts";
import { isShared } from "../../api/shared.ts";
import { classes } from "../../lib/classes.ts";
import { asFailure } from "../../lib/failure.ts";
import { exact, figure } from "../../lib/format.ts";
import { texts } from "../../lib/language.ts";
import { useNear } from "../../lib/use-near.ts";
import { Button, buttonClass } from "../../ui/button/button.tsx";
import { Card } from "../../ui/card/card.tsx";
import { Baseline } from "../../ui/change/baseline.ts";
import { Change } from "../../ui/change/change.tsx";
import { Cut } from "../../ui/cut/cut.tsx";
import { Options } from "../../ui/field/options.tsx";
import { Loaded } from "../../ui/loaded/loaded.tsx";
import { Tabs } from "../../ui/tabs/tabs.tsx";
import { toast } from "../../ui/toast/toast.tsx";
import { CopyAs } from "../copy-as/index.ts";
import { changed, comparedQuery, reportQuery, useSite, useSiteSearch } from "../site/index.ts";
import rowStyles from "./bar-rows.module.css";
import { before, type Row, readList } from "./list-answer.ts";
import styles from "./list-card.module.css";
import { listRecords } from "./list-records.ts";
import { columnOf, shownValue, wordsOf } from "./list-words.ts";
import { type Column, type List, type ListKey, lists } from "./lists.ts";
import { NothingHere } from "./nothing-here.tsx";
import { RowMenu } from "./row-menu.tsx";
import { listInput, listQuery, Unseen, useList } from "./use-list.ts";
import { useValueFilter } from "./use-value-filter.ts";

interface BarRowsProps {
	readonly list: List;
	readonly rows: readonly Row[];
	/** The figure that the bars show. */
	readonly column: Column;
}

/** Rows with a bar each, as long as its share of the largest. A click filters by the row, with Alt it leaves it out. */
function BarRows({ list, rows, column }: BarRowsProps) {
	const filter = useValueFilter(list.field);
	const largest = Math.max(...rows.map(({ figures }) => figures[column] ?? 0));
	const isCompared = useContext(Baseline) === undefined && rows.some((row) => before(row, column) !== undefined);
	return (
		<ol className={classes(rowStyles.rows, !isCompared && rowStyles.plain)}>
			{rows.map((row) => {
				const share = { "--share": largest > 0 ? (row.figures[column] ?? 0) / largest : 0 } as CSSProperties;
				const cells = <Cells list={list} row={row} column={column} isCompared={isCompared} />;
				return (
					<li key={row.value} className={rowStyles.row} style={share}>
						{filter.isOffered ? (
							<button
								type="button"
								className={rowStyles.cells}
								aria-pressed={filter.isChosen(row.value)}
								aria-description={t.hint}
								{...filter.aheadOf(row.value)}
								onClick={(event) => filter.choose(row.value, event.altKey ? "exclude" : "include")}
							>
								{cells}
							</button>
						) : (
							<span className={rowStyles.cells}>{cells}</span>
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
			<Cut text={shownValue(list, row.value)} className={rowStyles.name} />
			<span className={rowStyles.figure} title={exact(now, kind, currency)}>
				{figure(now, kind, currency)}
			</span>
			{isCompared && (
				<span className={rowStyles.change}>
					<Change now={now} before={before(row, column)} kind={kind} good={good} currency={currency} />
				</span>
			)}
		</>
	);
}

/** The first rows of a list with all their figures: how they are asked for, and they themselves. */
function useWholeList(list: List, sort: Column) {
	const client = useQueryClient();
	const site = useSite();
	const search = useSiteSearch();
	const asked = comparedQuery(site.id, search);
	const choice = { sort, isRising: false, search: "", page: 1, size: list.largest ?? 1 };
	const fetchRows = async () => readList(list, await client.fetchQuery(listQuery(list, asked, choice))).rows;
	return {
		params: listInput(list, asked, choice),
		rows: async () => listRecords(list, await fetchRows()),
		save: async () => {
			const [{ saveRows }, found] = await Promise.all([import("./save-rows.ts"), fetchRows()]);
			saveRows(list, site.id, found);
		},
	};
}

/** Values change seldom between having rows and having none. */
const staleMs = 600_000;

/** Those of some lists that have rows in these days, whatever the filters: tabs do not come and go with a click. */
function useFilled(keys: readonly ListKey[], enabled: boolean): readonly ListKey[] {
	const site = useSite();
	const { segment: _, ...search } = useSiteSearch();
	const asked = reportQuery(site.id, { ...search, f: [] });
	const { data } = useQuery({
		queryKey: ["has rows", keys, asked],
		queryFn: async ({ signal }) => {
			const answers = await Promise.all(keys.map((key) => hasRows(lists[key], asked, signal)));
			return keys.filter((_, at) => answers[at]);
		},
		staleTime: staleMs,
		placeholderData: keepPreviousData,
		enabled: enabled && keys.length > 0,
	});
	return data ?? [];
}

/** The row without a value is none; it is the largest one, so that two rows tell. */
async function hasRows(list: List, asked: object, signal: AbortSignal): Promise<boolean> {
	const input = { ...asked, page_size: 2 } as ReportInput<typeof list.route>;
	return readList(list, await ask(list.route, input, signal)).rows.some(({ value }) => value !== "");
}

const t = texts({
	en: {
		all: "Show all",
		csv: "CSV",
		metric: "Metric",
		saves: (list: string) => `Save ${list} as a CSV file`,
		hint: "Click to filter. Alt-click to exclude.",
	},
	es: {
		all: "Ver todo",
		csv: "CSV",
		metric: "Métrica",
		saves: (list: string) => `Guardar ${list} como archivo CSV`,
		hint: "Clic: filtrar. Alt y clic: excluir.",
	},
});

/** Rows of a card. */
const size = 9;

/** Content of a card. */
export interface ListCardProps {
	/** Subject of the card. */
	readonly label: string;
	readonly tabs: readonly ListKey[];
	/** Lists that many sites have no rows of: their tabs are there where they do. */
	readonly rare?: readonly ListKey[];
	/** Another way to see a list, as the first tab. */
	readonly picture?:
		| {
				readonly label: string;
				readonly of: ListKey;
				readonly draw: (list: List, column: Column) => ReactNode;
		  }
		| undefined;
}

function isOffScreen(element: Element | null): boolean {
	const { top = 0, bottom = 0 } = element?.getBoundingClientRect() ?? {};
	return bottom < 0 || top > innerHeight;
}

/** The first rows of a few lists, one at a time. */
export function ListCard({ label, tabs, rare = [], picture }: ListCardProps) {
	const panel = useId();
	const [ref, isNear] = useNear<HTMLDivElement>();
	const [chosen, setChosen] = useState<ListKey | "picture">(picture ? "picture" : (tabs[0] ?? "channels"));
	const [wanted, setWanted] = useState<Column>();
	const filled = useFilled(rare, isNear);
	const isUnseen = useCallback(() => isOffScreen(ref.current), [ref]);
	const list = lists[chosen === "picture" ? (picture?.of ?? "countries") : chosen];
	const column = wanted !== undefined && list.sorts.includes(wanted) ? wanted : list.sorts[0];
	const offered = [
		...(picture ? [{ key: "picture" as const, label: picture.label }] : []),
		...[...tabs, ...rare.filter((key) => key === chosen || filled.includes(key))].map((key) => ({
			key,
			label: wordsOf(lists[key]).title,
		})),
	];
	return (
		<Card label={label} className={styles.card}>
			<Tabs label={label} tabs={offered} chosen={chosen} onChoose={setChosen} panel={panel} />
			<div className={styles.heads}>
				<span>{wordsOf(list).one}</span>
				<FigureChoice list={list} column={column} onChoose={setWanted} />
			</div>
			<div
				ref={ref}
				id={panel}
				role="tabpanel"
				aria-label={wordsOf(list).title}
				data-list={list.key}
				data-picture={chosen === "picture" ? "" : undefined}
				className={styles.body}
			>
				<Unseen value={isUnseen}>
					{isNear && (chosen === "picture" ? picture?.draw(list, column) : <Rows list={list} column={column} />)}
				</Unseen>
			</div>
			<Foot list={list} column={column} />
		</Card>
	);
}

interface PartProps {
	readonly list: List;
	readonly column: Column;
}

function FigureChoice({ list, column, onChoose }: PartProps & { readonly onChoose: (column: Column) => void }) {
	if (list.sorts.length === 1) return <span>{columnOf(list, column).label}</span>;
	return (
		<select
			aria-label={t.metric}
			className={styles.figure}
			value={column}
			onChange={(event) => onChoose(event.target.value as Column)}
		>
			<Options of={list.sorts} text={(sort) => columnOf(list, sort).label} />
		</select>
	);
}

function Rows({ list, column }: PartProps) {
	const site = useSite();
	const asked = comparedQuery(site.id, useSiteSearch());
	// One row more stands in for the one that a rare value leaves out.
	const choice = { sort: column, isRising: false, search: "", page: 1, size: list.isRare ? size + 1 : size };
	const query = useList(list, asked, choice);
	return (
		<Loaded
			query={query}
			skeleton={<div className={classes("placeholder", styles.skeleton)} />}
			isEmpty={({ rows }) => rowsOf(list, rows).length === 0}
			empty={<NothingHere reason={wordsOf(list).empty} />}
		>
			{({ rows }) => <BarRows list={list} rows={rowsOf(list, rows)} column={column} />}
		</Loaded>
	);
}

const rowsOf = <T extends { readonly value: string }>(list: List, rows: readonly T[]): readonly T[] =>
	rows.filter(({ value }) => !list.isRare || value !== "").slice(0, size);

function Foot({ list, column }: PartProps) {
	const search = useSiteSearch();
	const { params, rows, save } = useWholeList(list, column);
	const { title } = wordsOf(list);
	return (
		<footer className={styles.foot}>
			<Link
				to="."
				search={changed(search, { panel: list.key, sort: undefined, q: undefined, page: undefined })}
				resetScroll={false}
				className={buttonClass("quiet", true)}
				aria-label={`${t.all}: ${title}`}
			>
				{t.all}
			</Link>
			{!isShared && (
				<Button
					look="quiet"
					small
					aria-label={t.saves(title)}
					onClick={() => void save().catch((error: unknown) => toast(asFailure(error).message))}
				>
					<Download size={16} aria-hidden="true" /> {t.csv}
				</Button>
			)}
			<CopyAs about={title} route={list.route} params={params} rows={rows} {...(!list.hidesSql && { sql: "asked" })} />
		</footer>
	);
}
