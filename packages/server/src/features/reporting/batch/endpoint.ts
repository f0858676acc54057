import { fieldError } from "../../../platform/errors/service-error.ts";
import { siteReports } from "../stats/index.ts";
import type { BatchQuery } from "./schemas.ts";

/** A request to one of the service's own routes. */
export interface RouteCall {
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
export function isAllowed(endpoint: string, patternOf: (path: string) => string | undefined): boolean {
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
