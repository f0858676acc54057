import { type Static, type TSchema, Type } from "typebox";
import { metricNames } from "../../../analytics/catalog/metrics.ts";
import { comparisonNames } from "../../../analytics/query/question/resolve-comparison.ts";
import { Nullable, OneOf, Page, paging, Success } from "../../../platform/http/schemas.ts";
import type { AggregateReport } from "./aggregate-reports.ts";
import { aggregateDevices } from "./aggregate-reports.ts";
import { Row } from "./list-schemas.ts";
import { commonParameters } from "./parameters.ts";

const comparing = ["compare", "compare_start", "compare_end", "compare_align"] as const;
const { properties: comparison } = Type.Pick(Type.Object(commonParameters), comparing);
const { properties: filters } = Type.Omit(Type.Object(commonParameters), ["site_id", "account_id", ...comparing]);

const sharedParameters = {
	account_ids: Type.Array(Type.String(), {
		description: "Slugs of two or more sites; repeat it. Dates are in the time zone of the first one",
	}),
	...filters,
};

/** Query of the headline figures of several sites. */
export const AggregateOverviewQuery = Type.Object({
	...sharedParameters,
	...comparison,
	compare: OneOf([...comparisonNames, "none"], { default: "none" }),
	include_series: Type.Boolean({ default: true, description: "Adds daily series" }),
	include_per_account: Type.Boolean({ default: false, description: "Adds the figures of each site" }),
});
export type AggregateOverviewQuery = Static<typeof AggregateOverviewQuery>;

/** Query of a report over several sites without pages. */
export const AggregateQuery = Type.Object(sharedParameters);
export type AggregateQuery = Static<typeof AggregateQuery>;

/** Query of a list over several sites. */
export const AggregateListQuery = ({ sortBy }: AggregateReport) =>
	Type.Object({
		...sharedParameters,
		...paging({ pageSize: 50, max: 100 }),
		sort_by: OneOf([...sortBy], { default: sortBy[0] }),
		sort_order: OneOf(["asc", "desc"], { default: "desc" }),
	});
export type AggregateListQuery = Static<ReturnType<typeof AggregateListQuery>>;

const accountCount = { account_count: Type.Integer({ description: "Number of sites that count in this row" }) };

/** Answer of a list over several sites. */
export const AggregateListAnswer = (report: AggregateReport): TSchema =>
	Page(
		Type.Object({
			...Row(report).properties,
			...Object.fromEntries((report.empty ?? []).map((field) => [field, Nullable(Type.String())])),
			...accountCount,
		}),
	);

/** Answer of the devices of several sites. */
export const AggregateDevicesAnswer: TSchema = Success(Type.Array(Row(aggregateDevices)));

const numbers = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, Type.Number()]));
const Days = Type.Object({
	start_date: Type.String({ format: "date" }),
	end_date: Type.String({ format: "date" }),
});
const Series = Type.Object({
	metric: Type.String(),
	points: Type.Array(Type.Object({ date: Type.String({ format: "date" }), value: Type.Number() })),
	total: Type.Number(),
});
const optional = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, Type.Optional(Series)]));

/** Answer with the headline figures of several sites. */
export const AggregateOverviewAnswer: TSchema = Success(
	Type.Object({
		account_ids: Type.Array(Type.String()),
		account_count: Type.Integer(),
		date_range: Days,
		traffic: Type.Object({
			...accountCount,
			...numbers([...metricNames, "bounce_rate", "pages_per_session", "conversion_rate"]),
			by_account: Type.Optional(
				Type.Array(
					Type.Object({
						account_id: Type.String(),
						...numbers([...metricNames, "bounce_rate", "conversion_rate"]),
					}),
				),
			),
		}),
		conversions: Type.Object(
			numbers(["conversions", "revenue", "microconversions", "conversion_rate", "average_order_value"]),
		),
		comparison: Type.Optional(
			Type.Object({ date_range: Days, ...numbers([...metricNames, "bounce_rate", "conversion_rate"]) }),
		),
		...optional(["entrances_series", "page_views_series", "conversions_series"]),
	}),
);
