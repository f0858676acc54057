import { fieldError } from "../../../platform/errors/service-error.ts";
import { siteReports } from "../stats/index.ts";
import type { BatchQuery } from "./schemas.ts";

interface RouteCall {
	readonly method: "GET" | "POST";
	/** Path and query string, relative to the API. */
	readonly url: string;
	readonly payload?: object;
}

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

/** True for what a batch may ask; `patternOf` tells the pattern of the GET route that a path leads to. */
function isAllowed(endpoint: string, patternOf: (path: string) => string | undefined): boolean {
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

/** The request that a query of a batch stands for. 422 for a parameter that no query string can carry. */
export function routeCall({ endpoint, params }: Pick<BatchQuery, "endpoint" | "params">): RouteCall {
	const query = new URLSearchParams();
	const inBody = bodyOf(endpoint, params);
	const given = Object.entries(params);
	for (const [name, value] of given) if (inBody?.(name) !== true) addParameter(query, name, value);
	const url = `${escaped(endpoint)}?${query}`;
	if (inBody === undefined) return { method: "GET", url };
	return { method: "POST", url, payload: Object.fromEntries(given.filter(([name]) => inBody(name))) };
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

/** The pattern of the GET route that a path leads to, relative to the API. */
type PatternOf = (path: string) => string | undefined;

interface Placed {
	readonly query: BatchQuery;
	readonly at: number;
	readonly isRepeated: boolean;
	readonly ids: ReadonlySet<string>;
	readonly patternOf: PatternOf;
}

/** The field of a fault below its query, and what is wrong with it; false without a fault. */
type Check = (placed: Placed) => false | readonly [field: string, message: string];

const endpointMessage =
	"Must be /stats/query, /stats/explain or the path of a GET route below /stats, such as /stats/overview; raw rows, streams and aggregates of several sites are not for batches";

const errorChecks: readonly Check[] = [
	({ query, isRepeated }) => isRepeated && ["id", `Another query has the id ${query.id}`],
	({ query, patternOf }) => !isAllowed(query.endpoint, patternOf) && ["endpoint", endpointMessage],
	({ query, ids }) => {
		const at = query.depends_on.findIndex((id) => !ids.has(id));
		const unknown = query.depends_on[at]?.slice(0, 64);
		return at >= 0 && [`depends_on.${at}`, `The batch has no query ${unknown} to depend on`];
	},
];

const warningChecks: readonly Check[] = [
	({ query: { params } }) =>
		params.site_id === undefined &&
		params.account_id === undefined && [
			"params.site_id",
			"Has neither site_id nor account_id in its params, so it will fail",
		],
	({ query }) => new Set(query.depends_on).size < query.depends_on.length && ["depends_on", "Names a dependency twice"],
];

function faults(placed: readonly Placed[], checks: readonly Check[]): Fault[] {
	return placed.flatMap((one) =>
		checks.flatMap((check) => {
			const fault = check(one);
			if (fault === false) return [];
			const [field, message] = fault;
			return [{ queryId: one.query.id, field: `body.queries.${one.at}.${field}`, message }];
		}),
	);
}

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
	const ids = new Set(queries.map(({ id }) => id));
	const seen = new Set<string>();
	const placed = queries.map((query, at): Placed => {
		const isRepeated = seen.has(query.id);
		seen.add(query.id);
		return { query, at, isRepeated, ids, patternOf };
	});
	const warnings = faults(placed, warningChecks);
	const errors = faults(placed, errorChecks);
	if (errors.length > 0) return { errors, warnings, groups: [] };
	const { groups, rest } = group(queries);
	const cycle: Check = ({ query }) =>
		rest.has(query) && ["depends_on", "Depends on itself, directly or through others"];
	return { errors: faults(placed, [cycle]), warnings, groups: rest.size === 0 ? groups : [] };
}
