import type { FastifySchema, RouteOptions } from "fastify";
import FindMyWay, { type HTTPMethod } from "find-my-way";
import type { ErrorCode } from "../errors/codes.ts";
import { MINUTE_MS } from "../lib/durations.ts";
import { errorAnswers } from "./error-answers.ts";
import type { RouteLimit } from "./rate-limit/route-limit.ts";

/** Description of a guard for the API description; the guard's own type belongs to the layer above. */
export interface GuardDescription {
	/** OpenAPI security requirements: any one of them opens the route. */
	readonly security: readonly Record<string, readonly string[]>[];
	readonly errors: readonly ErrorCode[];
	/** Admitted callers, in words; absent where they are not shown. */
	readonly access?: string;
	/** The same for programs, `x-guard` of the operation; absent for hidden routes. */
	readonly rule?: Readonly<Record<string, unknown>>;
}

/** Headers of single answers, in `x-headers` of their routes; answers with others of them fail in tests. */
export const declaredHeaders = ["Set-Cookie", "Content-Disposition", "Location"] as const;

declare module "fastify" {
	interface FastifySchema {
		/** Headers that a success brings beside those that every answer has. */
		"x-headers"?: readonly (typeof declaredHeaders)[number][];
	}
}

const alwaysPossible: readonly ErrorCode[] = [
	"rate_limit_exceeded",
	"internal_error",
	"service_unavailable",
	"gateway_timeout",
];

/** Routes of plugins: the preflight of CORS and the pages of the API reference. */
const isPluginRoute = (route: RouteOptions): boolean => route.url === "*" || /^\/docs(\/|$)/.test(route.url);

/** Throws for a route without guard, tag, summary or response schema; adds the errors that its kind may answer, and its security requirements. */
export function completeRoute(route: RouteOptions, describeGuard: (guard: unknown) => GuardDescription): void {
	if (isPluginRoute(route)) return;
	const schema: FastifySchema = route.schema ?? {};
	const guard = (route.config as { guard?: unknown } | undefined)?.guard;
	const missing = [
		...(guard === undefined ? ["config.guard"] : []),
		...(schema.tags === undefined || schema.tags.length === 0 ? ["schema.tags"] : []),
		...(schema.summary === undefined ? ["schema.summary"] : []),
		...(schema.response === undefined ? ["schema.response"] : []),
	];
	if (missing.length > 0) throw new Error(`Route ${String(route.method)} ${route.url} lacks ${missing.join(", ")}`);
	if (route.url.lastIndexOf("/api/v1") > 0) {
		throw new Error(`Route ${route.url}: its scope has the prefix /api/v1 already, write the path without it`);
	}
	const described = describeGuard(guard);
	route.schema = Object.assign({}, schema, {
		description: [schema.description, described.access, ...limitsOf(route)].filter(isText).join("\n\n"),
		security: described.security,
		...(described.rule && { "x-guard": described.rule }),
		response: { ...errorResponses(route, schema, described), ...(schema.response as object) },
	});
}

const isText = (text: string | undefined): text is string => text !== undefined;

/** The limits that a route declares for itself, in words. */
function limitsOf({ config }: RouteOptions): string[] {
	const { limit } = (config ?? {}) as { limit?: "none" | RouteLimit | readonly RouteLimit[] };
	if (limit === undefined || limit === "none") return [];
	return [limit].flat().map(({ max, windowMs, by }) => {
		const whose = by === "ip" ? " from one address" : "";
		return `At most ${max} requests${whose} in ${inWords(windowMs)}.`;
	});
}

const inWords = (ms: number): string => {
	const minutes = ms / MINUTE_MS;
	if (minutes === 1) return "a minute";
	if (minutes < 60) return `${minutes} minutes`;
	return minutes === 60 ? "an hour" : `${minutes / 60} hours`;
};

function errorResponses(route: RouteOptions, schema: FastifySchema, guard: GuardDescription): Record<string, unknown> {
	// A route with `attachValidation` answers faults of the input itself, in another form.
	const hasInput =
		route.attachValidation !== true &&
		[schema.params, schema.querystring, schema.body, schema.headers].some((part) => part !== undefined);
	const codes: readonly ErrorCode[] = [
		...guard.errors,
		...(schema.params === undefined ? [] : (["not_found"] as const)),
		...(schema.body === undefined ? [] : (["bad_request", "payload_too_large"] as const)),
		...(hasInput ? (["validation_error"] as const) : []),
		...alwaysPossible,
	];
	return errorAnswers(...codes);
}

/** Routes of the app: tells a wrong method (405) from an unknown path (404), and holds a route's declaration. */
export type RouteTable = ReturnType<typeof createRouteTable>;

/** An empty table. It is the app's own router that finds routes here too, so that both read a path alike. */
export function createRouteTable(options: { readonly maxParamLength: number }) {
	const router = FindMyWay(options);
	const schemas = new Map<string, Map<string, FastifySchema | undefined>>();
	const patternOf = (method: string, path: string) => {
		const found: { readonly store: unknown } | null = router.find(method as HTTPMethod, path);
		return found === null ? undefined : String(found.store);
	};
	return {
		add({ method, url, schema }: Pick<RouteOptions, "method" | "url" | "schema">) {
			if (url === "*") return;
			for (const name of [method].flat()) {
				const ofMethod = schemas.get(name) ?? new Map<string, FastifySchema | undefined>();
				schemas.set(name, ofMethod.set(url, schema));
				router.on(name as HTTPMethod, url, () => undefined, url);
			}
		},
		methodsOf: (path: string) => [...schemas.keys()].filter((method) => patternOf(method, path) !== undefined).sort(),
		/** The pattern of the route that a request with this method and path reaches; undefined when there is none. */
		patternOf,
		/** The schema of the route with exactly this method and pattern; undefined when there is none. */
		schemaOf: (method: string, url: string) => schemas.get(method)?.get(url),
	};
}
