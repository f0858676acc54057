import { type Static, Type } from "typebox";
import { type Metric, metricNames } from "../../../analytics/catalog/metrics.ts";
import type { Figure } from "../../../analytics/catalog/rates.ts";
import { OneOf, Success } from "../../../platform/http/schemas.ts";
import { commonParameters } from "./parameters.ts";

const numbers = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, Type.Number()]));

/** The metrics that come as series unless others are asked for. */
export const usualSeries: readonly Metric[] = [...metricNames, "visitors"];

/** Metrics with a series. */
export const seriesFigures = [...usualSeries, "bounce_rate", "conversion_rate"] as const satisfies readonly Figure[];

/** Query of `/stats/overview`. */
export const OverviewQuery = Type.Object({
	...commonParameters,
	granularity: Type.Optional(
		OneOf(["auto", "hourly", "daily", "weekly", "monthly"], {
			description:
				"Adds series; `auto`: hourly when both periods are one day each, else daily; hourly for at most 92 days; weeks start on Monday",
		}),
	),
	series: Type.Optional(
		Type.Array(OneOf(seriesFigures), {
			description: "Metrics of the series; default: all except the rates. Repeat it",
		}),
	),
});

/** A validated query of `/stats/overview`. */
export type OverviewQuery = Static<typeof OverviewQuery>;

const Traffic = Type.Object(
	numbers([...metricNames, "bounce_rate", "pages_per_session", "visitors", "visit_duration"]),
);
const Conversions = Type.Object(
	numbers(["conversions", "revenue", "microconversions", "conversion_rate", "average_order_value"]),
);

const Series = Type.Object({
	metric: OneOf(seriesFigures),
	points: Type.Array(
		Type.Object({
			date: Type.String({ format: "date", description: "For weeks and months: the first day within the range" }),
			hour: Type.Optional(Type.Integer({ minimum: 0, maximum: 23 })),
			day_of_week: Type.Optional(Type.Integer({ minimum: 1, maximum: 7, description: "1 Monday to 7 Sunday" })),
			value: Type.Number(),
		}),
	),
	total: Type.Number({ description: "For the whole range; hourly visitors add up to more" }),
	average: Type.Number({ description: "Per point, rounded to 2 decimals" }),
});

const series = Object.fromEntries(
	seriesFigures.flatMap((name) => [
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
