import { type Static, Type } from "typebox";
import type { Dimension } from "../../../analytics/catalog/dimensions.ts";
import { type Metric, metricNames } from "../../../analytics/catalog/metrics.ts";
import { comparisonNames } from "../../../analytics/query/question/resolve-comparison.ts";
import { EXPLAINED_ROWS } from "../../../analytics/query/reports/explained-change.ts";
import { OneOf, Success } from "../../../platform/http/schemas.ts";
import { commonParameters, day, Filters } from "./schemas.ts";

/** Default dimensions of an explanation, with their meaning in the catalog. */
const usual = {
	channel_group: "channel_group",
	utm_source: "utm_source",
	utm_medium: "utm_medium",
	utm_campaign: "utm_campaign",
	utm_term: "utm_term",
	utm_content: "utm_content",
	referrer_domain: "referrer_domain",
	landing_page: "landing_page",
	content_grouping: "landing_content_grouping",
	country: "country",
	device_type: "device_type",
	browser: "browser",
	os: "os",
} as const satisfies Record<string, Dimension>;

/** Dimensions of an explanation: also page and type of the single hit. */
export const explainDimensions = {
	...usual,
	path: "path",
	conversion_type: "conversion_type",
} as const satisfies Record<string, Dimension>;

/** A dimension that explains a change. */
export type ExplainDimension = keyof typeof explainDimensions;

const names = Object.keys(explainDimensions) as ExplainDimension[];
const usualNames = Object.keys(usual) as ExplainDimension[];

/** Metrics whose values add up to their total, and visitors, of whom some have several values. */
const explainMetrics = [...metricNames, "visitors"] as const satisfies readonly Metric[];

/** Query string of an explanation. */
export const ExplainParameters = Type.Object(commonParameters);

/** Body of an explanation. */
export const ExplainBody = Type.Object(
	{
		metric: OneOf([...explainMetrics]),
		date_from: day("First day, in the site's time zone"),
		date_to: day("Last day"),
		compare: Type.Optional(
			OneOf([...comparisonNames], { description: "Required, unless `compare_start` and `compare_end` are given" }),
		),
		compare_start: Type.Optional(day("First day of the comparison period")),
		compare_end: Type.Optional(day("Last day of the comparison period")),
		compare_align: Type.Optional(
			OneOf(["elapsed"], {
				description: "A range that includes today is compared with the same part of the other one, to the hour",
			}),
		),
		dimensions: Type.Array(OneOf(names), {
			default: usualNames,
			minItems: 1,
			uniqueItems: true,
			description: "Dimensions that may explain the change; all except `path` and `conversion_type` by default",
		}),
		filters: Type.Optional(Filters),
	},
	{ "x-nulls": "absent" },
);

/** A validated body of an explanation. */
export type ExplainBody = Static<typeof ExplainBody>;

const change = {
	now: Type.Number(),
	before: Type.Number(),
	change: Type.Number({ description: "`now` less `before`" }),
};

/** Answer of an explanation. */
export const ExplainAnswer = Success(
	Type.Object({
		total: Type.Object(change),
		dimensions: Type.Array(
			Type.Object({
				name: OneOf(names),
				explained: Type.Number({
					description: "Share of all movement within the dimension that the rows account for, 0-100",
				}),
				rows: Type.Array(
					Type.Object({
						value: Type.String(),
						...change,
						share: Type.Number({
							description: "Of the total change, in percent; negative for a change in the other direction",
						}),
					}),
					{ maxItems: EXPLAINED_ROWS, description: "The largest changes first, in either direction" },
				),
			}),
		),
	}),
);
