import type { EventQuery, QueryParam } from "../../platform/event-store/event-store.ts";
import { type Dimension, dimensionOf } from "../catalog/dimensions.ts";
import { type Condition, operators } from "../catalog/filters.ts";
import { metrics } from "../catalog/metrics.ts";
import type { PageRequest, ReportQuery } from "./report-query.ts";

type Params = Record<string, QueryParam>;

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

function dimensionColumn(name: Dimension): string {
	const { sql } = dimensionOf(name);
	return sql === name ? name : `${sql} AS ${name}`;
}

function selectFrom(query: ReportQuery, extraColumns: readonly string[], params: Params): string[] {
	const columns = [
		...query.dimensions.map(dimensionColumn),
		...query.metrics.map((name) => `${metrics[name].sql} AS ${name}`),
		...extraColumns,
	];
	params.site = query.site;
	params.start = engineDate(query.range.start);
	params.end = engineDate(query.range.end);
	const where = [
		"site = {site:String}",
		"date BETWEEN {start:Date} AND {end:Date}",
		...query.conditions.map((condition) => conditionSql(condition, params)),
	];
	return [`SELECT ${columns.join(",\n\t")}`, "FROM events", `WHERE ${where.join("\n\tAND ")}`];
}

// A group may hold rows without any of the metrics asked for, such as the items of a purchase.
function groupBy(query: ReportQuery): string[] {
	if (query.dimensions.length === 0) return [];
	return [
		`GROUP BY ${query.dimensions.join(", ")}`,
		`HAVING ${query.metrics.map((name) => `${name} != 0`).join(" OR ")}`,
	];
}

/** SQL for all groups of a query in the order of their dimensions, values bound; groups without a count are left out. */
export function compileReport(query: ReportQuery): EventQuery {
	const params: Params = {};
	const lines = [...selectFrom(query, [], params), ...groupBy(query)];
	if (query.dimensions.length > 0) lines.push(`ORDER BY ${query.dimensions.join(", ")}`);
	return { sql: lines.join("\n"), params };
}

/**
 * SQL for one page of groups. Each row also carries `total_rows`, the number of groups, and with `totals` the sum of
 * each metric over all groups as `total_<metric>`.
 */
export function compilePage(query: ReportQuery, page: PageRequest): EventQuery {
	const params: Params = {};
	const totals = page.totals ? query.metrics.map((name) => `sum(${name}) OVER () AS total_${name}`) : [];
	const sorted = new Set(page.order.map((order) => order.by));
	const order = [
		...page.order.map(({ by, direction }) => `${by} ${direction.toUpperCase()}`),
		...query.dimensions.filter((name) => !sorted.has(name)).map((name) => `${name} ASC`),
	];
	const lines = [
		...selectFrom(query, ["count() OVER () AS total_rows", ...totals], params),
		...groupBy(query),
		`ORDER BY ${order.join(", ")}`,
		"LIMIT {limit:UInt64} OFFSET {offset:UInt64}",
	];
	return { sql: lines.join("\n"), params: { ...params, limit: page.limit, offset: page.offset } };
}
