import { campaignDimensions } from "../../catalog/dimensions.ts";
import {
	type EventScope,
	eventsWhere,
	metricColumns,
	type Params,
	readsRows,
	type Statement,
	sumSettings,
	unfoldCampaign,
} from "../engine/compile.ts";
import { ask, type RunDeps } from "../engine/run.ts";
import { nested, select } from "../engine/select.ts";

type ByType = Readonly<Record<string, number>>;

/** Traffic and what came of it, by type of event. */
interface FunnelFigures {
	readonly entrances: number;
	readonly page_views: number;
	/** Counts by type, at most 1,000 types; those without any are left out. */
	readonly microconversions: ByType;
	readonly conversions: ByType;
	/** By the types of `conversions`. */
	readonly revenue: ByType;
}

type SourceFunnelRow = FunnelFigures & Readonly<Record<(typeof campaignDimensions)[number], string>>;

const MAX_ROWS = 1000;
const MAX_TYPES = 1000;

const byType = (value: string, count: string) =>
	`mapSort(mapFromArrays(groupArrayIf(event_type, ${count} != 0), groupArrayIf(${value}, ${count} != 0)))`;

/** The figures of a funnel, in their order. */
export const funnelFigures = ["entrances", "page_views", "microconversions", "conversions", "revenue"] as const;

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
	metrics: funnelFigures,
});

function compileFunnel(scope: EventScope): Statement {
	const params: Params = {};
	const needs = needsOf(scope);
	const keys = readsRows(needs) ? (["campaign"] as const) : campaignDimensions;
	const parts = select({
		columns: [...keys, "event_type", ...metricColumns(funnelFigures)],
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
		columns: ["event_type", ...metricColumns(funnelFigures)],
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

/** The types that occurred most often; undefined when all are few enough. */
function mostFrequent(counts: ByType): ReadonlySet<string> | undefined {
	const types = Object.entries(counts);
	if (types.length <= MAX_TYPES) return undefined;
	const sorted = types.sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
	return new Set(sorted.slice(0, MAX_TYPES).map(([type]) => type));
}

const only = (types: ReadonlySet<string> | undefined, values: ByType): ByType =>
	types === undefined ? values : Object.fromEntries(Object.entries(values).filter(([type]) => types.has(type)));

/** Limits figures to the most frequent types, as the sender of hits decides how many types there are. */
function withoutRareTypes(totals: FunnelFigures): <Figures extends FunnelFigures>(figures: Figures) => Figures {
	const microconversions = mostFrequent(totals.microconversions);
	const conversions = mostFrequent(totals.conversions);
	return (figures) => ({
		...figures,
		microconversions: only(microconversions, figures.microconversions),
		conversions: only(conversions, figures.conversions),
		revenue: only(conversions, figures.revenue),
	});
}

const nothing: FunnelFigures = { entrances: 0, page_views: 0, microconversions: {}, conversions: {}, revenue: {} };

/**
 * The combinations of campaign values with the most entrances, at most 1,000, and the figures of all of them together; by type
 * for the 1,000 most frequent types of microconversions and of conversions.
 */
export async function runSourceFunnel(
	deps: RunDeps,
	scope: EventScope,
): Promise<{ readonly rows: readonly SourceFunnelRow[]; readonly totals: FunnelFigures }> {
	const [found, [totals = nothing]] = await Promise.all([
		ask<SourceFunnelRow & { readonly campaign?: string }>(deps, compileFunnel(scope)),
		ask<FunnelFigures>(deps, compileTotals(scope)),
	]);
	const cut = withoutRareTypes(totals);
	const rows = found.map((row) => cut(row.campaign === undefined ? row : unfoldCampaign(row)));
	return { rows, totals: cut(totals) };
}
