import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { ChevronDown, ChevronRight, Download } from "lucide-react";
import { type ReactNode, useState } from "react";
import { csvOf } from "../../lib/csv.ts";
import { daysBetween, todayIn } from "../../lib/days.ts";
import { downloadCsv } from "../../lib/download.ts";
import { asFailure } from "../../lib/failure.ts";
import { count, day, exact } from "../../lib/format.ts";
import { viewValue, viewValues, withView } from "../../lib/view.ts";
import { Button, buttonClass } from "../../ui/button/button.tsx";
import { Card } from "../../ui/card/card.tsx";
import { Cut } from "../../ui/cut/cut.tsx";
import { ColumnChoice } from "../../ui/data-table/column-choice.tsx";
import { type Column, DataTable } from "../../ui/data-table/data-table.tsx";
import { Loaded } from "../../ui/loaded/loaded.tsx";
import { Pager, pageOf } from "../../ui/pager/pager.tsx";
import { toast } from "../../ui/toast/toast.tsx";
import {
	changed,
	daysOf,
	dimensionLabels,
	Nothing,
	reportQuery,
	useChangeSearch,
	useReport,
	useSite,
	useSiteSearch,
	valueName,
} from "../site/index.ts";
import styles from "./goals.module.css";
import { GoalsHead } from "./goals-head.tsx";
import {
	cellOf,
	columnsOf,
	type EventRow,
	kinds,
	propertiesText,
	type RowColumn,
	type RowKind,
	shownColumns,
} from "./row-columns.ts";
import { allRows, itemsQuery, type RowsInput, rowsOnPage, rowsQuery } from "./rows-query.ts";
import { t } from "./rows-texts.ts";

/** The name of a column. */
const columnLabel = (name: RowColumn): string =>
	name === "amount" || name === "clid" || name === "properties" ? t[name] : dimensionLabels[name];

/** The most days that rows are listed for. */
const mostDays = 31;

/** Conversions and events, row by row. */
export function EventsScreen() {
	const site = useSite();
	const search = useSiteSearch();
	const { from, to } = daysOf(search, todayIn(site.timezone));
	return (
		<>
			<GoalsHead />
			<Card label={t.rows}>{daysBetween(from, to) > mostDays ? <TooLong /> : <Rows />}</Card>
		</>
	);
}

/** More days than rows are listed for, with the way to fewer. */
function TooLong() {
	const search = useSiteSearch();
	const shorter = (period: "30d" | "7d") =>
		changed(search, { period, from: undefined, to: undefined, page: undefined });
	return (
		<div className={styles.notice}>
			<p>{t.tooLong}</p>
			<p className={styles.tools}>
				<Link to="." search={shorter("30d")} className={buttonClass("primary", true)}>
					{t.last30}
				</Link>
				<Link to="." search={shorter("7d")} className={buttonClass("plain", true)}>
					{t.last7}
				</Link>
			</p>
		</div>
	);
}

/** The rows for the address. */
function useRows() {
	const site = useSite();
	const search = useSiteSearch();
	const kind: RowKind = kinds.find((one) => one === viewValue(search.view, "of")) ?? "conversions";
	const type = viewValue(search.view, "type");
	const query: RowsInput = { ...reportQuery(site.id, search), ...(type !== undefined && { conversion_type: [type] }) };
	return { kind, type, query, columns: shownColumns(viewValues(search.view, "col"), kind) };
}

function Rows() {
	const site = useSite();
	const search = useSiteSearch();
	const change = useChangeSearch();
	const { kind, query, columns } = useRows();
	const page = pageOf(search.page);
	const rows = useQuery(rowsQuery(kind, query, page));
	return (
		<>
			<Tools />
			<Loaded query={rows} isEmpty={({ total }) => total === 0} empty={<Nothing text={t.none} />}>
				{(data) => (
					<>
						<EventRows
							kind={data.kind}
							rows={data.data}
							columns={data.kind === kind ? columns : shownColumns([], data.kind)}
						/>
						<footer className={styles.foot}>
							<p>{t.zone(site.timezone)}</p>
							<Pager
								page={page}
								pageSize={rowsOnPage}
								total={data.total}
								onPage={(next) => change({ page: next === 1 ? undefined : String(next) })}
							/>
						</footer>
					</>
				)}
			</Loaded>
		</>
	);
}

/** Filters of the rows, their columns, and the export. */
function Tools() {
	const { view } = useSiteSearch();
	const change = useChangeSearch();
	const { kind, type, columns } = useRows();
	const types = useTypes(kind);
	const set = (next: readonly string[]) => change({ view: next, page: undefined });
	return (
		<div className={styles.tools}>
			<select
				aria-label={t.kind}
				className={styles.select}
				value={kind}
				onChange={(event) => set(event.target.value === "conversions" ? [] : [`of:${event.target.value}`])}
			>
				{kinds.map((one) => (
					<option key={one} value={one}>
						{t.kinds[one]}
					</option>
				))}
			</select>
			<select
				aria-label={t.type}
				className={styles.select}
				value={type ?? ""}
				onChange={(event) => set(withView(view, "type", event.target.value === "" ? [] : [event.target.value]))}
			>
				<option value="">{t.anyType}</option>
				{[...new Set([...(type === undefined ? [] : [type]), ...types])].map((one) => (
					<option key={one} value={one}>
						{one}
					</option>
				))}
			</select>
			<span className={styles.end}>
				<ColumnChoice
					small
					columns={columnsOf(kind).map((key) => ({ key, label: columnLabel(key) }))}
					chosen={columns}
					onChange={(names) => change({ view: withView(view, "col", names) })}
				/>
				<SaveRows />
			</span>
		</div>
	);
}

function SaveRows() {
	const { kind, query, columns } = useRows();
	const save = async () => {
		toast(t.saving);
		const rows = await allRows(kind, query);
		const lines = rows.map((row) => [row.timestamp_local, ...columns.map((name) => cellOf(row, name))]);
		downloadCsv(`${query.site_id}-${kind}.csv`, csvOf([["timestamp_local", ...columns], ...lines]));
		toast(t.saved(count(rows.length)));
	};
	return (
		<Button
			small
			title={t.csvName}
			onClick={() => void save().catch((error: unknown) => toast(asFailure(error).message))}
		>
			<Download size={16} aria-hidden="true" /> {t.csv}
		</Button>
	);
}

/** The types that a kind of rows has in these days. */
function useTypes(kind: RowKind): readonly string[] {
	const site = useSite();
	const query = { ...reportQuery(site.id, useSiteSearch()), page_size: 100 };
	const isEvent = kind === "microconversions";
	const conversions = useReport("GET /stats/conversions", query, !isEvent);
	const events = useReport("GET /stats/microconversions", query, isEvent);
	return ((isEvent ? events : conversions).data?.data ?? []).map(({ conversion_type: type }) => type);
}

interface EventRowsProps {
	readonly kind: RowKind;
	readonly rows: readonly EventRow[];
	readonly columns: readonly RowColumn[];
}

/** Identity of a row; two events may share a millisecond. */
const rowKey = (row: EventRow, at: number): string => `${row.timestamp_utc} ${at}`;
/** The site's clock at that moment, to the second. */
const timeOf = (row: EventRow): string => `${day(row.date)}, ${row.timestamp_local.slice(11, 19)}`;

/** Rows of events; a purchase opens to show its items. */
function EventRows({ kind, rows, columns }: EventRowsProps) {
	const { currency } = useSite();
	const [open, setOpen] = useState<EventRow>();
	const time: Column<EventRow> = {
		key: "time",
		label: t.time,
		cell: (row) => (
			<span className={styles.time}>
				{kind === "conversions" && (
					<Button
						small
						icon
						look="quiet"
						aria-label={open === row ? t.hideItems : t.showItems}
						aria-expanded={open === row}
						onClick={() => setOpen(open === row ? undefined : row)}
					>
						{open === row ? (
							<ChevronDown size={16} aria-hidden="true" />
						) : (
							<ChevronRight size={16} aria-hidden="true" />
						)}
					</Button>
				)}
				{timeOf(row)}
			</span>
		),
	};
	const others = columns.map(
		(name): Column<EventRow> => ({
			key: name,
			label: columnLabel(name),
			isNumber: name === "amount",
			cell: (row) => cell(row, name, currency),
		}),
	);
	return (
		<DataTable
			label={t.kinds[kind]}
			columns={[time, ...others]}
			rows={rows}
			rowKey={rowKey}
			below={(row) => row === open && <Items row={row} />}
		/>
	);
}

function cell(row: EventRow, name: RowColumn, currency: string): ReactNode {
	if (name === "amount") return exact(row.amount ?? 0, "money", currency);
	if (name === "properties") return <span className={styles.long}>{propertiesText(row.properties)}</span>;
	if (name === "clid") return <Cut text={row.clid ?? ""} className={styles.short} />;
	if (name === "conversion_type") return row.conversion_type;
	const text = row[name] === "" ? "" : valueName(name, row[name]);
	return <Cut text={text} className={styles.short} />;
}

function Items({ row }: { readonly row: EventRow }) {
	const { id } = useSite();
	const items = useQuery(itemsQuery(id, row));
	return (
		<Loaded
			query={items}
			skeleton={<p role="status">…</p>}
			isEmpty={(all) => all.length === 0}
			empty={<p>{t.noItems}</p>}
		>
			{(all) => <ItemTable items={all} />}
		</Loaded>
	);
}

/** Items have the properties that the site gave them: each is a column. */
function ItemTable({ items }: { readonly items: readonly EventRow[] }) {
	const keys = [...new Set(items.flatMap(({ properties }) => Object.keys(properties)))];
	return (
		<table className={styles.items}>
			<caption className="visually-hidden">{t.items}</caption>
			<thead>
				<tr>
					{keys.map((key) => (
						<th key={key} scope="col">
							{key}
						</th>
					))}
				</tr>
			</thead>
			<tbody>
				{items.map((item, at) => (
					<tr key={rowKey(item, at)}>
						{keys.map((key) => (
							<td key={key}>{item.properties[key] ?? ""}</td>
						))}
					</tr>
				))}
			</tbody>
		</table>
	);
}
