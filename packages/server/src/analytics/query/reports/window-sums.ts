import type { Condition } from "../../catalog/filters.ts";
import { type Measures, metricNames } from "../../catalog/metrics.ts";
import { rowSettings } from "../../catalog/projections.ts";
import { eventsWhere, metricColumns, type Params } from "../engine/compile.ts";
import { ask, type RunDeps } from "../engine/run.ts";
import { select } from "../engine/select.ts";
import { sumRows } from "../engine/series.ts";
import { daysAround } from "../question/date-range.ts";

/** A stretch of time in milliseconds since the Unix epoch, its end not included. */
export interface TimeWindow {
	readonly from: number;
	readonly until: number;
}

/** Sums over windows that need not begin with an hour, of several sites at once. */
export interface WindowQuery {
	/** Slugs. */
	readonly sites: readonly string[];
	/** At least one; they may overlap. */
	readonly windows: readonly TimeWindow[];
	readonly conditions: readonly Condition[];
}

const none: Measures = Object.freeze(
	Object.fromEntries(metricNames.map((name) => [name, 0])) as Record<keyof Measures, number>,
);

type PartRow = Measures & { readonly site: string; readonly part: number };

/**
 * The sums of each site in each window, by slug and in the order of the windows; a site without hits has zeros.
 * One statement: windows are cut into parts that do not overlap, the engine sums the parts.
 */
export async function windowSums(deps: RunDeps, query: WindowQuery): Promise<ReadonlyMap<string, readonly Measures[]>> {
	const parts = partsOf(query.windows);
	const rows = await ask<PartRow>(deps, compileWindows(query, parts));
	const partsIn = query.windows.map((window) => parts.kept.filter((part) => within(part, window)));
	const bySite = Map.groupBy(rows, ({ site }) => site);
	return new Map(
		query.sites.map((site) => {
			const found = new Map((bySite.get(site) ?? []).map((row) => [row.part, row]));
			return [site, partsIn.map((list) => sumOf(list.flatMap((part) => found.get(part) ?? [])))];
		}),
	);
}

const within = (moment: number, { from, until }: TimeWindow): boolean => from <= moment && moment < until;

const sumOf = (rows: readonly PartRow[]): Measures => (rows.length === 0 ? none : sumRows(rows, metricNames));

interface Parts {
	/** Every moment at which a window begins or ends, in order. */
	readonly bounds: readonly number[];
	/** The bounds at which a part begins that lies in a window. */
	readonly kept: readonly number[];
}

function partsOf(windows: readonly TimeWindow[]): Parts {
	const bounds = [...new Set(windows.flatMap(({ from, until }) => [from, until]))].sort((a, b) => a - b);
	return { bounds, kept: bounds.filter((bound) => windows.some((window) => within(bound, window))) };
}

function compileWindows({ sites, conditions }: WindowQuery, parts: Parts) {
	const params: Params = {};
	const [from = 0, until = from] = [parts.bounds[0], parts.bounds.at(-1)];
	const where = eventsWhere({ site: sites, range: daysAround(from, until), conditions }, params);
	Object.assign(params, { bounds: parts.bounds, kept: parts.kept, from, until });
	const sql = select({
		columns: [
			"site",
			"roundDown(toUnixTimestamp64Milli(ts), {bounds:Array(Int64)}) AS part",
			...metricColumns(metricNames),
		],
		from: "events",
		where: [
			...where,
			"ts >= fromUnixTimestamp64Milli({from:Int64})",
			"ts < fromUnixTimestamp64Milli({until:Int64})",
			"part IN {kept:Array(Int64)}",
		],
		groupBy: ["site", "part"],
	});
	return { sql, params, settings: rowSettings };
}
