import { isRecord } from "../../../platform/lib/is-record.ts";
import type { Cell, Chart, Results, Table } from "./schemas.ts";
import type { CallResult, SiteTool } from "./site-tools.ts";

type Drawn = Pick<Results, "charts" | "tables">;

const MOST = 4;
const ROWS = 20;
const COLUMNS = 10;
const BARS = 10;
const POINTS = 400;
/** Fields of a report that repeat the question. */
const notFigures = new Set(["site", "units", "date_range", "compared_with", "meta", "cut_lists"]);
const times = ["date", "timestamp", "hour"];

type Row = Readonly<Record<string, unknown>>;

/** Rows that are alike, with the way to them. */
interface List {
	readonly path: readonly string[];
	readonly rows: readonly Row[];
}

/** Charts and tables of reports, made of their figures alone: the last ones where there are many. */
export function drawResults(results: readonly CallResult[], tools: readonly SiteTool[]): Drawn {
	const titleOf = (name: string) => tools.find((tool) => tool.name === name)?.title ?? name;
	const drawn = results
		.filter(({ answer }) => answer.isError !== true)
		.map(({ name, answer }) => drawReport(titleOf(name), answer.structuredContent));
	return {
		charts: drawn.flatMap(({ charts }) => charts).slice(-MOST),
		tables: drawn.flatMap(({ tables }) => tables).slice(-MOST),
	};
}

function drawReport(title: string, report: Row): Drawn {
	const units = isRecord(report.units) ? report.units : {};
	const unitOf = (column: string) => (typeof units[column] === "string" ? String(units[column]) : null);
	const lists = listsIn(report, []);
	const series = lists.filter(({ path }) => path.at(-1) === "points");
	const others = lists.filter((list) => !series.includes(list));
	return {
		charts: [
			...series.slice(0, MOST).map((list) => seriesChart(title, list, unitOf)),
			...others.slice(0, 1).flatMap((list) => listChart(titled(title, list), list, unitOf)),
		],
		tables: [...figuresOf(title, report), ...others.slice(0, MOST).map((list) => tableOf(titled(title, list), list))],
	};
}

const isCell = (value: unknown): value is Cell =>
	value === null || typeof value === "string" || typeof value === "number" || typeof value === "boolean";

/** Lists of rows, from the outside in; those within rows only where a row names itself, as a dimension does. */
function listsIn(value: Row, path: readonly string[]): List[] {
	return Object.entries(value).flatMap(([name, item]): List[] => {
		const inner = [...path, name];
		if (notFigures.has(name)) return [];
		if (isRecord(item)) return listsIn(item, inner);
		if (!Array.isArray(item) || !item.every(isRecord) || item.length === 0) return [];
		const named = item.filter(({ name: own, rows }) => typeof own === "string" && Array.isArray(rows));
		if (named.length === 0) return [{ path: inner, rows: item }];
		return named.flatMap((row) => listsIn({ rows: row.rows }, [...path, String(row.name)]));
	});
}

/** The list's own name, where a report has several. */
function titled(title: string, { path }: List): string {
	const own = path.filter((name) => !["data", "rows", "points"].includes(name)).at(-1);
	return own === undefined ? title : `${title}: ${own}`;
}

const columnsOf = ([first = {}]: readonly Row[]): string[] =>
	Object.keys(first)
		.filter((name) => isCell(first[name]))
		.slice(0, COLUMNS);

const cellOf = (row: Row, column: string): Cell => {
	const value = row[column];
	return isCell(value) ? value : null;
};

function tableOf(title: string, { rows }: List): Table {
	const columns = columnsOf(rows);
	return { title, columns, rows: rows.slice(0, ROWS).map((row) => columns.map((column) => cellOf(row, column))) };
}

/** The headline figures of a report that has no rows. */
function figuresOf(title: string, { data }: Row): Table[] {
	if (!isRecord(data)) return [];
	const parts = Object.entries(data).filter(([name, part]) => !notFigures.has(name) && isRecord(part));
	const figures = Object.assign({}, ...parts.map(([, part]) => part)) as Row;
	const rows = Object.entries(figures).flatMap(([name, value]) => (typeof value === "number" ? [[name, value]] : []));
	return rows.length === 0 ? [] : [{ title, columns: ["metric", "value"], rows }];
}

type UnitOf = (column: string) => string | null;

function seriesChart(title: string, { path, rows }: List, unitOf: UnitOf): Chart {
	const metric = (path.at(-2) ?? "value").replace(/_series(_compare)?$/, "");
	const hourly = rows.some(({ hour }) => typeof hour === "number");
	const data = rows.slice(-POINTS).map((row) => ({
		date: hourly ? `${row.date} ${String(row.hour ?? 0).padStart(2, "0")}:00` : cellOf(row, "date"),
		[metric]: cellOf(row, "value"),
	}));
	return { type: "line", title: `${title}: ${metric}`, data, x_key: "date", y_key: metric, y_label: unitOf(metric) };
}

/** A line where rows are moments, else bars of the first rows. */
function listChart(title: string, { rows }: List, unitOf: UnitOf): Chart[] {
	const columns = columnsOf(rows);
	const time = times.find((name) => columns.includes(name));
	const isNumber = (name: string) => typeof rows[0]?.[name] === "number" && !times.includes(name);
	const x = time ?? columns.find((name) => name.endsWith("_name")) ?? columns.find((name) => !isNumber(name));
	const y = columns.find(isNumber);
	if (x === undefined || y === undefined || rows.length < 2) return [];
	const shown = time === undefined ? rows.slice(0, BARS) : rows.slice(-POINTS);
	const data = shown.map((row) => ({ [x]: cellOf(row, x), [y]: cellOf(row, y) }));
	const sorted =
		time === undefined ? data : data.toSorted((one, other) => (String(one[x]) < String(other[x]) ? -1 : 1));
	return [{ type: time === undefined ? "bar" : "line", title, data: sorted, x_key: x, y_key: y, y_label: unitOf(y) }];
}
