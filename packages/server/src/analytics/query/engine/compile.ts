import type { EventQuery } from "../../../platform/event-store/event-store.ts";
import { campaignDimensions, columnOf, type Dimension, dimensionOf, type GroupKey } from "../../catalog/dimensions.ts";
import { columnsFor, type Metric, metrics } from "../../catalog/metrics.ts";
import { projectionFor, projectionSettings } from "../../catalog/projections.ts";
import { isRate, isShownSql, rates } from "../../catalog/rates.ts";
import { CAMPAIGN_SEPARATOR, type StoredColumn } from "../../model/event-columns.ts";
import { comesFirst, type DateRange, endsBefore } from "../question/date-range.ts";
import type { GroupQuery, Labels, Order, PageRequest, ReportQuery, TopRequest } from "../question/report-query.ts";
import { type ConditionScope, columnsIn, conditionSql, looksAtVisits, type Params } from "./condition-sql.ts";
import { nested, type Select, select } from "./select.ts";

export type { Params } from "./condition-sql.ts";

/** A statement with the settings that its execution needs. */
export interface Statement extends EventQuery {
	readonly settings: Required<EventQuery>["settings"];
}

// The engine's Date begins and ends here and refuses anything else; no event lies outside.
const FIRST_DAY = Temporal.PlainDate.from("1970-01-01");
const LAST_DAY = Temporal.PlainDate.from("2149-06-06");

/** The limit of a page, whose values are bound as `limit` and `offset`. */
export const PAGE_LIMIT = "{limit:UInt64} OFFSET {offset:UInt64}";

/** A day as the engine takes it. */
export function engineDate(day: Temporal.PlainDate): string {
	if (Temporal.PlainDate.compare(day, FIRST_DAY) < 0) return FIRST_DAY.toString();
	return (Temporal.PlainDate.compare(day, LAST_DAY) > 0 ? LAST_DAY : day).toString();
}

/** Parts of a query that decide its columns. */
type Needs = Pick<GroupQuery, "dimensions" | "conditions" | "metrics"> & Partial<Pick<GroupQuery, "range" | "earlier">>;

/** The columns that these metrics by these dimensions under these conditions need. */
const columnsOf = ({ dimensions, conditions, metrics: names, range, earlier }: Needs): StoredColumn[] => [
	...dimensions.map(columnOf),
	...conditions.flatMap(columnsIn),
	...columnsFor(names),
	...(range?.until || earlier?.until ? (["hour"] as const) : []),
];

/** Engine settings for these metrics, dimensions and conditions. */
export const sumSettings = (query: Needs): Statement["settings"] => projectionSettings(columnsOf(query));

/** True when no projection holds these metrics by these dimensions under these conditions, but they have to be made of the rows. */
export const readsRows = (query: Needs): boolean => projectionFor(columnsOf(query)) === undefined;

/** A statement on a query's rows, its values bound. */
export function statement(query: GroupQuery, parts: Select, params: Params): Statement {
	return { sql: select(parts), params, settings: sumSettings(query) };
}

/** A dimension as a column of rows, under its own name. */
export function dimensionColumn(name: GroupKey): string {
	const { sql } = dimensionOf(name);
	return sql === name ? name : `${sql} AS ${name}`;
}

/** The order of groups, which their dimensions make a whole one. */
export function orderBy(query: Pick<GroupQuery, "dimensions">, order: readonly Order[]): string[] {
	const sorted: ReadonlySet<string> = new Set(order.map(({ by }) => by));
	return [
		...order.map(({ by, direction }) => `${isRate(by) ? rates[by].sql : by} ${direction.toUpperCase()}`),
		...query.dimensions.filter((name) => !sorted.has(name)).map((name) => `${name} ASC`),
	];
}

/** The rows of `events` that a query reads. */
export interface EventScope extends Pick<GroupQuery, "range" | "earlier" | "conditions"> {
	/** Slug of the site, or slugs of several. */
	readonly site: string | readonly string[];
}

/** The condition that ends a range before the end of its last day; none where all of that day counts. */
export function untilWhere({ until }: DateRange, params: Params): string[] {
	if (until === undefined) return [];
	params.until_day = engineDate(until.day);
	params.until_hour = until.hour;
	return ["(date < {until_day:Date} OR date = {until_day:Date} AND hour < {until_hour:UInt8})"];
}

function datesWhere({ range, earlier }: EventScope, params: Params): string[] {
	params.start = engineDate(range.start);
	params.end = engineDate(range.end);
	if (earlier === undefined) {
		return ["date BETWEEN {start:Date} AND {end:Date}", ...untilWhere(range, params)];
	}
	params.earlier_start = engineDate(earlier.start);
	params.earlier_end = engineDate(earlier.end);
	if (!comesFirst(earlier, range)) {
		return ["(date BETWEEN {start:Date} AND {end:Date} OR date BETWEEN {earlier_start:Date} AND {earlier_end:Date})"];
	}
	const both = "date BETWEEN {earlier_start:Date} AND {end:Date}";
	if (endsBefore(earlier, range)) {
		const [until] = untilWhere(earlier, params);
		if (until !== undefined) return [both, `(date >= {start:Date} OR ${until})`];
	}
	const hasGap = Temporal.PlainDate.compare(earlier.end.add({ days: 1 }), range.start) < 0;
	return [both, ...(hasGap ? ["(date <= {earlier_end:Date} OR date >= {start:Date})"] : [])];
}

/** The days of a scope and those around them: a visit may begin before midnight, and have its event after it. */
function aroundWhere({ range, earlier }: EventScope, params: Params): string {
	const clauses = (earlier === undefined ? [range] : [range, earlier]).map(({ start, end }, index) => {
		params[`around_start${index}`] = engineDate(start.subtract({ days: 1 }));
		params[`around_end${index}`] = engineDate(end.add({ days: 1 }));
		return `date BETWEEN {around_start${index}:Date} AND {around_end${index}:Date}`;
	});
	return clauses.length === 1 ? clauses.join() : `(${clauses.join(" OR ")})`;
}

const siteWhere = ({ site }: EventScope): string =>
	typeof site === "string" ? "site = {site:String}" : "site IN {site:Array(String)}";

/** Where the conditions of a question bind their values, and where they look for the events of visits. */
export function conditionScope(scope: EventScope, params: Params): ConditionScope {
	params.site = scope.site;
	const around = scope.conditions.some(looksAtVisits) ? [siteWhere(scope), aroundWhere(scope, params)] : [];
	return { params, around, visit: typeof scope.site === "string" ? "session" : "(site, session)" };
}

/** The conditions that choose the rows of a question, to be joined by AND; binds their values in `params`. */
export function eventsWhere(scope: EventScope, params: Params): string[] {
	params.site = scope.site;
	return rowsWhere(scope, params, datesWhere(scope, params));
}

/** The same for the hours of one day before a given one, whatever the days of the question are. */
export function hoursWhere(scope: EventScope, { day, hour }: Required<DateRange>["until"], params: Params): string[] {
	params.site = scope.site;
	params.until_day = engineDate(day);
	params.until_hour = hour;
	return rowsWhere(scope, params, ["date = {until_day:Date}", "hour < {until_hour:UInt8}"]);
}

function rowsWhere(scope: EventScope, params: Params, dates: readonly string[]): string[] {
	const rows = conditionScope(scope, params);
	return [siteWhere(scope), ...dates, ...scope.conditions.map((condition) => conditionSql(condition, rows))];
}

/** Metrics as sums over rows, under their own names. */
export const metricColumns = (names: readonly Metric[]) => names.map((name) => `${metrics[name].sql} AS ${name}`);

/** A metric over the `parts` of groups, of those only that a flag marks where one is given. */
export const overParts = (name: Metric, flag?: string) =>
	flag === undefined ? `sum(parts.${name})` : `sumIf(parts.${name}, ${flag})`;

/** Metrics over the `parts` of groups, under their own names. */
const partColumns = (names: readonly Metric[]) => names.map((name) => `${overParts(name)} AS ${name}`);

/** True for a group that counts: one may hold rows without anything that is shown, such as the items of a purchase. */
export function isCounted({ metrics: names, shown = names }: Pick<GroupQuery, "metrics" | "shown">): string {
	const figures = [...names.filter((name) => shown.includes(name)), ...shown.filter(isRate)];
	return figures.flatMap((figure) => isShownSql(figure) ?? []).join(" OR ");
}

/** Groups by dimensions, those that count; one row without dimensions. */
function groupBy(query: Pick<GroupQuery, "dimensions" | "metrics" | "shown">) {
	const { dimensions } = query;
	return dimensions.length === 0 ? {} : { groupBy: dimensions, having: isCounted(query) };
}

function plainGroups(query: GroupQuery, extraColumns: readonly string[], params: Params): Select {
	return {
		columns: [...query.dimensions.map(dimensionColumn), ...metricColumns(query.metrics), ...extraColumns],
		from: "events",
		where: eventsWhere(query, params),
		...groupBy(query),
	};
}

/** 2^64 divided by the golden ratio; its odd multiples spread the hashes that are added up. */
const SPREAD = 0x9e3779b97f4a7c15n;

/** Two numbers to group by instead of several texts. */
export function hashes(dimensions: readonly GroupKey[]): readonly string[] {
	const [first = "", ...others] = dimensions.map((name) => `cityHash64(${dimensionOf(name).sql})`);
	const mixed = others.map((hash, index) => `${hash} * ${BigInt.asUintN(64, SPREAD * BigInt(2 * index + 1))}`);
	return [first, mixed.join(" + ")];
}

/** The texts of any row of a group, as `k0`, `k1` and so on. */
export const anyTexts = (dimensions: readonly GroupKey[]): string[] =>
	dimensions.map((name, index) => `any(${dimensionOf(name).sql}) AS k${index}`);

/**
 * True where groups are made by their hashes: hashing a text of a column that holds few of them is done once for each of
 * them, where a key made of texts is written out and hashed row by row.
 */
export const isHashed = ({ dimensions }: Pick<GroupQuery, "dimensions">): boolean =>
	dimensions.length > 2 && dimensions.includes("campaign");

function hashedGroups(query: GroupQuery, extraColumns: readonly string[], params: Params): Select {
	const parts = select({
		columns: [...anyTexts(query.dimensions), ...metricColumns(query.metrics)],
		from: "events",
		where: eventsWhere(query, params),
		groupBy: hashes(query.dimensions),
	});
	return {
		columns: [...query.dimensions.map((name, index) => `k${index} AS ${name}`), ...query.metrics, ...extraColumns],
		from: nested(parts, "parts"),
		where: [isCounted(query)],
	};
}

/** The groups of a query with what else is asked of them, to which an order may be added. */
function groupsOf(query: GroupQuery, extraColumns: readonly string[], params: Params): Select {
	return (isHashed(query) ? hashedGroups : plainGroups)(query, extraColumns, params);
}

/** SQL for all groups of a query in the order of their dimensions, values bound; groups without a count are left out. */
export function compileReport(query: GroupQuery): Statement {
	const params: Params = {};
	return statement(query, { ...groupsOf(query, [], params), orderBy: query.dimensions }, params);
}

/**
 * SQL for one page of groups. Each row also carries `total_rows`, the number of groups, and the sum of each
 * metric of `totals` over all groups as `total_<metric>`.
 */
export function compilePage(query: GroupQuery, page: PageRequest): Statement {
	const params: Params = {};
	const totals = (page.totals ?? []).map((name) => `sum(${name}) OVER () AS total_${name}`);
	const groups = groupsOf(query, ["count() OVER () AS total_rows", ...totals], params);
	const order = { orderBy: orderBy(query, page.order), limit: PAGE_LIMIT };
	return statement(query, { ...groups, ...order }, { ...params, limit: page.limit, offset: page.offset });
}

/** SQL for the first groups in an order. */
export function compileTop(query: GroupQuery, top: TopRequest): Statement {
	const params: Params = {};
	const groups = { ...groupsOf(query, [], params), orderBy: orderBy(query, top.order) };
	if (top.limit === undefined) return statement(query, groups, params);
	const per = top.per === undefined ? "" : ` BY ${top.per}`;
	const most = top.most === undefined ? "" : "\nLIMIT {most:UInt64}";
	const limits = { limit: top.limit, ...(top.most !== undefined && { most: top.most }) };
	return statement(query, { ...groups, limit: `{limit:UInt64}${per}${most}` }, { ...params, ...limits });
}

/** Groups of `parts`, which have one more dimension, each with the number of its values. Two levels of plain sums, as projections do not hold distinct counts. */
function countedGroups(query: GroupQuery, parts: GroupQuery, name: string, params: Params): Select {
	return {
		columns: [...query.dimensions, `count() AS ${name}`, ...partColumns(query.metrics)],
		from: nested(select(plainGroups(parts, [], params)), "parts"),
		...groupBy(query),
	};
}

/** SQL for all groups of a query in an order, each with `unique_values`, the number of values of one more dimension. */
export function compileUnique(query: GroupQuery, counted: Dimension, order: readonly Order[]): Statement {
	const params: Params = {};
	const parts = { ...query, dimensions: [...query.dimensions, counted] };
	const groups = countedGroups(query, parts, "unique_values", params);
	return statement(parts, { ...groups, orderBy: orderBy(query, order) }, params);
}

/** SQL for groups over several sites, each with `account_count`, the number of sites that count in it; of a page also with `total_rows`. */
export function compileAcross(query: GroupQuery, page?: PageRequest): Statement {
	const params: Params = page === undefined ? {} : { limit: page.limit, offset: page.offset };
	const parts: GroupQuery = { ...query, dimensions: ["site", ...query.dimensions] };
	const groups = countedGroups(query, parts, "account_count", params);
	if (page === undefined) return statement(query, { ...groups, orderBy: query.dimensions }, params);
	const columns = [...groups.columns, "count() OVER () AS total_rows"];
	const order = [...orderBy({ dimensions: [] }, page.order), ...query.dimensions];
	return statement(query, { ...groups, columns, orderBy: order, limit: PAGE_LIMIT }, params);
}

const isCampaign = (name: string): boolean => (campaignDimensions as readonly string[]).includes(name);

/**
 * The query with `campaign` for the five campaign dimensions, where that answers the same and saves the engine work: it
 * reads rows, not a projection, and neither skips, reorders nor sorts by one of the five. The query itself otherwise.
 */
export function foldCampaign(query: ReportQuery, order: readonly Order[]): GroupQuery {
	const at = query.dimensions.indexOf("utm_source");
	const stand = query.dimensions.slice(at, at + campaignDimensions.length);
	if (at < 0 || campaignDimensions.some((name, index) => stand[index] !== name)) return query;
	if (order.some(({ by }) => isCampaign(by))) return query;
	if (!readsRows(query)) return query;
	const dimensions: GroupKey[] = query.dimensions.filter((name) => !isCampaign(name));
	dimensions.splice(at, 0, "campaign");
	return { ...query, dimensions };
}

/** A row of a folded query that has the five campaign dimensions as well. */
export function unfoldCampaign<Row extends Labels>(row: Row): Row {
	const values = String(row.campaign).split(CAMPAIGN_SEPARATOR);
	return { ...row, ...Object.fromEntries(campaignDimensions.map((name, index) => [name, values[index] ?? ""])) };
}
