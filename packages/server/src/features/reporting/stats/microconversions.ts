import type { Dimension } from "../../../analytics/catalog/dimensions.ts";
import type { Filter } from "../../../analytics/catalog/filters.ts";
import type { Metric } from "../../../analytics/catalog/metrics.ts";
import { runTop, runTotals } from "../../../analytics/query/engine/run.ts";
import { ofEvents } from "../../../analytics/query/question/reading.ts";
import type { StatsDeps } from "./deps.ts";
import { parseRequest, type StatsQuery, type StatsSite } from "./parse.ts";
import { presentPart, presentType } from "./present.ts";

const MAX_NESTED = 100;
const MAX_TYPES = 1000;

const columns = { count: "microconversions" } as const;
const metrics: readonly Metric[] = ["microconversions"];

/** The lists of one type by field, each with what a row of it stands for. */
export const typeLists = {
	by_device: { device_type: "device_type" },
	by_country: { country: "country" },
	by_landing_page: { landing_page: "landing_page" },
	by_source: { utm_source: "utm_source", utm_medium: "utm_medium" },
} as const satisfies Record<string, Readonly<Record<string, Dimension>>>;

/** How often one type of microconversion happened and under which dimensions; zeros for a type that never did. */
export async function microconversion(deps: StatsDeps, site: StatsSite, type: string, query: StatsQuery) {
	const request = await parseRequest(deps, site, query, ofEvents);
	const only: Filter = { dimension: "conversion_type", operator: "eq", values: [type] };
	const question = { ...request, conditions: [...request.conditions, only], dimensions: [], metrics };
	const order = [{ by: "microconversions", direction: "desc" }] as const;
	const [totals, ...lists] = await Promise.all([
		runTotals(deps, question),
		...Object.entries(typeLists).map(async ([field, key]) => {
			const rows = await runTop(deps, { ...question, dimensions: Object.values(key) }, { order, limit: MAX_NESTED });
			return { field, key, rows };
		}),
	]);
	const count = totals.microconversions;
	const presented = lists.map(({ field, key, rows }) => [
		field,
		rows.map((row) => presentPart({ key, columns }, row, count)),
	]);
	return presentType(type, request.range, count, Object.fromEntries(presented));
}

/** The types of microconversion that happened, ascending; of more than 1,000 the most frequent. */
export async function microconversionTypes(deps: StatsDeps, site: StatsSite, query: StatsQuery): Promise<string[]> {
	const request = await parseRequest(deps, site, query, ofEvents);
	const order = [{ by: "microconversions", direction: "desc" }] as const;
	const question = { ...request, dimensions: ["conversion_type"], metrics } as const;
	const rows = await runTop(deps, question, { order, limit: MAX_TYPES });
	return rows.map((row) => String(row.conversion_type)).sort();
}
