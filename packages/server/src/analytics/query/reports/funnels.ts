import { canonicalPath } from "../../attribution/canonical-path.ts";
import { campaignDimensions } from "../../catalog/dimensions.ts";
import { rowSettings } from "../../catalog/projections.ts";
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
export async function runSourceFunnel(deps: RunDeps, scope: EventScope) {
	const [found, [totals = nothing]] = await Promise.all([
		ask<SourceFunnelRow & { readonly campaign?: string }>(deps, compileFunnel(scope)),
		ask<FunnelFigures>(deps, compileTotals(scope)),
	]);
	const cut = withoutRareTypes(totals);
	const rows = found.map((row) => cut(row.campaign === undefined ? row : unfoldCampaign(row)));
	return { rows, totals: cut(totals) };
}

/** Steps of a funnel and the rows that it looks at. */
interface StepFunnel extends EventScope {
	/** At most 16: a path, a path with `*` at its end for every path that begins so, or the type of an event. */
	readonly steps: readonly string[];
}

/** True for the hits that a step looks for: a page, a path's beginning, or an event of the kind that its type has. */
function stepSql(step: string, name: string, params: Params): string {
	const isPage = step.startsWith("/");
	const isPrefix = isPage && step.endsWith("*");
	const text = isPrefix ? step.slice(0, -1) : step;
	params[name] = isPage ? canonicalPath(text) : text;
	const value = `{${name}:String}`;
	if (!isPage) {
		return `kind = if(has(microconversion_types, ${value}), 'microconversion', 'conversion') AND event_type = ${value}`;
	}
	return `kind = 'pageview' AND ${isPrefix ? `startsWith(path, ${value})` : `path = ${value}`}`;
}

/** The types of those that occurred as microconversions in the range, whatever else the rows have to fulfil: a constant. */
function microconversionTypes(funnel: StepFunnel, params: Params): string[] {
	const names = funnel.steps.filter((step) => !step.startsWith("/"));
	if (names.length === 0) return [];
	params.names = names;
	const [site = "", dates = ""] = eventsWhere({ ...funnel, conditions: [] }, params);
	const found = select({
		columns: ["groupUniqArray(event_type)"],
		from: "events",
		where: [site, dates, "kind = 'microconversion'", "event_type IN {names:Array(String)}"],
	});
	return [`(\n${found}\n) AS microconversion_types`];
}

const MASK_BITS = 16;

/**
 * Each hit is one number: its moment, page views before microconversions before conversions in the same millisecond, and
 * below them a bit for each step that it can be. So a session's hits are a short array of numbers, which sort by time; the
 * fold goes through them and moves on by one step at each hit that is the next one. The engine's own `windowFunnel` is no
 * answer: it takes one hit for several steps, or forgets the earliest hit of a step, or needs ten times as long.
 */
function compileSteps(funnel: StepFunnel): Statement {
	const params: Params = {};
	const types = microconversionTypes(funnel, params);
	const where = eventsWhere(funnel, params);
	const bits = funnel.steps.map(
		(step, index) => `bitShiftLeft(toUInt64(${stepSql(step, `s${index}`, params)}), ${index})`,
	);
	const moment =
		"toUInt64(toUnixTimestamp64Milli(ts)) * 4 + transform(kind, ['pageview', 'microconversion'], [0, 1], 2)";
	const hits = select({
		columns: ["session", "ts", "kind", `${bits.join("\n\t+ ")} AS steps`],
		from: "events",
		where: [...where, "kind IN ('pageview', 'microconversion', 'conversion')", "session != 0"],
	});
	const ordered = `arraySort(groupArray(bitShiftLeft(${moment}, ${MASK_BITS}) + steps))`;
	const sessions = select({
		columns: [
			`arrayFold((reached, hit) -> toUInt8(reached + bitTest(hit, reached)), ${ordered}, toUInt8(0)) AS reached`,
		],
		from: nested(hits),
		where: ["steps != 0"],
		groupBy: ["session"],
	});
	const sql = select({
		with: types,
		columns: ["reached", "count() AS sessions"],
		from: nested(sessions),
		groupBy: ["reached"],
	});
	return { sql, params, settings: rowSettings };
}

/**
 * For each step, the number of sessions that did it and all steps before it, in this order, each with a hit of its own. An
 * event type is that of a microconversion when the site had one of that type in the range, else that of a conversion.
 */
export async function runStepFunnel(deps: RunDeps, funnel: StepFunnel): Promise<number[]> {
	const rows = await ask<{ reached: number; sessions: number }>(deps, compileSteps(funnel));
	return funnel.steps.map((_, index) =>
		rows.filter(({ reached }) => reached > index).reduce((sum, { sessions }) => sum + sessions, 0),
	);
}
