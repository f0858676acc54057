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

// The sums over all groups come with each row: a question of their own would read all events once more.
const totals = names.map((name) => {
	const sum = name === "entrances" || name === "page_views" ? "sum" : "sumMap";
	return `${sum}(${name}) OVER () AS total_${name}`;
});

// Two levels: the inner one adds up by type, the outer one turns types into maps.
function compileFunnel(scope: EventScope): Statement {
	const params: Params = {};
	const needs = { ...scope, dimensions: [...campaignDimensions, "conversion_type"] as const, metrics: names };
	const keys = readsRows(needs) ? (["campaign"] as const) : campaignDimensions;
	const parts = select({
		columns: [...keys, "event_type", ...metricColumns(names)],
		from: "events",
		where: eventsWhere(scope, params),
		groupBy: [...keys, "event_type"],
	});
	const sql = select({
		columns: [...keys, ...figures, ...totals],
		from: nested(parts, "parts"),
		groupBy: keys,
		having: "entrances != 0 OR page_views != 0 OR notEmpty(microconversions) OR notEmpty(conversions)",
		orderBy: ["entrances DESC", ...keys],
		limit: String(MAX_ROWS),
	});
	return { sql, params, settings: sumSettings(needs) };
}

type RowWithTotals = SourceFunnelRow & {
	readonly [Name in keyof FunnelFigures as `total_${Name}`]: FunnelFigures[Name];
};

/** The combinations of campaign values with the most entrances, at most 1,000, and the figures of all of them together. */
export async function runSourceFunnel(
	deps: RunDeps,
	scope: EventScope,
): Promise<{ readonly rows: readonly SourceFunnelRow[]; readonly totals: FunnelFigures }> {
	const found = await ask<RowWithTotals & { readonly campaign?: string }>(deps, compileFunnel(scope));
	const rows = found.map((row) => (row.campaign === undefined ? row : unfoldCampaign(row)));
	const [first] = rows;
	if (first === undefined) {
		return { rows, totals: { entrances: 0, page_views: 0, microconversions: {}, conversions: {}, revenue: {} } };
	}
	return {
		rows,
		totals: {
			entrances: first.total_entrances,
			page_views: first.total_page_views,
			microconversions: first.total_microconversions,
			conversions: first.total_conversions,
			revenue: first.total_revenue,
		},
	};
}
