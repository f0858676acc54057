import { type Static, type TSchema, Type } from "typebox";
import { campaignDimensions } from "../../../analytics/catalog/dimensions.ts";
import { percentage } from "../../../analytics/catalog/rates.ts";
import { ofVisits } from "../../../analytics/query/question/reading.ts";
import { funnelFigures, runSourceFunnel, runStepFunnel } from "../../../analytics/query/reports/funnels.ts";
import { addRoute } from "../../../platform/http/add-route.ts";
import type { App } from "../../../platform/http/app.ts";
import { success } from "../../../platform/http/envelope.ts";
import { Success } from "../../../platform/http/schemas.ts";
import { commonParameters } from "./parameters.ts";
import { parseRequest, type StatsDeps, type StatsQuery, type StatsSite } from "./parse.ts";
import { Days, presentRange, presentSpan, span } from "./present.ts";
import { notCompared, readingReports, reportRoute } from "./report-route.ts";

const FunnelQuery = Type.Object(commonParameters);

const ByType = (description: string) => Type.Record(Type.String(), Type.Number(), { description });

const figures = {
	entrances: Type.Integer(),
	page_views: Type.Integer(),
	microconversions: ByType("Count by type, for the 1,000 most frequent types"),
	conversions: ByType("Count by type, for the 1,000 most frequent types"),
	revenue: ByType("Sum by type of conversion"),
};

const rowFields = [...campaignDimensions, ...funnelFigures] as const;
const labels = Object.fromEntries(campaignDimensions.map((name) => [name, Type.String()]));

const SourceFunnelAnswer: TSchema = Success(
	Type.Object({
		account_id: Type.String(),
		...span,
		rows: Type.Array(Type.Object({ ...labels, ...figures }), { description: "At most 1,000, by entrances" }),
		totals: Type.Object(figures, { description: "Of all rows, not only the listed ones" }),
		microconversion_types: Type.Array(Type.String()),
		conversion_types: Type.Array(Type.String()),
	}),
);

const StepFunnelBody = Type.Object({
	steps: Type.Array(Type.String({ minLength: 1, maxLength: 1024, "x-characters": "any" }), {
		minItems: 2,
		maxItems: 10,
		description:
			"A text that starts with `/` is a page path, or with a final `*` all paths with that prefix; any other text is a type of microconversion or conversion",
	}),
	name: Type.String({ maxLength: 255, default: "Custom Funnel", "x-characters": "any" }),
});
type StepFunnelBody = Static<typeof StepFunnelBody>;

const StepFunnelAnswer = Success(
	Type.Object({
		name: Type.String(),
		date_range: Days,
		steps: Type.Array(
			Type.Object({
				step_number: Type.Integer(),
				name: Type.String(),
				count: Type.Integer({ description: "Sessions that completed all steps up to this one, in order" }),
				conversion_rate: Type.Number({ description: "Share of step 1, 0-100" }),
				drop_off_rate: Type.Number({ description: "Share lost since the previous step, 0-100; 0 at step 1" }),
			}),
		),
		total_entries: Type.Integer(),
		total_completions: Type.Integer(),
		overall_conversion_rate: Type.Number(),
	}),
);

/** Traffic, events and revenue of each source. */
async function sourceFunnel(deps: StatsDeps, site: StatsSite, query: StatsQuery) {
	const request = await parseRequest(deps, site, query, ofVisits);
	const { rows, totals } = await runSourceFunnel(deps, request);
	return {
		account_id: site.id,
		...presentSpan(request.range),
		rows: rows.map((row) => Object.fromEntries(rowFields.map((name) => [name, row[name]]))),
		totals,
		microconversion_types: Object.keys(totals.microconversions).sort(),
		conversion_types: Object.keys(totals.conversions).sort(),
	};
}

/** The sessions that did the steps of a funnel in their order, with the share that came so far and the share lost since the step before. */
async function stepFunnel(deps: StatsDeps, site: StatsSite, query: StatsQuery, { name, steps }: StepFunnelBody) {
	const request = await parseRequest(deps, site, query, ofVisits);
	const counts = await runStepFunnel(deps, { ...request, steps });
	const entries = counts[0] ?? 0;
	const completions = counts.at(-1) ?? 0;
	return {
		name,
		date_range: presentRange(request.range),
		steps: counts.map((count, index) => {
			const before = counts[index - 1] ?? count;
			return {
				step_number: index + 1,
				name: steps[index] ?? "",
				count,
				conversion_rate: percentage(count, entries),
				drop_off_rate: percentage(before - count, before),
			};
		}),
		total_entries: entries,
		total_completions: completions,
		overall_conversion_rate: percentage(completions, entries),
	};
}

export function registerFunnels(app: App, deps: StatsDeps): void {
	addRoute(app, "GET /stats/funnel", {
		...reportRoute,
		summary: "Traffic, events and revenue by source",
		querystring: FunnelQuery,
		answer: SourceFunnelAnswer,
		handler: async (request) =>
			success(await sourceFunnel(deps, request.site, request.query), notCompared(request.query)),
	});
	addRoute(app, "POST /stats/funnel", {
		tags: ["Stats"],
		summary: "Funnel: sessions that completed steps in order",
		querystring: FunnelQuery,
		body: StepFunnelBody,
		guard: readingReports,
		answer: StepFunnelAnswer,
		handler: async (request) =>
			success(await stepFunnel(deps, request.site, request.query, request.body), notCompared(request.query)),
	});
}
