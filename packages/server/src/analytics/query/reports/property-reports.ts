import type { Dimension } from "../../catalog/dimensions.ts";
import { rowSettings } from "../../catalog/projections.ts";
import {
	type EventScope,
	eventsWhere,
	metricColumns,
	PAGE_LIMIT,
	type Params,
	type Statement,
} from "../engine/compile.ts";
import { ask, askPage, type RunDeps } from "../engine/run.ts";
import { nested, select } from "../engine/select.ts";

/** Events whose properties are counted; `both` = conversions and microconversions. */
export const propertyTables = ["conversions", "microconversions", "conversion_items", "both"] as const;
type PropertyTable = (typeof propertyTables)[number];

/** Properties of some events. */
interface PropertyScope extends EventScope {
	readonly table: PropertyTable;
}

/** The values of one property. */
interface PropertyValues extends PropertyScope {
	readonly key: string;
}

/** A campaign dimension that values are grouped by. */
type PropertyGroup = Extract<Dimension, "utm_source" | "utm_medium" | "utm_campaign">;

/** An answer holds no more keys than this, whatever a site's pages send. */
const MAX_KEYS = 10_000;
/** Values, and sources, of a breakdown. */
const MAX_LISTED = 100;

// An item counts as often as its `quantity` says; a quantity that is no plain number counts once.
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

function propertiesWhere(scope: PropertyScope | PropertyValues, params: Params): string[] {
	const where = [...eventsWhere(scope, params), tables[scope.table].kinds];
	if ("key" in scope) {
		params.key = scope.key;
		where.push("mapContains(properties, {key:String})");
	}
	return where;
}

type Counts = Readonly<Record<"conversions_count" | "microconversions_count", number>>;

/** Every property with the number of events that carry it, the most frequent first. */
export function runPropertyKeys(deps: RunDeps, scope: PropertyScope) {
	const params: Params = {};
	const isItem = scope.table === "conversion_items";
	const sql = select({
		columns: ["key", ...counts(scope.table), "conversions_count + microconversions_count AS total_count"],
		from: "events\nARRAY JOIN mapKeys(properties) AS key",
		where: [...propertiesWhere(scope, params), ...(isItem ? ["key != 'quantity'"] : [])],
		groupBy: ["key"],
		having: "total_count != 0",
		orderBy: ["total_count DESC", "key"],
		limit: String(MAX_KEYS),
	});
	return ask<Counts & { readonly key: string; readonly total_count: number }>(deps, {
		sql,
		params,
		settings: rowSettings,
	});
}

/** A value of a property under one source. */
interface PropertyValueRow extends Counts, Readonly<Partial<Record<PropertyGroup, string>>> {
	readonly property_value: string;
	readonly revenue: number;
	readonly total_rows: number;
}

function compileValues(
	question: PropertyValues,
	groups: readonly PropertyGroup[],
	page: { readonly limit: number; readonly offset: number },
): Statement {
	const params: Params = {};
	const keys = ["property_value", ...groups];
	const sql = select({
		columns: [
			"properties[{key:String}] AS property_value",
			...groups,
			...counts(question.table),
			...metricColumns(["revenue"]),
			"count() OVER () AS total_rows",
		],
		from: "events",
		where: propertiesWhere(question, params),
		groupBy: keys,
		having: "conversions_count + microconversions_count != 0",
		orderBy: ["conversions_count + microconversions_count DESC", ...keys],
		limit: PAGE_LIMIT,
	});
	return { sql, params: { ...params, limit: page.limit, offset: page.offset }, settings: rowSettings };
}

/** One page of a property's values by source, the most frequent first. A page past the end still tells the number of all. */
export async function runPropertyValues(
	deps: RunDeps,
	question: PropertyValues,
	groups: readonly PropertyGroup[],
	page: { readonly limit: number; readonly offset: number },
) {
	const { rows, first } = await askPage<PropertyValueRow, typeof page>(deps, page, (asked) =>
		compileValues(question, groups, asked),
	);
	return { rows, total: first?.total_rows ?? 0 };
}

/** A source with the number of its events by value, or a value with that of all its events. */
interface BreakdownRow extends Readonly<Record<PropertyGroup, string>> {
	readonly total: number;
	readonly values: Readonly<Record<string, number>>;
	/** 1 = a source, 0 = a value. */
	readonly is_source: number;
	readonly property_value: string;
	readonly total_events: number;
}

// One reading of the rows for both lists: the groups of source and value are summed up once by value, once by source.
function compileBreakdown(question: PropertyValues): Statement {
	const params: Params = {};
	const { conversions, microconversions } = tables[question.table];
	const groups = "utm_source, utm_medium, utm_campaign";
	const listed = (column: string) => `groupArrayIf(parts.${column}, value_rank <= ${MAX_LISTED})`;
	const counted = select({
		columns: [
			groups,
			"properties[{key:String}] AS property_value",
			`${conversions} + ${microconversions} AS total`,
			"sum(total) OVER (PARTITION BY property_value) AS value_total",
		],
		from: "events",
		where: propertiesWhere(question, params),
		groupBy: [groups, "property_value"],
		having: "total != 0",
	});
	const ranked = select({
		columns: ["*", "dense_rank() OVER (ORDER BY value_total DESC, property_value) AS value_rank"],
		from: nested(counted),
	});
	const sql = select({
		columns: [
			"grouping(property_value) AS is_source",
			`property_value, ${groups}`,
			"sum(parts.total) AS total",
			`if(is_source = 1, mapSort(mapFromArrays(${listed("property_value")}, ${listed("total")})), map()) AS values`,
			"sum(total) OVER (PARTITION BY is_source) AS total_events",
		],
		from: nested(ranked, "parts"),
		groupBy: [`GROUPING SETS ((property_value), (${groups}))`],
		orderBy: ["is_source", "total DESC", "property_value", groups],
		limit: `${MAX_LISTED} BY is_source`,
	});
	return { sql, params, settings: rowSettings };
}

/**
 * A property's 100 most frequent values, and the 100 sources with the most events that carry it; `total_events` counts all
 * of them, listed or not.
 */
export async function runPropertyBreakdown(deps: RunDeps, question: PropertyValues) {
	const rows = await ask<BreakdownRow>(deps, compileBreakdown(question));
	const values = rows.filter((row) => row.is_source === 0);
	const sources = rows
		.filter((row) => row.is_source === 1)
		.map(({ is_source: _, property_value: __, total_events: ___, ...source }) => source);
	return { values, totalEvents: values[0]?.total_events ?? 0, sources };
}
