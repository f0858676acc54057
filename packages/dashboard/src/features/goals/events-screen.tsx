import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Download } from "lucide-react";
import { csvOf } from "../../lib/csv.ts";
import { daysBetween, todayIn } from "../../lib/days.ts";
import { downloadCsv } from "../../lib/download.ts";
import { asFailure } from "../../lib/failure.ts";
import { count } from "../../lib/format.ts";
import { viewValue, viewValues, withView } from "../../lib/view.ts";
import { Button, buttonClass } from "../../ui/button/button.tsx";
import { Card } from "../../ui/card/card.tsx";
import { ColumnChoice } from "../../ui/data-table/column-choice.tsx";
import { Loaded } from "../../ui/loaded/loaded.tsx";
import { Pager, pageOf } from "../../ui/pager/pager.tsx";
import { toast } from "../../ui/toast/toast.tsx";
import {
	changed,
	daysOf,
	Nothing,
	reportQuery,
	useChangeSearch,
	useReport,
	useSite,
	useSiteSearch,
} from "../site/index.ts";
import { columnLabel } from "./column-label.ts";
import { EventRows } from "./event-rows.tsx";
import styles from "./goals.module.css";
import { GoalsHead } from "./goals-head.tsx";
import { cellOf, columnsOf, kinds, type RowKind, shownColumns } from "./row-columns.ts";
import { allRows, type RowsInput, rowsOnPage, rowsQuery } from "./rows-query.ts";
import { t } from "./rows-texts.ts";

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
