export { type Dimension, dimensionLabels, isPath, valueName } from "./dimensions.ts";
export { type Metric, type MetricKey, metricOf, metrics } from "./metrics.ts";
export { Nothing } from "./nothing.tsx";
export { PageFoot } from "./page-foot.tsx";
export {
	conditionsOf,
	type Filter,
	type FilterField,
	type FilterOperator,
	filterFields,
	formatFilter,
	isChosen,
	isProperty,
	parseFilter,
	propertyField,
	propertyName,
	takesList,
	withValue,
} from "./parse-filter.ts";
export {
	actingQuery,
	meQuery,
	report,
	type Site,
	siteQuery,
	sitesQuery,
	useLeadsOrganization,
	useReport,
	useSite,
	useSites,
} from "./queries.ts";
export { comparedDays, type Days, daysOf } from "./range.ts";
export { type ComparedQuery, comparedQuery, type ReportQuery, reportQuery, withFilters } from "./report-query.ts";
export { ScreenHead } from "./screen-head.tsx";
export { siteScreens } from "./screens.ts";
export {
	type Comparison,
	changed,
	longestRange,
	type Period,
	periods,
	readSearch,
	type SearchChange,
	type SiteSearch,
	shared,
	useChangeSearch,
	usePanel,
	useSiteSearch,
} from "./search.ts";
export { isHidden, mayFilter, mayFilterBy, mayShow, type SharedList } from "./shared-reading.ts";
export { asChange, isRunning, stepped } from "./steps.ts";
