import { type Static, Type } from "typebox";
import { metricNames } from "../../../analytics/catalog/metrics.ts";
import { periodNames } from "../../../analytics/query/periods.ts";
import { ErrorRef, OneOf, Page, paging, Success } from "../../../platform/http/schemas.ts";
import { extraDimensions, includable, type ListReport } from "./reports.ts";

const day = (description: string) => Type.Optional(Type.String({ format: "date", description }));
const texts = (description: string) =>
	Type.Optional(Type.Array(Type.String(), { description: `${description}; repeat it to allow several values` }));
const flag = (description: string) => Type.Optional(Type.Boolean({ default: false, description }));

const siteParameters = {
	site_id: Type.Optional(Type.String({ description: "Slug of the site; required, unless `account_id` names it" })),
	account_id: Type.Optional(Type.String({ description: "Alias of `site_id`" })),
};

const dateParameters = {
	period: Type.Optional(OneOf(periodNames, { description: "Relative range; overrides the dates" })),
	start_date: day("First day, in the site's time zone"),
	end_date: day("Last day"),
	date_from: day("Alias of `start_date`"),
	date_to: day("Alias of `end_date`"),
	compare: Type.Optional(OneOf(["previous", "yoy", "true"], { description: "`true` means `previous`" })),
};

const filterParameters = {
	segment: Type.Optional(Type.String({ description: "Id or name of a saved segment" })),
	filters: Type.Optional(Type.String({ description: "`field:operator:value` entries separated by commas" })),
	country: texts("ISO 3166-1 alpha-2 code or `Unknown`"),
	device_type: texts("`desktop`, `mobile` or `tablet`"),
	browser: texts("Browser"),
	os: texts("Operating system"),
	channel_group: texts("Channel"),
	utm_source: texts("Source"),
	utm_medium: texts("Medium"),
	utm_campaign: texts("Campaign"),
	utm_term: texts("Term"),
	utm_content: texts("Content"),
};

const commonParameters = { ...siteParameters, ...dateParameters, ...filterParameters };

const pageParameters = {
	content_grouping: texts("Content group"),
	path_filter: Type.Optional(Type.String({ description: "Part of the path" })),
	include: Type.Optional(
		Type.Array(OneOf(Object.keys(includable) as (keyof typeof includable)[]), { description: "Columns to add" }),
	),
	include_utm: flag("Add the five campaign columns"),
};

const searchParameter = {
	search: Type.Optional(Type.String({ maxLength: 200, description: "Part of the row's key, in any case" })),
};
const totalsParameter = { include_totals: flag("Add the sums over all pages") };

// Typed as if always there: all of them are optional in a request.
const only = <T extends object>(wanted: boolean, properties: T): T => (wanted ? properties : ({} as T));

/** Query of a paginated report. */
export const ListQuery = (report: ListReport) =>
	Type.Object({
		...commonParameters,
		...paging({ pageSize: 50, max: report.maxPageSize }),
		sort_by: Type.Optional(OneOf(report.sortBy, { default: report.sortBy[0] })),
		sort_order: Type.Optional(OneOf(["asc", "desc"], { default: "desc" })),
		...only(report.search, searchParameter),
		...only(report.totals, totalsParameter),
		...only(report.pageParameters, pageParameters),
	});

/** A validated query of any paginated report; what a report does not take is ignored. */
export type ListQuery = Static<ReturnType<typeof ListQuery>>;

const numbers = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, Type.Number()]));
const labels = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, Type.String()]));
const optionalLabels = (names: readonly string[]) =>
	Object.fromEntries(names.map((name) => [name, Type.Optional(Type.String())]));

/** Answer of a paginated report. */
export const ListAnswer = (report: ListReport) => {
	const added = report.pageParameters
		? extraDimensions(true, Object.keys(includable) as (keyof typeof includable)[])
		: [];
	const row = Type.Object({ ...labels(report.key), ...numbers(report.columns), ...optionalLabels(added) });
	return Type.Object({
		...Page(row).properties,
		comparison: Type.Optional(Type.Object(numbers(report.comparison))),
		...only(report.totals, { totals: Type.Optional(Type.Object(numbers(report.columns))) }),
	});
};

/** A range of dates that no report covers. */
export const BadDates = { description: "`bad_request`", ...ErrorRef };

/** Query of `/stats/overview`. */
export const OverviewQuery = Type.Object({
	...commonParameters,
	granularity: Type.Optional(
		OneOf(["auto", "hourly", "daily"], { description: "Adds series; `auto`: hourly for one day, else daily" }),
	),
});

/** A validated query of `/stats/overview`. */
export type OverviewQuery = Static<typeof OverviewQuery>;

const Traffic = Type.Object(numbers([...metricNames, "bounce_rate", "pages_per_session"]));
const Conversions = Type.Object(
	numbers(["conversions", "revenue", "microconversions", "conversion_rate", "average_order_value"]),
);

const Series = Type.Object({
	metric: OneOf(metricNames),
	points: Type.Array(
		Type.Object({
			date: Type.String({ format: "date" }),
			hour: Type.Optional(Type.Integer({ minimum: 0, maximum: 23 })),
			day_of_week: Type.Optional(Type.Integer({ minimum: 1, maximum: 7, description: "1 Monday to 7 Sunday" })),
			value: Type.Number(),
		}),
	),
	total: Type.Number(),
	average: Type.Number({ description: "Per point, 2 decimals" }),
});

const series = Object.fromEntries(
	metricNames.flatMap((name) => [
		[`${name}_series`, Type.Optional(Series)],
		[`${name}_series_compare`, Type.Optional(Series)],
	]),
);

/** Answer of `/stats/overview`. */
export const OverviewAnswer = Success(
	Type.Object({
		date_range: Type.Object({
			start_date: Type.String({ format: "date" }),
			end_date: Type.String({ format: "date" }),
			days: Type.Integer(),
		}),
		traffic: Traffic,
		conversions: Conversions,
		traffic_change: Type.Optional(Traffic),
		conversions_change: Type.Optional(Conversions),
		...series,
	}),
);
