export { type Metric, type MetricKey, metricOf, metrics } from "./metrics.ts";
export { meQuery, report, type Site, sitesQuery, useReport, useSite } from "./queries.ts";
export { type ComparedQuery, comparedQuery, type ReportQuery, reportQuery } from "./report-query.ts";
export {
	type Comparison,
	changed,
	comparisons,
	type Period,
	periods,
	readSearch,
	type SearchChange,
	type SiteSearch,
	shared,
	useChangeSearch,
	useSiteSearch,
} from "./search.ts";
