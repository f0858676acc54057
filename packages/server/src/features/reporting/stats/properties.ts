import { ofEvents } from "../../../analytics/query/question/reading.ts";
import { baselineStart } from "../../../analytics/query/reports/baseline-start.ts";
import {
	type PropertyGroup,
	runPropertyBreakdown,
	runPropertyKeys,
	runPropertyValues,
} from "../../../analytics/query/reports/property-reports.ts";
import { pageOf } from "../../../platform/http/envelope.ts";
import type { StatsDeps } from "./deps.ts";
import { pageMeta } from "./explain.ts";
import { parseRequest, type StatsSite } from "./parse.ts";
import { presentBreakdown, presentPropertyValue } from "./properties-present.ts";
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
