import { type Static, Type } from "typebox";
import { campaignDimensions, type Dimension } from "../../../analytics/catalog/dimensions.ts";
import { type Metric, metricNames } from "../../../analytics/catalog/metrics.ts";
import { percentage } from "../../../analytics/catalog/rates.ts";
import { addDecimals } from "../../../analytics/query/engine/series.ts";
import { placed } from "../../../analytics/query/question/bad-question.ts";
import type { DateRange } from "../../../analytics/query/question/date-range.ts";
import { ofVisits } from "../../../analytics/query/question/reading.ts";
import { comparisonNames, resolveComparison } from "../../../analytics/query/question/resolve-comparison.ts";
import { resolveRange } from "../../../analytics/query/question/resolve-range.ts";
import {
	type Change,
	type DimensionChange,
	EXPLAINED_ROWS,
	runExplainedChange,
} from "../../../analytics/query/reports/explained-change.ts";
import { baselineStart } from "../../../analytics/query/reports/site-days.ts";
import { fieldError } from "../../../platform/errors/service-error.ts";
import { success } from "../../../platform/http/envelope.ts";
import { OneOf, Success } from "../../../platform/http/schemas.ts";
import { alignment, choosingParameters, type StatsDeps, type StatsSite, segmentsOf } from "../stats/index.ts";
import { type ChoosingParameters, parseConditions } from "./parse.ts";
import { day, Filters } from "./schemas.ts";

const usualNames = [
	"channel_group",
	...campaignDimensions,
	"referrer_domain",
	"landing_page",
	"content_grouping",
	"country",
	"device_type",
	"browser",
	"os",
] as const;
/** Dimensions of an explanation; `path` and `conversion_type` are those of the single hit. */
const names = [...usualNames, "path", "conversion_type"] as const;
type ExplainDimension = (typeof names)[number];

const dimensionOf = (name: ExplainDimension): Dimension =>
	name === "content_grouping" ? "landing_content_grouping" : name;

/** Metrics whose values add up to their total, and visitors, of whom some have several values. */
const explainMetrics = [...metricNames, "visitors"] as const satisfies readonly Metric[];

export const ExplainParameters = Type.Object(choosingParameters);

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
		...alignment,
		dimensions: Type.Array(OneOf(names), {
			default: [...usualNames],
			minItems: 1,
			uniqueItems: true,
			description: "Dimensions that may explain the change; all except `path` and `conversion_type` by default",
		}),
		filters: Type.Optional(Filters),
	},
	{ "x-nulls": "absent" },
);
export type ExplainBody = Static<typeof ExplainBody>;

const change = {
	now: Type.Number(),
	before: Type.Number(),
	change: Type.Number({ description: "`now` less `before`" }),
};

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

type Context = Parameters<typeof resolveComparison>[2];

/** The days to compare with. They may be named without a word. */
function comparedDays(body: ExplainBody, range: DateRange, context: Context): DateRange {
	const { compare = body.compare_start || body.compare_end ? "custom" : undefined } = body;
	const compared = placed("body", () => resolveComparison({ ...body, compare }, range, context));
	if (compared === undefined) {
		throw fieldError("body.compare", "Required, unless compare_start and compare_end are given", "missing");
	}
	return compared;
}

const presentChange = ({ current, earlier, change }: Change) => ({ now: current, before: earlier, change });

function presentDimension(name: ExplainDimension, { moved, rows }: DimensionChange, total: Change) {
	return {
		name,
		explained: percentage(addDecimals(rows.map(({ change }) => Math.abs(change))), moved),
		rows: rows.map(({ value, ...row }) => ({
			value,
			...presentChange(row),
			share: percentage(row.change, total.change),
		})),
	};
}

/** How a metric changed, and which values of which dimensions moved it. 400 and 422 as the parts of the question say. */
export async function explainChange(
	deps: StatsDeps,
	site: StatsSite,
	{ query, body }: { readonly query: ChoosingParameters; readonly body: ExplainBody },
) {
	const segments = await segmentsOf(deps, site, query);
	const context = { timezone: site.timezone, clock: deps.clock };
	const { metric, date_from, date_to } = body;
	const range = placed("body", () => resolveRange({ date_from, date_to }, context));
	const earlier = comparedDays(body, range, context);
	const conditions = parseConditions(body.filters, segments, query, ofVisits);
	const [{ total, dimensions }, meta] = await Promise.all([
		runExplainedChange(deps, {
			site: site.id,
			metric,
			range,
			earlier,
			conditions,
			dimensions: body.dimensions.map(dimensionOf),
		}),
		baselineStart(deps, { site: site.id, comparison: earlier, conditions }),
	]);
	const data = {
		total: presentChange(total),
		dimensions: body.dimensions.flatMap((name, at) => {
			const found = dimensions[at];
			return found === undefined ? [] : [presentDimension(name, found, total)];
		}),
	};
	return success(data, meta);
}
