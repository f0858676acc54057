import type { Dimension } from "../../../analytics/catalog/dimensions.ts";
import { metricNames } from "../../../analytics/catalog/metrics.ts";
import { runPage } from "../../../analytics/query/engine/run.ts";
import type { DateRange } from "../../../analytics/query/question/date-range.ts";
import { comparisonRange } from "../../../analytics/query/question/date-range.ts";
import type { StatsDeps } from "./deps.ts";
import { parseRequest, type StatsQuery, type StatsRequest, type StatsSite } from "./parse.ts";
import { presentRow } from "./present.ts";
import { metricColumns, type RowShape } from "./reports.ts";

const MAX_ROWS = 100;

const shape = (key: Readonly<Record<string, Dimension>>): RowShape => ({
	key,
	columns: metricColumns,
	share: true,
	sortBy: ["entrances"],
	path: "landing_page",
	takes: [],
});

/** The breakdowns of `/stats/devices` by field. */
export const deviceShapes = {
	by_device: shape({ device: "device_type" }),
	by_browser: shape({ browser: "browser" }),
	by_os: shape({ os: "os" }),
} as const;

async function breakdown(deps: StatsDeps, request: StatsRequest, range: DateRange, of: RowShape) {
	const question = {
		site: request.site,
		range,
		conditions: request.conditions,
		dimensions: Object.values(of.key),
		metrics: metricNames,
	};
	const order = [{ by: "entrances", direction: "desc" }] as const;
	const { rows, totals } = await runPage(deps, question, { order, limit: MAX_ROWS, offset: 0, totals: true });
	return rows.map((row) => presentRow(of, row, { entrances: totals?.entrances }));
}

async function breakdowns(deps: StatsDeps, request: StatsRequest, range: DateRange) {
	const [byDevice, byBrowser, byOs] = await Promise.all([
		breakdown(deps, request, range, deviceShapes.by_device),
		breakdown(deps, request, range, deviceShapes.by_browser),
		breakdown(deps, request, range, deviceShapes.by_os),
	]);
	return { by_device: byDevice, by_browser: byBrowser, by_os: byOs };
}

/** Device types, browsers and operating systems, the first 100 of each; the earlier ones too with `compare`. */
export async function devices(deps: StatsDeps, site: StatsSite, query: StatsQuery) {
	const request = await parseRequest(deps, site, query, "landing_page");
	const { range, comparison } = request;
	const [current, earlier] = await Promise.all([
		breakdowns(deps, request, range),
		comparison && breakdowns(deps, request, comparisonRange(range, comparison)),
	]);
	return { ...current, ...(earlier && { comparison: earlier }) };
}
