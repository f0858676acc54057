import { metricsFor } from "../../../analytics/catalog/rates.ts";
import { addDecimals } from "../../../analytics/query/engine/series.ts";
import { readingOf } from "../../../analytics/query/question/reading.ts";
import { type AcrossQuery, runAcross, runAcrossPage } from "../../../analytics/query/reports/across-sites.ts";
import { pageOf } from "../../../platform/http/envelope.ts";
import { type AggregateReport, aggregateDevices } from "./aggregate-reports.ts";
import type { AggregateListQuery, AggregateQuery } from "./aggregate-schemas.ts";
import { type AggregateDeps, aggregateSites } from "./aggregate-sites.ts";
import { parseRequest } from "./parse.ts";
import { figureNamed, presentRow } from "./present.ts";
import type { RowShape } from "./reports.ts";

async function questionOf(deps: AggregateDeps, shape: RowShape, query: AggregateQuery): Promise<AcrossQuery> {
	const sites = aggregateSites(deps, query.account_ids);
	const { range, conditions } = await parseRequest(deps, sites[0], query, readingOf(Object.values(shape.key)));
	return {
		sites: sites.map(({ id }) => id),
		range,
		conditions,
		dimensions: [...new Set(Object.values(shape.key))],
		metrics: metricsFor(Object.values(shape.columns)),
	};
}

/** One page of a list over several sites. */
export async function aggregateList(deps: AggregateDeps, report: AggregateReport, query: AggregateListQuery) {
	const question = await questionOf(deps, report, query);
	const { page, page_size: pageSize, sort_by: sortBy, sort_order: direction } = query;
	const { rows, total } = await runAcrossPage(deps, question, {
		order: { by: figureNamed(report, sortBy), direction },
		limit: pageSize,
		offset: (page - 1) * pageSize,
	});
	const empty = Object.fromEntries((report.empty ?? []).map((field) => [field, null]));
	return pageOf(
		rows.map((row) => ({ ...presentRow(report, row, { unique: { account_count: row.account_count } }), ...empty })),
		{ total, page, pageSize },
	);
}

/** The devices of several sites, the most frequent first. */
export async function aggregateDeviceList(deps: AggregateDeps, query: AggregateQuery) {
	const rows = await runAcross(deps, await questionOf(deps, aggregateDevices, query));
	const entrances = addDecimals(rows.map((row) => row.entrances));
	return rows
		.toSorted((one, other) => other.entrances - one.entrances)
		.map((row) => presentRow(aggregateDevices, row, { entrances }));
}
