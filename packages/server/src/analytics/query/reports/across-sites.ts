import type { EventQuery } from "../../../platform/event-store/event-store.ts";
import { type Dimension, dimensionOf } from "../../catalog/dimensions.ts";
import { type Metric, metrics } from "../../catalog/metrics.ts";
import { isRate, rates } from "../../catalog/rates.ts";
import { type EventScope, eventsWhere, type Params, sumSettings } from "../engine/compile.ts";
import { ask, type RunDeps } from "../engine/run.ts";
import type { Order, ReportQuery, ReportRow } from "../question/report-query.ts";

/** A report over several sites at once. */
export interface AcrossQuery<M extends Metric = Metric> extends Omit<ReportQuery<M>, "site" | "groups"> {
	/** Slugs. */
	readonly sites: readonly string[];
}

/** A group with the number of sites that it has a count on. */
export type AcrossRow<M extends Metric = Metric> = ReportRow<M> & { readonly account_count: number };

const column = (name: Dimension) => {
	const { sql } = dimensionOf(name);
	return sql === name ? name : `${sql} AS ${name}`;
};

/** The sums of each site by itself: what aggregate projections hold. */
function partsSql(query: AcrossQuery, params: Params): string[] {
	const scope: EventScope = { ...query, site: query.sites };
	const columns = [
		"site",
		...query.dimensions.map(column),
		...query.metrics.map((name) => `${metrics[name].sql} AS ${name}`),
	];
	return [
		`SELECT ${columns.join(",\n\t")}`,
		"FROM events",
		`WHERE ${eventsWhere(scope, params).join("\n\tAND ")}`,
		`GROUP BY ${["site", ...query.dimensions].join(", ")}`,
		havingSql(query),
	];
}

const havingSql = (query: AcrossQuery) => `HAVING ${query.metrics.map((name) => `${name} != 0`).join(" OR ")}`;

function compileAcross(
	query: AcrossQuery,
	more: readonly string[],
	tail: readonly string[],
	params: Params,
): EventQuery {
	const columns = [
		...query.dimensions,
		"count() AS account_count",
		...query.metrics.map((name) => `sum(parts.${name}) AS ${name}`),
		...more,
	];
	const lines = [
		`SELECT ${columns.join(",\n\t")}`,
		"FROM (",
		...partsSql(query, params),
		") AS parts",
		...(query.dimensions.length === 0 ? [] : [`GROUP BY ${query.dimensions.join(", ")}`, havingSql(query)]),
		...tail,
	];
	return { sql: lines.join("\n"), params, settings: sumSettings(query) };
}

/** All groups in the order of their dimensions; without dimensions, one row of sums. */
export function runAcross<M extends Metric>(deps: RunDeps, query: AcrossQuery<M>): Promise<AcrossRow<M>[]> {
	const tail = query.dimensions.length === 0 ? [] : [`ORDER BY ${query.dimensions.join(", ")}`];
	return ask(deps, compileAcross(query, [], tail, {}));
}

/** The sums of each site that has any. */
export function runBySite<M extends Metric>(
	deps: RunDeps,
	query: AcrossQuery<M>,
): Promise<(ReportRow<M> & { readonly site: string })[]> {
	const params: Params = {};
	const lines = [...partsSql({ ...query, dimensions: [] }, params), "ORDER BY site"];
	return ask(deps, { sql: lines.join("\n"), params });
}

/** One sorted page of groups and the number of all; a page past the end still tells it. */
export async function runAcrossPage<M extends Metric>(
	deps: RunDeps,
	query: AcrossQuery<M>,
	page: { readonly order: Order; readonly limit: number; readonly offset: number },
): Promise<{ readonly rows: readonly AcrossRow<M>[]; readonly total: number }> {
	const { by, direction } = page.order;
	const order = [`${isRate(by) ? rates[by].sql : by} ${direction.toUpperCase()}`, ...query.dimensions];
	const tail = [`ORDER BY ${order.join(", ")}`, "LIMIT {limit:UInt64} OFFSET {offset:UInt64}"];
	const params: Params = { limit: page.limit, offset: page.offset };
	const compiled = compileAcross(query, ["count() OVER () AS total_rows"], tail, params);
	const rows = await ask<AcrossRow<M> & { readonly total_rows: number }>(deps, compiled);
	const [first] = rows;
	if (first === undefined && page.offset > 0) {
		return { rows: [], total: (await runAcrossPage(deps, query, { ...page, limit: 1, offset: 0 })).total };
	}
	return { rows, total: first?.total_rows ?? 0 };
}
