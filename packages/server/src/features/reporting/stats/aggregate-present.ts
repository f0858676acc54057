import { type Measures, type Metric, metricNames } from "../../../analytics/catalog/metrics.ts";
import { addDecimals, type Point } from "../../../analytics/query/engine/series.ts";
import type { DateRange } from "../../../analytics/query/question/date-range.ts";
import { presentConversions, presentNumbers } from "./present.ts";
import { columns } from "./reports.ts";

const accountColumns = columns(...metricNames, "bounce_rate", "conversion_rate");
const trafficColumns = columns(...metricNames, "bounce_rate", "pages_per_session", "conversion_rate");

const presentDays = ({ start, end }: DateRange) => ({ start_date: start.toString(), end_date: end.toString() });

/** The sums of one site, or of all of them. */
export interface SiteFigures {
	readonly site: string;
	readonly measures: Measures;
}

/** Everything that the overview of several sites shows. */
export interface AggregateFigures {
	readonly accountIds: readonly string[];
	readonly range: DateRange;
	readonly totals: Measures;
	/** Sites that have a count. */
	readonly accountCount: number;
	readonly byAccount: readonly SiteFigures[] | undefined;
	readonly earlier: { readonly range: DateRange; readonly totals: Measures } | undefined;
	readonly series: readonly { readonly metric: Metric; readonly points: readonly Point[] }[];
}

/** The headline figures of several sites. */
export function presentAggregate(figures: AggregateFigures) {
	const { accountIds, range, totals, byAccount, earlier, series } = figures;
	return {
		account_ids: accountIds,
		account_count: accountIds.length,
		date_range: presentDays(range),
		traffic: {
			account_count: figures.accountCount,
			...presentNumbers(totals, trafficColumns),
			...(byAccount && {
				by_account: byAccount.map(({ site, measures }) => ({
					account_id: site,
					...presentNumbers(measures, accountColumns),
				})),
			}),
		},
		conversions: presentConversions(totals),
		...(earlier && {
			comparison: { date_range: presentDays(earlier.range), ...presentNumbers(earlier.totals, accountColumns) },
		}),
		...Object.fromEntries(series.map(({ metric, points }) => [`${metric}_series`, presentSeries(metric, points)])),
	};
}

const presentSeries = (metric: Metric, points: readonly Point[]) => ({
	metric,
	points,
	total: addDecimals(points.map(({ value }) => value)),
});
