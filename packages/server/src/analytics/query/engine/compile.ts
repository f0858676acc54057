import type { EventQuery, QueryParam } from "../../../platform/event-store/event-store.ts";
import { columnOf, type Dimension, dimensionOf, type GroupKey } from "../../catalog/dimensions.ts";
import { type Condition, operators } from "../../catalog/filters.ts";
import { columnsFor, metrics } from "../../catalog/metrics.ts";
import { projectionSettings } from "../../catalog/projections.ts";
import { isRate, rates } from "../../catalog/rates.ts";
import type { StoredColumn } from "../../model/event-columns.ts";
import type { GroupQuery, Labels, Order, PageRequest, TopRequest } from "../question/report-query.ts";

/** Values bound to a statement, by the names of their placeholders. */
export type Params = Record<string, QueryParam>;

// The engine's Date begins and ends here and refuses anything else; no event lies outside.
const FIRST_DAY = Temporal.PlainDate.from("1970-01-01");
const LAST_DAY = Temporal.PlainDate.from("2149-06-06");

function engineDate(day: Temporal.PlainDate): string {
	if (Temporal.PlainDate.compare(day, FIRST_DAY) < 0) return FIRST_DAY.toString();
	return (Temporal.PlainDate.compare(day, LAST_DAY) > 0 ? LAST_DAY : day).toString();
}

function conditionSql(condition: Condition, params: Params): string {
	if ("all" in condition) return combined(condition.all, "AND", params);
	if ("any" in condition) return combined(condition.any, "OR", params);
	if ("not" in condition) return `NOT (${conditionSql(condition.not, params)})`;
	if ("imports" in condition) return "import_id = ''";
	const operator = operators[condition.operator];
	const name = `f${Object.keys(params).length}`;
	params[name] = operator.binds === "Array(String)" ? condition.values : (condition.values[0] ?? "");
	return operator.sql(dimensionOf(condition.dimension).sql, `{${name}:${operator.binds}}`);
}

function combined(conditions: readonly Condition[], word: "AND" | "OR", params: Params): string {
	// An empty AND holds, an empty OR does not.
	if (conditions.length === 0) return word === "AND" ? "1" : "0";
	return `(${conditions.map((condition) => conditionSql(condition, params)).join(` ${word} `)})`;
}

/** The columns that a condition looks at. */
function columnsIn(condition: Condition): StoredColumn[] {
	if ("all" in condition) return condition.all.flatMap(columnsIn);
	if ("any" in condition) return condition.any.flatMap(columnsIn);
	if ("not" in condition) return columnsIn(condition.not);
	if ("imports" in condition) return ["import_id"];
	return [columnOf(condition.dimension)];
}

/** What helps the engine with these metrics by these dimensions under these conditions. */
export function sumSettings(
	query: Pick<GroupQuery, "dimensions" | "conditions" | "metrics">,
): Required<EventQuery>["settings"] {
	const { dimensions, conditions, metrics: names } = query;
	return projectionSettings([...dimensions.map(columnOf), ...conditions.flatMap(columnsIn), ...columnsFor(names)]);
}

/** A statement on a query's rows, its values bound. */
function statement(query: GroupQuery, lines: readonly string[], params: Params): EventQuery {
	return { sql: lines.join("\n"), params, settings: sumSettings(query) };
}

function dimensionColumn(name: GroupKey): string {
	const { sql } = dimensionOf(name);
	return sql === name ? name : `${sql} AS ${name}`;
}

function groupsSql(dimensions: readonly GroupKey[], groups: readonly Labels[], params: Params): string {
	const lists = dimensions.map((dimension) => {
		const name = `g${Object.keys(params).length}`;
		params[name] = groups.map((labels) => String(labels[dimension] ?? ""));
		return `{${name}:Array(String)}`;
	});
	const columns = dimensions.map((name) => dimensionOf(name).sql);
	if (columns.length === 1) return `${columns.join("")} IN ${lists.join("")}`;
	return `(${columns.join(", ")}) IN arrayZip(${lists.join(", ")})`;
}

function orderBy(query: GroupQuery, order: readonly Order[]): string {
	const sorted: ReadonlySet<string> = new Set(order.map(({ by }) => by));
	const columns = [
		...order.map(({ by, direction }) => `${isRate(by) ? rates[by].sql : by} ${direction.toUpperCase()}`),
		...query.dimensions.filter((name) => !sorted.has(name)).map((name) => `${name} ASC`),
	];
	return `ORDER BY ${columns.join(", ")}`;
}

/** What rows of `events` a question is about. */
export interface EventScope extends Pick<GroupQuery, "range" | "conditions"> {
	/** Slug of the site, or slugs of several. */
	readonly site: string | readonly string[];
}

/** The conditions that choose the rows of a question, to be joined by AND; binds their values in `params`. */
export function eventsWhere(scope: EventScope, params: Params): string[] {
	params.site = scope.site;
	params.start = engineDate(scope.range.start);
	params.end = engineDate(scope.range.end);
	return [
		typeof scope.site === "string" ? "site = {site:String}" : "site IN {site:Array(String)}",
		"date BETWEEN {start:Date} AND {end:Date}",
		...scope.conditions.map((condition) => conditionSql(condition, params)),
	];
}

function whereSql(query: GroupQuery, params: Params): string {
	const groups = query.groups === undefined ? [] : [groupsSql(query.dimensions, query.groups, params)];
	return `WHERE ${[...eventsWhere(query, params), ...groups].join("\n\tAND ")}`;
}

const metricColumns = (query: GroupQuery) => query.metrics.map((name) => `${metrics[name].sql} AS ${name}`);

// A group may hold rows without any of the metrics asked for, such as the items of a purchase.
const anyMetric = (query: GroupQuery) => query.metrics.map((name) => `${name} != 0`).join(" OR ");

function groupBy(query: GroupQuery): string[] {
	if (query.dimensions.length === 0) return [];
	return [`GROUP BY ${query.dimensions.join(", ")}`, `HAVING ${anyMetric(query)}`];
}

function plainGroups(query: GroupQuery, extraColumns: readonly string[], params: Params): string[] {
	const columns = [...query.dimensions.map(dimensionColumn), ...metricColumns(query), ...extraColumns];
	return [`SELECT ${columns.join(",\n\t")}`, "FROM events", whereSql(query, params), ...groupBy(query)];
}

/** 2^64 divided by the golden ratio; its odd multiples spread the hashes that are added up. */
const SPREAD = 0x9e3779b97f4a7c15n;

/**
 * Groups by two numbers instead of several texts: hashing a text of a column that holds few of them is done once for each of
 * them, where a key made of texts is written out and hashed row by row. The texts are those of any row of the group.
 */
function hashedGroups(query: GroupQuery, extraColumns: readonly string[], params: Params): string[] {
	const columns = query.dimensions.map((name) => dimensionOf(name).sql);
	const [first, ...others] = columns.map((column) => `cityHash64(${column})`);
	const mixed = others.map((hash, index) => `${hash} * ${BigInt.asUintN(64, SPREAD * BigInt(2 * index + 1))}`);
	const texts = columns.map((column, index) => `any(${column}) AS k${index}`);
	const shown = [...query.dimensions.map((name, index) => `k${index} AS ${name}`), ...query.metrics, ...extraColumns];
	return [
		`SELECT ${shown.join(",\n\t")}`,
		"FROM (",
		`SELECT ${[...texts, ...metricColumns(query)].join(",\n\t")}`,
		"FROM events",
		whereSql(query, params),
		`GROUP BY ${first}, ${mixed.join(" + ")}`,
		") AS parts",
		`WHERE ${anyMetric(query)}`,
	];
}

/** The groups of a query with what else is asked of them, as a statement that an order may follow. */
function groupsOf(query: GroupQuery, extraColumns: readonly string[], params: Params): string[] {
	const isHashed = query.dimensions.length > 2 && query.dimensions.includes("campaign");
	return (isHashed ? hashedGroups : plainGroups)(query, extraColumns, params);
}

/** SQL for all groups of a query in the order of their dimensions, values bound; groups without a count are left out. */
export function compileReport(query: GroupQuery): EventQuery {
	const params: Params = {};
	const lines = groupsOf(query, [], params);
	if (query.dimensions.length > 0) lines.push(`ORDER BY ${query.dimensions.join(", ")}`);
	return statement(query, lines, params);
}

/**
 * SQL for one page of groups. Each row also carries `total_rows`, the number of groups, and with `totals` the sum of
 * each metric over all groups as `total_<metric>`.
 */
export function compilePage(query: GroupQuery, page: PageRequest): EventQuery {
	const params: Params = {};
	const totals = page.totals ? query.metrics.map((name) => `sum(${name}) OVER () AS total_${name}`) : [];
	const lines = [
		...groupsOf(query, ["count() OVER () AS total_rows", ...totals], params),
		orderBy(query, page.order),
		"LIMIT {limit:UInt64} OFFSET {offset:UInt64}",
	];
	return statement(query, lines, { ...params, limit: page.limit, offset: page.offset });
}

/** SQL for the first groups in an order. */
export function compileTop(query: GroupQuery, top: TopRequest): EventQuery {
	const params: Params = {};
	const lines = [...groupsOf(query, [], params), orderBy(query, top.order)];
	if (top.limit === undefined) return statement(query, lines, params);
	lines.push(`LIMIT {limit:UInt64}${top.per === undefined ? "" : ` BY ${top.per}`}`);
	return statement(query, lines, { ...params, limit: top.limit });
}

/**
 * SQL for all groups of a query in an order, each with `unique_values`, the number of values of one more dimension. Two
 * levels of plain sums, as projections do not hold distinct counts.
 */
export function compileUnique(query: GroupQuery, counted: Dimension, order: readonly Order[]): EventQuery {
	const params: Params = {};
	const inner = { ...query, dimensions: [...query.dimensions, counted] };
	const columns = [
		...query.dimensions,
		"count() AS unique_values",
		...query.metrics.map((name) => `sum(parts.${name}) AS ${name}`),
	];
	const lines = [
		`SELECT ${columns.join(",\n\t")}`,
		"FROM (",
		...plainGroups(inner, [], params),
		") AS parts",
		...groupBy(query),
		orderBy(query, order),
	];
	return statement(inner, lines, params);
}
