import { rowSettings } from "../../catalog/projections.ts";
import { type EventScope, eventsWhere, type Params, type Statement } from "../engine/compile.ts";
import { ask, type RunDeps } from "../engine/run.ts";

/** Steps of a funnel and the rows that it looks at. */
export interface StepFunnel extends EventScope {
	/** At most 16: a path, a path with `*` at its end for every path that begins so, or the type of an event. */
	readonly steps: readonly string[];
}

/** What one step looks for. */
type Step =
	| { readonly kind: "page"; readonly path: string }
	| { readonly kind: "prefix"; readonly path: string }
	| { readonly kind: "microconversion" | "conversion"; readonly type: string };

function stepOf(text: string, microconversionTypes: ReadonlySet<string>): Step {
	if (!text.startsWith("/")) {
		return { kind: microconversionTypes.has(text) ? "microconversion" : "conversion", type: text };
	}
	return text.endsWith("*") ? { kind: "prefix", path: text.slice(0, -1) } : { kind: "page", path: text };
}

function stepSql(step: Step, name: string, params: Params): string {
	switch (step.kind) {
		case "page":
			params[name] = step.path;
			return `kind = 'pageview' AND path = {${name}:String}`;
		case "prefix":
			params[name] = step.path;
			return `kind = 'pageview' AND startsWith(path, {${name}:String})`;
		case "microconversion":
		case "conversion":
			params[name] = step.type;
			return `kind = '${step.kind}' AND event_type = {${name}:String}`;
	}
}

const MASK_BITS = 16;

/**
 * Each hit is one number: its moment, page views before microconversions before conversions in the same millisecond, and
 * below them a bit for each step that it can be. So a session's hits are a short array of numbers, which sort by time; the
 * fold goes through them and moves on by one step at each hit that is the next one. The engine's own `windowFunnel` is no
 * answer: it takes one hit for several steps, or forgets the earliest hit of a step, or needs ten times as long.
 */
function compileSteps({ steps, ...scope }: Omit<StepFunnel, "steps"> & { readonly steps: readonly Step[] }): Statement {
	const params: Params = {};
	const where = eventsWhere(scope, params);
	const bits = steps.map((step, index) => `bitShiftLeft(toUInt64(${stepSql(step, `s${index}`, params)}), ${index})`);
	const moment =
		"toUInt64(toUnixTimestamp64Milli(ts)) * 4 + transform(kind, ['pageview', 'microconversion'], [0, 1], 2)";
	const sql = `
SELECT reached,
	count() AS sessions
FROM (
	SELECT arrayFold(
			(reached, hit) -> toUInt8(reached + bitTest(hit, reached)),
			arraySort(groupArray(bitShiftLeft(${moment}, ${MASK_BITS}) + steps)),
			toUInt8(0)
		) AS reached
	FROM (
		SELECT session, ts, kind,
			${bits.join("\n\t\t\t+ ")} AS steps
		FROM events
		WHERE ${[...where, "kind IN ('pageview', 'microconversion', 'conversion')"].join("\n\t\t\tAND ")}
	)
	WHERE steps != 0
	GROUP BY session
)
GROUP BY reached`.trim();
	return { sql, params, settings: rowSettings };
}

function compileTypes(funnel: StepFunnel, names: readonly string[]): Statement {
	const params: Params = { names };
	const where = [
		...eventsWhere({ ...funnel, conditions: [] }, params),
		"kind = 'microconversion'",
		"event_type IN {names:Array(String)}",
	];
	return {
		sql: `SELECT DISTINCT event_type AS type\nFROM events\nWHERE ${where.join("\n\tAND ")}`,
		params,
		settings: rowSettings,
	};
}

async function microconversionTypes(deps: RunDeps, funnel: StepFunnel): Promise<Set<string>> {
	const names = funnel.steps.filter((step) => !step.startsWith("/"));
	if (names.length === 0) return new Set();
	const rows = await ask<{ type: string }>(deps, compileTypes(funnel, names));
	return new Set(rows.map(({ type }) => type));
}

/**
 * For each step, the number of sessions that did it and all steps before it, in this order, each with a hit of its own. An
 * event type is that of a microconversion when the site had one of that type in the range, else that of a conversion.
 */
export async function runStepFunnel(deps: RunDeps, funnel: StepFunnel): Promise<number[]> {
	const micro = await microconversionTypes(deps, funnel);
	const steps = funnel.steps.map((text) => stepOf(text, micro));
	const rows = await ask<{ reached: number; sessions: number }>(deps, compileSteps({ ...funnel, steps }));
	return steps.map((_, index) =>
		rows.filter(({ reached }) => reached > index).reduce((sum, { sessions }) => sum + sessions, 0),
	);
}
