import { canonicalPath } from "../../attribution/canonical-path.ts";
import { rowSettings } from "../../catalog/projections.ts";
import { type EventScope, eventsWhere, type Params, type Statement } from "../engine/compile.ts";
import { ask, type RunDeps } from "../engine/run.ts";
import { nested, select } from "../engine/select.ts";

/** Steps of a funnel and the rows that it looks at. */
export interface StepFunnel extends EventScope {
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
