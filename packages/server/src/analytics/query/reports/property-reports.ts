import type { EventQuery } from "../../../platform/event-store/event-store.ts";
import type { Dimension } from "../../catalog/dimensions.ts";
import { metrics } from "../../catalog/metrics.ts";
import { rowSettings } from "../../catalog/projections.ts";
import { type EventScope, eventsWhere, type Params } from "../engine/compile.ts";
import { ask, type RunDeps } from "../engine/run.ts";

/** Whose properties are counted; `both` = conversions and microconversions. */
export const propertyTables = ["conversions", "microconversions", "conversion_items", "both"] as const;
export type PropertyTable = (typeof propertyTables)[number];

/** Properties of some events. */
export interface PropertyScope extends EventScope {
	readonly table: PropertyTable;
}

/** The values of one property. */
export interface PropertyValues extends PropertyScope {
	readonly key: string;
}

/** A campaign dimension that values are told apart by. */
export type PropertyGroup = Extract<Dimension, "utm_source" | "utm_medium" | "utm_campaign">;

/** An answer holds no more keys than this, whatever a site's pages send. */
const MAX_KEYS = 10_000;
/** Values, and sources, of a breakdown. */
const MAX_LISTED = 100;

// An item stands for as many pieces as its `quantity` says; what is no plain number says nothing.
const pieces = "if(match(properties['quantity'], '^[0-9]{1,6}$'), toUInt64OrZero(properties['quantity']), 1)";

const tables: Readonly<
	Record<PropertyTable, { readonly kinds: string; readonly conversions: string; readonly microconversions: string }>
> = {
	conversions: { kinds: "kind = 'conversion'", conversions: "sum(conversion)", microconversions: "toUInt64(0)" },
	microconversions: {
		kinds: "kind = 'microconversion'",
		conversions: "toUInt64(0)",
		microconversions: "sum(microconversion)",
	},
	conversion_items: { kinds: "kind = 'item'", conversions: `sum(${pieces})`, microconversions: "toUInt64(0)" },
	both: {
		kinds: "kind IN ('conversion', 'microconversion')",
		conversions: "sum(conversion)",
		microconversions: "sum(microconversion)",
	},
};

const counts = (table: PropertyTable) => [
	`${tables[table].conversions} AS conversions_count`,
	`${tables[table].microconversions} AS microconversions_count`,
];

function whereSql(scope: PropertyScope | PropertyValues, params: Params): string {
	const where = [...eventsWhere(scope, params), tables[scope.table].kinds];
	if ("key" in scope) {
		params.key = scope.key;
		where.push("mapContains(properties, {key:String})");
	}
	return `WHERE ${where.join("\n\tAND ")}`;
}

/** A property with the number of events that carry it. */
export interface PropertyKeyRow {
	readonly key: string;
	readonly conversions_count: number;
	readonly microconversions_count: number;
	readonly total_count: number;
}

/** Every property, the most frequent first. */
export function runPropertyKeys(deps: RunDeps, scope: PropertyScope): Promise<PropertyKeyRow[]> {
	const params: Params = {};
	const quantity = scope.table === "conversion_items" ? "\n\tAND key != 'quantity'" : "";
	const lines = [
		`SELECT ${["key", ...counts(scope.table), "conversions_count + microconversions_count AS total_count"].join(",\n\t")}`,
		"FROM events",
		"ARRAY JOIN mapKeys(properties) AS key",
		`${whereSql(scope, params)}${quantity}`,
		"GROUP BY key",
		"HAVING total_count != 0",
		"ORDER BY total_count DESC, key",
		`LIMIT ${MAX_KEYS}`,
	];
	return ask(deps, { sql: lines.join("\n"), params });
}

/** A value of a property under one source. */
export type PropertyValueRow = Readonly<Partial<Record<PropertyGroup, string>>> & {
	readonly property_value: string;
	readonly conversions_count: number;
	readonly microconversions_count: number;
	readonly revenue: number;
	readonly total_rows: number;
};

function compileValues(
	question: PropertyValues,
	groups: readonly PropertyGroup[],
	page: { readonly limit: number; readonly offset: number },
): EventQuery {
	const params: Params = {};
	const columns = [
		"properties[{key:String}] AS property_value",
		...groups,
		...counts(question.table),
		`${metrics.revenue.sql} AS revenue`,
		"count() OVER () AS total_rows",
	];
	const keys = ["property_value", ...groups].join(", ");
	const lines = [
		`SELECT ${columns.join(",\n\t")}`,
		"FROM events",
		whereSql(question, params),
		`GROUP BY ${keys}`,
		"HAVING conversions_count + microconversions_count != 0",
		`ORDER BY conversions_count + microconversions_count DESC, ${keys}`,
		"LIMIT {limit:UInt64} OFFSET {offset:UInt64}",
	];
	return {
		sql: lines.join("\n"),
		params: { ...params, limit: page.limit, offset: page.offset },
		settings: rowSettings,
	};
}

/** One page of a property's values by source, the most frequent first. A page past the end still tells the number of all. */
export async function runPropertyValues(
	deps: RunDeps,
	question: PropertyValues,
	groups: readonly PropertyGroup[],
	page: { readonly limit: number; readonly offset: number },
): Promise<{ readonly rows: readonly PropertyValueRow[]; readonly total: number }> {
	const rows = await ask<PropertyValueRow>(deps, compileValues(question, groups, page));
	const [first] = rows;
	if (first === undefined && page.offset > 0) {
		const { total } = await runPropertyValues(deps, question, groups, { limit: 1, offset: 0 });
		return { rows: [], total };
	}
	return { rows, total: first?.total_rows ?? 0 };
}

/** A source with the number of its events by value. */
export interface PropertySourceRow extends Readonly<Record<PropertyGroup, string>> {
	readonly total: number;
	readonly values: Readonly<Record<string, number>>;
}

type BreakdownRow = PropertySourceRow & {
	/** 1 = a source with its values, 0 = a value. */
	readonly is_source: number;
	readonly property_value: string;
	readonly total_events: number;
};

// One reading of the rows for both lists: the groups of source and value are summed up once by value, once by source.
function compileBreakdown(question: PropertyValues): EventQuery {
	const params: Params = {};
	const { conversions, microconversions } = tables[question.table];
	const groups = "utm_source, utm_medium, utm_campaign";
	const listed = (column: string) => `groupArrayIf(parts.${column}, value_rank <= ${MAX_LISTED})`;
	const lines = [
		"SELECT grouping(property_value) AS is_source,",
		`\tproperty_value, ${groups},`,
		"\tsum(parts.total) AS total,",
		`\tif(is_source = 1, mapSort(mapFromArrays(${listed("property_value")}, ${listed("total")})), map()) AS values,`,
		"\tsum(total) OVER (PARTITION BY is_source) AS total_events",
		"FROM (",
		"SELECT *, dense_rank() OVER (ORDER BY value_total DESC, property_value) AS value_rank",
		"FROM (",
		`SELECT ${groups},`,
		"\tproperties[{key:String}] AS property_value,",
		`\t${conversions} + ${microconversions} AS total,`,
		"\tsum(total) OVER (PARTITION BY property_value) AS value_total",
		"FROM events",
		whereSql(question, params),
		`GROUP BY ${groups}, property_value`,
		"HAVING total != 0",
		")",
		") AS parts",
		`GROUP BY GROUPING SETS ((property_value), (${groups}))`,
		`ORDER BY is_source, total DESC, property_value, ${groups}`,
		`LIMIT ${MAX_LISTED} BY is_source`,
	];
	return { sql: lines.join("\n"), params, settings: rowSettings };
}

/**
 * A property's 100 most frequent values, and the 100 sources with the most events that carry it; `total_events` counts all
 * of them, listed or not.
 */
export async function runPropertyBreakdown(
	deps: RunDeps,
	question: PropertyValues,
): Promise<{
	readonly values: readonly { readonly property_value: string; readonly total: number }[];
	readonly totalEvents: number;
	readonly sources: readonly PropertySourceRow[];
}> {
	const rows = await ask<BreakdownRow>(deps, compileBreakdown(question));
	const values = rows.filter((row) => row.is_source === 0);
	const sources = rows
		.filter((row) => row.is_source === 1)
		.map(({ is_source: _, property_value: __, total_events: ___, ...source }) => source);
	return { values, totalEvents: values[0]?.total_events ?? 0, sources };
}
