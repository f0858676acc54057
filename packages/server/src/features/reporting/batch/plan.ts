import { fieldError } from "../../../platform/errors/service-error.ts";
import { siteReports } from "../stats/index.ts";
import type { BatchQuery } from "./schemas.ts";

/** Questions that are asked by POST; their parameters are those of the body and these of the query string. */
const questions: ReadonlySet<string> = new Set(["/stats/query", "/stats/explain"]);
const queryParameters: ReadonlySet<string> = new Set([
	"site_id",
	"account_id",
	"segment",
	"segment_filters",
	"imports",
	"explain",
]);
/** With steps among its parameters the funnel of these steps is asked, by POST; all others stand in its query string. */
const STEP_FUNNEL = "/stats/funnel";
const funnelBody: ReadonlySet<string> = new Set(["steps", "name"]);

/** Characters of a path outside printable ASCII, written as an address has them. */
const escaped = (path: string) => path.replace(/[^!-~]+/g, (text) => encodeURIComponent(text.toWellFormed()));

/** False for paths that an address would not keep as they are, such as `/stats/../sites`. */
function isPlainPath(path: string): boolean {
	const address = `http://localhost${path}`;
	return URL.canParse(address) && new URL(address).pathname === path;
}

/** The pattern of the GET route that a path leads to, relative to the API. */
type PatternOf = (path: string) => string | undefined;

/** True for what a batch may ask. */
function isAllowed(endpoint: string, patternOf: PatternOf): boolean {
	const path = escaped(endpoint);
	return questions.has(path) || (isPlainPath(path) && siteReports.has(patternOf(path) ?? ""));
}

function addParameter(query: URLSearchParams, name: string, value: unknown): void {
	const values = Array.isArray(value) ? value : [value];
	for (const item of values) {
		if (item === null || item === undefined) continue;
		if (typeof item === "object") throw fieldError(`query.${name.slice(0, 64)}`, "Must be a text, number or boolean");
		query.append(name, String(item));
	}
}

/** The request that a query of a batch stands for, its URL relative to the API. 422 for a parameter that no query string can carry. */
export function routeCall({ endpoint, params }: Pick<BatchQuery, "endpoint" | "params">) {
	const query = new URLSearchParams();
	const inBody = bodyOf(endpoint, params);
	const given = Object.entries(params);
	for (const [name, value] of given) if (inBody?.(name) !== true) addParameter(query, name, value);
	const url = `${escaped(endpoint)}?${query}`;
	if (inBody === undefined) return { method: "GET" as const, url };
	return { method: "POST" as const, url, payload: Object.fromEntries(given.filter(([name]) => inBody(name))) };
}

/** Which parameters belong into the body of a route that is asked by POST; undefined for all that are asked by GET. */
function bodyOf(endpoint: string, params: BatchQuery["params"]): ((name: string) => boolean) | undefined {
	if (questions.has(endpoint)) return (name) => !queryParameters.has(name);
	if (endpoint === STEP_FUNNEL && params.steps !== undefined) return (name) => funnelBody.has(name);
	return undefined;
}

interface Fault {
	readonly queryId: string;
	/** Dotted path in the request. */
	readonly field: string;
	readonly message: string;
}

export interface Plan {
	/** Errors that prevent it from running. */
	readonly errors: readonly Fault[];
	readonly warnings: readonly Fault[];
	/** Queries of a group depend on earlier groups only; empty when there are errors. */
	readonly groups: readonly (readonly BatchQuery[])[];
}

/** The field of a fault below its query, and what is wrong with it; false without a fault. */
type Check = (query: BatchQuery, at: number) => false | readonly [field: string, message: string];

const endpointMessage =
	"Must be /stats/query, /stats/explain or the path of a GET route below /stats, such as /stats/overview; raw rows, streams and aggregates of several sites are not for batches";

const warningChecks: readonly Check[] = [
	({ params }) =>
		params.site_id === undefined &&
		params.account_id === undefined && [
			"params.site_id",
			"Has neither site_id nor account_id in its params, so it will fail",
		],
	({ depends_on: ids }) => new Set(ids).size < ids.length && ["depends_on", "Names a dependency twice"],
];

const faults = (queries: readonly BatchQuery[], checks: readonly Check[]): Fault[] =>
	queries.flatMap((query, at) =>
		checks.flatMap((check) => {
			const fault = check(query, at);
			if (fault === false) return [];
			return [{ queryId: query.id, field: `body.queries.${at}.${fault[0]}`, message: fault[1] }];
		}),
	);

/** Groups by dependencies, in the order of the request; `rest` are the queries of a cycle and those behind it. */
function group(queries: readonly BatchQuery[]): { groups: BatchQuery[][]; rest: ReadonlySet<BatchQuery> } {
	const groups: BatchQuery[][] = [];
	const done = new Set<string>();
	const rest = new Set(queries);
	for (;;) {
		const next = [...rest].filter((query) => query.depends_on.every((id) => done.has(id)));
		if (next.length === 0) return { groups, rest };
		groups.push(next);
		for (const query of next) {
			done.add(query.id);
			rest.delete(query);
		}
	}
}

export function planBatch(queries: readonly BatchQuery[], patternOf: PatternOf): Plan {
	const ids = queries.map(({ id }) => id);
	const warnings = faults(queries, warningChecks);
	const errors = faults(queries, [
		({ id }, at) => ids.indexOf(id) < at && ["id", `Another query has the id ${id}`],
		({ endpoint }) => !isAllowed(endpoint, patternOf) && ["endpoint", endpointMessage],
		({ depends_on: needed }) => {
			const at = needed.findIndex((id) => !ids.includes(id));
			const unknown = needed[at]?.slice(0, 64);
			return at >= 0 && [`depends_on.${at}`, `The batch has no query ${unknown} to depend on`];
		},
	]);
	if (errors.length > 0) return { errors, warnings, groups: [] };
	const { groups, rest } = group(queries);
	const cycle: Check = (query) => rest.has(query) && ["depends_on", "Depends on itself, directly or through others"];
	return { errors: faults(queries, [cycle]), warnings, groups: rest.size === 0 ? groups : [] };
}
