import type { Metric } from "../../catalog/metrics.ts";
import { isRate, rates } from "../../catalog/rates.ts";
import {
	dimensionColumn,
	type EventScope,
	eventsWhere,
	groupBy,
	isCounted,
	metricColumns,
	type Params,
	partColumns,
	type Statement,
	sumSettings,
} from "../engine/compile.ts";
import { ask, type RunDeps } from "../engine/run.ts";
import { nested, type Select, select } from "../engine/select.ts";
import type { Order, ReportQuery, ReportRow } from "../question/report-query.ts";

/** A report over several sites at once. */
export interface AcrossQuery<M extends Metric = Metric> extends Omit<ReportQuery<M>, "site"> {
	/** Slugs. */
	readonly sites: readonly string[];
}

/** A group with the number of sites that it has a count on. */
export type AcrossRow<M extends Metric = Metric> = ReportRow<M> & { readonly account_count: number };

/** Sums of each site, from the aggregate projections. */
function partsOf(query: AcrossQuery, params: Params): Select {
	const scope: EventScope = { ...query, site: query.sites };
	return {
		columns: ["site", ...query.dimensions.map(dimensionColumn), ...metricColumns(query.metrics)],
		from: "events",
		where: eventsWhere(scope, params),
		groupBy: ["site", ...query.dimensions],
		having: isCounted(query),
	};
}

function compileAcross(
	query: AcrossQuery,
	more: readonly string[],
	tail: Pick<Select, "orderBy" | "limit">,
	params: Params,
): Statement {
	const sql = select({
		columns: [...query.dimensions, "count() AS account_count", ...partColumns(query.metrics), ...more],
		from: nested(select(partsOf(query, params)), "parts"),
		...groupBy(query),
		...tail,
	});
	return { sql, params, settings: sumSettings(query) };
}

/** All groups in the order of their dimensions; without dimensions, one row of sums. */
export function runAcross<M extends Metric>(deps: RunDeps, query: AcrossQuery<M>): Promise<AcrossRow<M>[]> {
	return ask(deps, compileAcross(query, [], { orderBy: query.dimensions }, {}));
}

/** The sums of each site that has any. */
export function runBySite<M extends Metric>(
	deps: RunDeps,
	query: AcrossQuery<M>,
): Promise<(ReportRow<M> & { readonly site: string })[]> {
	const params: Params = {};
	const parts = partsOf({ ...query, dimensions: [] }, params);
	return ask(deps, {
		sql: select({ ...parts, orderBy: ["site"] }),
		params,
		settings: sumSettings({ ...query, dimensions: [] }),
	});
}

/** One sorted page of groups and the number of all; a page past the end still tells it. */
export async function runAcrossPage<M extends Metric>(
	deps: RunDeps,
	query: AcrossQuery<M>,
	page: { readonly order: Order; readonly limit: number; readonly offset: number },
): Promise<{ readonly rows: readonly AcrossRow<M>[]; readonly total: number }> {
	const { by, direction } = page.order;
	const order = [`${isRate(by) ? rates[by].sql : by} ${direction.toUpperCase()}`, ...query.dimensions];
	const tail = { orderBy: order, limit: "{limit:UInt64} OFFSET {offset:UInt64}" };
	const params: Params = { limit: page.limit, offset: page.offset };
	const compiled = compileAcross(query, ["count() OVER () AS total_rows"], tail, params);
	const rows = await ask<AcrossRow<M> & { readonly total_rows: number }>(deps, compiled);
	const [first] = rows;
	if (first === undefined && page.offset > 0) {
		return { rows: [], total: (await runAcrossPage(deps, query, { ...page, limit: 1, offset: 0 })).total };
	}
	return { rows, total: first?.total_rows ?? 0 };
}
