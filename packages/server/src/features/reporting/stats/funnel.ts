import { percentage } from "../../../analytics/catalog/rates.ts";
import type { DateRange } from "../../../analytics/query/question/date-range.ts";
import { ofVisits } from "../../../analytics/query/question/reading.ts";
import {
	type FunnelFigures,
	runSourceFunnel,
	type SourceFunnelRow,
} from "../../../analytics/query/reports/source-funnel.ts";
import { runStepFunnel } from "../../../analytics/query/reports/step-funnel.ts";
import type { StatsDeps } from "./deps.ts";
import type { StepFunnelBody } from "./funnel-schemas.ts";
import { parseRequest, type StatsQuery, type StatsRequest, type StatsSite } from "./parse.ts";
import { presentRange } from "./present.ts";

/** Traffic, events and revenue of each source. */
export async function sourceFunnel(deps: StatsDeps, site: StatsSite, query: StatsQuery) {
	const request = await parseRequest(deps, site, query, ofVisits);
	return presentSourceFunnel(request, await runSourceFunnel(deps, request));
}

/** The sessions that did the steps of a funnel in their order. */
export async function stepFunnel(deps: StatsDeps, site: StatsSite, query: StatsQuery, body: StepFunnelBody) {
	const request = await parseRequest(deps, site, query, ofVisits);
	const counts = await runStepFunnel(deps, { ...request, steps: body.steps });
	return presentStepFunnel({ ...body, range: request.range }, counts);
}

/** Traffic, events and revenue by source. */
function presentSourceFunnel(
	{ site, range }: StatsRequest,
	{ rows, totals }: { readonly rows: readonly SourceFunnelRow[]; readonly totals: FunnelFigures },
) {
	return {
		account_id: site,
		date_from: range.start.toString(),
		date_to: range.end.toString(),
		rows: rows.map(presentSource),
		totals,
		microconversion_types: Object.keys(totals.microconversions).sort(),
		conversion_types: Object.keys(totals.conversions).sort(),
	};
}

function presentSource(row: SourceFunnelRow) {
	const { utm_source, utm_medium, utm_campaign, utm_term, utm_content } = row;
	const { entrances, page_views, microconversions, conversions, revenue } = row;
	return {
		utm_source,
		utm_medium,
		utm_campaign,
		utm_term,
		utm_content,
		entrances,
		page_views,
		microconversions,
		conversions,
		revenue,
	};
}

/** Sessions by step, with the share that came so far and the share lost since the step before. */
function presentStepFunnel(
	funnel: { readonly name: string; readonly steps: readonly string[]; readonly range: DateRange },
	counts: readonly number[],
) {
	const entries = counts[0] ?? 0;
	const completions = counts.at(-1) ?? 0;
	return {
		name: funnel.name,
		date_range: presentRange(funnel.range),
		steps: funnel.steps.map((name, index) => {
			const count = counts[index] ?? 0;
			const before = counts[index - 1] ?? count;
			return {
				step_number: index + 1,
				name,
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
