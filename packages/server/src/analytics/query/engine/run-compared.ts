import type { Metric } from "../../catalog/metrics.ts";
import type { DateRange } from "../question/date-range.ts";
import type { ComparedPage, ReportQuery, ReportRow } from "../question/report-query.ts";
import { compileCompared } from "./compile-compared.ts";
import { foldCampaign, unfoldCampaign } from "./fold-campaign.ts";
import { ask, distinctTotals, named, type RunDeps } from "./run.ts";

/** A group with its sums in the earlier period: zeros where it had none. */
export interface ComparedRow<M extends Metric = Metric> {
	readonly row: ReportRow<M>;
	readonly earlier: Readonly<Record<M, number>>;
}

/** Groups of today beside those of an earlier period. */
export interface ComparedGroups<M extends Metric = Metric> {
	readonly rows: readonly ComparedRow<M>[];
	/** Groups that count today. */
	readonly totalRows: number;
	/** Over all groups; zeros for metrics that this was not asked for. */
	readonly totals: Readonly<Record<M, number>>;
	/** The same over all groups of the earlier period, also those that there are no more. */
	readonly earlierTotals: Readonly<Record<M, number>>;
}

/** Rows of a compared statement without the groups that only counted earlier; the row of a question without groups is one. */
export function comparedRows<M extends Metric>(
	{ dimensions, metrics }: Pick<ReportQuery<M>, "dimensions" | "metrics">,
	found: readonly Found<M>[],
): ComparedRow<M>[] {
	const counted = dimensions.length === 0 ? found : found.filter((row) => row.is_counted === 1);
	return counted.map((row) => ({ row, earlier: named(metrics, "earlier_", row) }));
}

/** A row of a compared statement. */
export type Found<M extends Metric> = ReportRow<M> & Readonly<Record<"is_counted" | "total_rows", number>>;

/**
 * The first groups of a query in an order, each beside itself in the earlier period, asked in one statement. A page past
 * the end has no rows and still tells the totals; groups that only the earlier period has are in its totals alone.
 */
export async function runCompared<M extends Metric>(
	deps: RunDeps,
	query: ReportQuery<M>,
	earlier: DateRange,
	page: ComparedPage,
): Promise<ComparedGroups<M>> {
	const { totals = [], earlierTotals = [] } = page;
	const asked = { ...query, earlier };
	const folded = foldCampaign(asked, page.order);
	const compiled = compileCompared({ ...folded, earlier }, page);
	const [found, distinct, earlierDistinct] = await Promise.all([
		ask<Found<M>>(deps, compiled),
		distinctTotals(deps, { ...query, metrics: totals }),
		distinctTotals(deps, { ...query, range: earlier, metrics: earlierTotals }),
	]);
	const [first] = found;
	if (first === undefined && page.offset !== undefined && page.offset > 0) {
		return { ...(await runCompared(deps, query, earlier, { ...page, offset: 0, limit: 1 })), rows: [] };
	}
	const isWhole = query.dimensions.length === 0;
	return {
		rows: comparedRows(query, folded === asked ? found : found.map(unfoldCampaign)),
		totalRows: isWhole ? 1 : (first?.total_rows ?? 0),
		totals: { ...named(query.metrics, "total_", first), ...distinct },
		earlierTotals: { ...named([...query.metrics, ...earlierTotals], "total_earlier_", first), ...earlierDistinct },
	};
}

/** All groups of two periods, asked in one statement: those of today, and those of the earlier period. */
export async function runBothPeriods<M extends Metric>(
	deps: RunDeps,
	query: ReportQuery<M>,
	earlier: DateRange,
): Promise<{ readonly rows: readonly ReportRow<M>[]; readonly earlierRows: readonly ReportRow<M>[] }> {
	const compiled = compileCompared({ ...query, earlier }, { order: [] });
	const rows = await ask<Found<M>>(deps, compiled);
	return {
		rows: rows.filter((row) => row.is_counted === 1),
		earlierRows: rows.map((row) => ({ ...row, ...named(query.metrics, "earlier_", row) })),
	};
}
