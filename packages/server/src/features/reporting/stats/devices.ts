import type { Dimension } from "../../../analytics/catalog/dimensions.ts";
import { metricsFor } from "../../../analytics/catalog/rates.ts";
import { runReport } from "../../../analytics/query/engine/run.ts";
import { runBothPeriods } from "../../../analytics/query/engine/run-compared.ts";
import { addDecimals, sumRows } from "../../../analytics/query/engine/series.ts";
import { ofVisits } from "../../../analytics/query/question/reading.ts";
import type { ReportQuery, ReportRow } from "../../../analytics/query/question/report-query.ts";
import { baselineStart } from "../../../analytics/query/reports/baseline-start.ts";
import { success } from "../../../platform/http/envelope.ts";
import type { StatsDeps } from "./deps.ts";
import { parseRequest, type StatsQuery, type StatsSite } from "./parse.ts";
import { presentRow } from "./present.ts";
import { metricColumns, type RowShape } from "./reports.ts";

const MAX_ROWS = 100;

const shape = (key: Readonly<Record<string, Dimension>>): RowShape => ({
	key,
	columns: metricColumns,
	share: true,
	sortBy: ["entrances"],
	takes: [],
});

/** The breakdowns of `/stats/devices` by field. */
export const deviceShapes = {
	by_device: shape({ device: "device_type" }),
	by_browser: shape({ browser: "browser" }),
	by_os: shape({ os: "os" }),
} as const;

const metrics = metricsFor(Object.values(metricColumns));

// The engine sorts texts by their bytes.
const byBytes = (one: string, other: string) => Buffer.compare(Buffer.from(one), Buffer.from(other));

/** The rows summed up by one of their dimensions, the values with the most entrances first. */
function breakdown(of: RowShape, dimension: Dimension, rows: readonly ReportRow[]) {
	const groups = [...Map.groupBy(rows, (row) => String(row[dimension]))].map(
		([value, list]): ReportRow => ({ [dimension]: value, ...sumRows(list, metrics) }),
	);
	const entrances = addDecimals(rows.map((row) => row.entrances));
	return groups
		.filter((group) => metrics.some((name) => group[name] !== 0))
		.sort((one, other) => other.entrances - one.entrances || byBytes(`${one[dimension]}`, `${other[dimension]}`))
		.slice(0, MAX_ROWS)
		.map((group) => presentRow(of, group, { entrances }));
}

const breakdowns = (rows: readonly ReportRow[]) => ({
	by_device: breakdown(deviceShapes.by_device, "device_type", rows),
	by_browser: breakdown(deviceShapes.by_browser, "browser", rows),
	by_os: breakdown(deviceShapes.by_os, "os", rows),
});

/**
 * Device types, browsers and operating systems, the first 100 of each; the earlier ones too with `compare`. All of them are
 * made of one list of the combinations that there are, which are a few hundred.
 */
export async function devices(deps: StatsDeps, site: StatsSite, query: StatsQuery) {
	const request = await parseRequest(deps, site, query, ofVisits);
	const question: ReportQuery = { ...request, dimensions: ["device_type", "browser", "os"], metrics };
	const { comparison: earlier } = request;
	if (earlier === undefined) return success(breakdowns(await runReport(deps, question)));
	const [{ rows, earlierRows }, meta] = await Promise.all([
		runBothPeriods(deps, question, earlier),
		baselineStart(deps, request),
	]);
	return success({ ...breakdowns(rows), comparison: breakdowns(earlierRows) }, meta);
}
