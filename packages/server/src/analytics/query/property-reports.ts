import type { EventQuery } from "../../platform/event-store/event-store.ts";
import type { Dimension } from "../catalog/dimensions.ts";
import { metrics } from "../catalog/metrics.ts";
import { rowSettings } from "../catalog/projections.ts";
import { type EventScope, eventsWhere, type Params } from "./compile.ts";
import { ask, type RunDeps } from "./run.ts";

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
const MAX_VALUES = 100;
const MAX_SOURCES = 100;

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

interface ValueTotal {
	readonly property_value: string;
	readonly total: number;
	readonly total_events: number;
}

const total = ({ conversions, microconversions }: (typeof tables)[PropertyTable]) =>
	`${conversions} + ${microconversions} AS total`;

function compileTopValues(question: PropertyValues): EventQuery {
	const params: Params = {};
	const columns = [
		"properties[{key:String}] AS property_value",
		total(tables[question.table]),
		"sum(total) OVER () AS total_events",
	];
	const lines = [
		`SELECT ${columns.join(",\n\t")}`,
		"FROM events",
		whereSql(question, params),
		"GROUP BY property_value",
		"HAVING total != 0",
		"ORDER BY total DESC, property_value",
		`LIMIT ${MAX_VALUES}`,
	];
	return { sql: lines.join("\n"), params, settings: rowSettings };
}

function compileSources(question: PropertyValues, values: readonly string[]): EventQuery {
	const params: Params = { values };
	const groups = "utm_source, utm_medium, utm_campaign";
	const listed = "property_value IN {values:Array(String)}";
	const lines = [
		`SELECT ${groups},`,
		"\tsum(parts.total) AS total,",
		`\tmapSort(mapFromArrays(groupArrayIf(property_value, ${listed}), groupArrayIf(parts.total, ${listed}))) AS values`,
		"FROM (",
		`SELECT ${[groups, "properties[{key:String}] AS property_value", total(tables[question.table])].join(",\n\t")}`,
		"FROM events",
		whereSql(question, params),
		`GROUP BY ${groups}, property_value`,
		"HAVING total != 0",
		") AS parts",
		`GROUP BY ${groups}`,
		`ORDER BY total DESC, ${groups}`,
		`LIMIT ${MAX_SOURCES}`,
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
	const values = await ask<ValueTotal>(deps, compileTopValues(question));
	const texts = values.map(({ property_value }) => property_value);
	const sources = await ask<PropertySourceRow>(deps, compileSources(question, texts));
	return { values, totalEvents: values[0]?.total_events ?? 0, sources };
}
