import { campaignDimensions } from "../../catalog/dimensions.ts";
import {
	type EventScope,
	eventsWhere,
	metricColumns,
	type Params,
	readsRows,
	type Statement,
	sumSettings,
} from "../engine/compile.ts";
import { unfoldCampaign } from "../engine/fold-campaign.ts";
import { ask, type RunDeps } from "../engine/run.ts";
import { nested, select } from "../engine/select.ts";

/** Traffic and what came of it, by type of event. */
export interface FunnelFigures {
	readonly entrances: number;
	readonly page_views: number;
	/** Counts by type; types without any are left out. */
	readonly microconversions: Readonly<Record<string, number>>;
	readonly conversions: Readonly<Record<string, number>>;
	/** By the types of `conversions`. */
	readonly revenue: Readonly<Record<string, number>>;
}

/** The figures of one combination of campaign values. */
export type SourceFunnelRow = FunnelFigures & Readonly<Record<(typeof campaignDimensions)[number], string>>;

const MAX_ROWS = 1000;

const byType = (value: string, count: string) =>
	`mapSort(mapFromArrays(groupArrayIf(event_type, ${count} != 0), groupArrayIf(${value}, ${count} != 0)))`;

const names = ["entrances", "page_views", "microconversions", "conversions", "revenue"] as const;

const figures = [
	"sum(parts.entrances) AS entrances",
	"sum(parts.page_views) AS page_views",
	`${byType("parts.microconversions", "parts.microconversions")} AS microconversions`,
	`${byType("parts.conversions", "parts.conversions")} AS conversions`,
	`${byType("parts.revenue", "parts.conversions")} AS revenue`,
];

// Two levels: the inner one adds up by type, the outer one turns types into maps.
const needsOf = (scope: EventScope) => ({
	...scope,
	dimensions: [...campaignDimensions, "conversion_type"] as const,
	metrics: names,
});

function compileFunnel(scope: EventScope): Statement {
	const params: Params = {};
	const needs = needsOf(scope);
	const keys = readsRows(needs) ? (["campaign"] as const) : campaignDimensions;
	const parts = select({
		columns: [...keys, "event_type", ...metricColumns(names)],
		from: "events",
		where: eventsWhere(scope, params),
		groupBy: [...keys, "event_type"],
	});
	const sql = select({
		columns: [...keys, ...figures],
		from: nested(parts, "parts"),
		groupBy: keys,
		having: "entrances != 0 OR page_views != 0 OR notEmpty(microconversions) OR notEmpty(conversions)",
		orderBy: ["entrances DESC", ...keys],
		limit: String(MAX_ROWS),
	});
	return { sql, params, settings: sumSettings(needs) };
}

/** The same figures over all combinations, by type alone: with each row of the list they would be most of its bytes. */
function compileTotals(scope: EventScope): Statement {
	const params: Params = {};
	const parts = select({
		columns: ["event_type", ...metricColumns(names)],
		from: "events",
		where: eventsWhere(scope, params),
		groupBy: ["event_type"],
	});
	return {
		sql: select({ columns: figures, from: nested(parts, "parts") }),
		params,
		settings: sumSettings(needsOf(scope)),
	};
}

/** The combinations of campaign values with the most entrances, at most 1,000, and the figures of all of them together. */
export async function runSourceFunnel(
	deps: RunDeps,
	scope: EventScope,
): Promise<{ readonly rows: readonly SourceFunnelRow[]; readonly totals: FunnelFigures }> {
	const [found, [totals]] = await Promise.all([
		ask<SourceFunnelRow & { readonly campaign?: string }>(deps, compileFunnel(scope)),
		ask<FunnelFigures>(deps, compileTotals(scope)),
	]);
	const rows = found.map((row) => (row.campaign === undefined ? row : unfoldCampaign(row)));
	return {
		rows,
		totals: totals ?? { entrances: 0, page_views: 0, microconversions: {}, conversions: {}, revenue: {} },
	};
}
