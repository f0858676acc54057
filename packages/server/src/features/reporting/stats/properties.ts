import type { DateRange } from "../../../analytics/query/question/date-range.ts";
import { ofEvents } from "../../../analytics/query/question/reading.ts";
import { baselineStart } from "../../../analytics/query/reports/baseline-start.ts";
import {
	type PropertyGroup,
	type PropertyValueRow,
	runPropertyBreakdown,
	runPropertyKeys,
	runPropertyValues,
} from "../../../analytics/query/reports/property-reports.ts";
import { pageOf } from "../../../platform/http/envelope.ts";
import type { StatsDeps } from "./deps.ts";
import { pageMeta } from "./explain.ts";
import { parseRequest, type StatsSite } from "./parse.ts";
import type { PropertyBreakdownQuery, PropertyKeysQuery, PropertyValuesQuery } from "./properties-schemas.ts";

const groupings: Readonly<Record<PropertyValuesQuery["group_by"], readonly PropertyGroup[]>> = {
	utm_source: ["utm_source"],
	utm_medium: ["utm_medium"],
	utm_campaign: ["utm_campaign"],
	all: ["utm_source", "utm_medium", "utm_campaign"],
};

/** The properties that events carry, the most frequent first. */
export async function propertyKeys(deps: StatsDeps, site: StatsSite, query: PropertyKeysQuery) {
	const request = await parseRequest(deps, site, query, ofEvents);
	return runPropertyKeys(deps, { ...request, table: query.table });
}

/** One page of a property's values by source, the most frequent first. */
export async function propertyValues(deps: StatsDeps, site: StatsSite, query: PropertyValuesQuery) {
	const request = await parseRequest(deps, site, query, ofEvents);
	const { page, page_size: pageSize, group_by: groupBy, table, property_key: key } = query;
	const groups = groupings[groupBy];
	const paged = { limit: pageSize, offset: (page - 1) * pageSize };
	const { comparison, conditions } = request;
	const [{ rows, total }, earlier, began] = await Promise.all([
		runPropertyValues(deps, { ...request, table, key }, groups, paged),
		comparison &&
			runPropertyValues(deps, { ...request, range: comparison, table, key }, groups, { limit: 1, offset: 0 }),
		baselineStart(deps, { sites: [site.id], earlier: comparison, conditions }),
	]);
	return {
		...pageOf(
			rows.map((row) => presentPropertyValue(row, groups)),
			{ total, page, pageSize },
		),
		...(earlier && { comparison: { total: earlier.total } }),
		...pageMeta(began),
	};
}

/** One property by source, with the number of events by value. */
export async function propertyBreakdown(deps: StatsDeps, site: StatsSite, query: PropertyBreakdownQuery) {
	const request = await parseRequest(deps, site, query, ofEvents);
	const { table, property_key: key } = query;
	return presentBreakdown(key, request.range, await runPropertyBreakdown(deps, { ...request, table, key }));
}

/** A value with its grouping fields. */
function presentPropertyValue(row: PropertyValueRow, groups: readonly PropertyGroup[]) {
	return {
		property_value: row.property_value,
		...Object.fromEntries(groups.map((name) => [name, row[name] ?? ""])),
		conversions_count: row.conversions_count,
		microconversions_count: row.microconversions_count,
		revenue: row.revenue,
	};
}

/** One property by source. */
function presentBreakdown(
	key: string,
	range: DateRange,
	{ values, totalEvents, sources }: Awaited<ReturnType<typeof runPropertyBreakdown>>,
) {
	return {
		property_key: key,
		property_values: values.map(({ property_value }) => property_value),
		total_events: totalEvents,
		date_from: range.start.toString(),
		date_to: range.end.toString(),
		data: [...sources],
		totals: Object.fromEntries(values.map(({ property_value, total }) => [property_value, total])),
	};
}
