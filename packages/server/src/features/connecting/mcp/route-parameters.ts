import type { RouteName } from "./tools.ts";

/** The parts of a route's schema that tools are made from. */
export interface JsonSchema {
	readonly type?: string;
	readonly description?: string;
	readonly enum?: readonly unknown[];
	readonly default?: unknown;
	readonly maximum?: number;
	readonly items?: JsonSchema;
	readonly properties?: Readonly<Record<string, JsonSchema>>;
	readonly patternProperties?: unknown;
	readonly required?: readonly string[];
}

/** The prefix of the routes that tools ask. */
const API = "/api/v1";

/** A request to one of the service's own routes. */
export interface RouteCall {
	readonly method: "GET" | "POST";
	readonly url: string;
	readonly payload?: object;
}

/** A route with what it takes. */
export interface RouteParameters {
	readonly route: RouteName;
	readonly query: JsonSchema;
	/** Undefined for a route without a body. */
	readonly body: JsonSchema | undefined;
}

/** Arguments of a tool, by name. */
export type Arguments = Readonly<Record<string, unknown>>;

type SchemaOf = (
	method: string,
	url: string,
) => { readonly querystring?: unknown; readonly body?: unknown } | undefined;

/**
 * Parameters of a route as declared, without those that have no effect. Throws if there is no such route, so that the
 * app does not start.
 */
export function readParameters(schemaOf: SchemaOf, route: RouteName, idle: readonly string[] = []): RouteParameters {
	const schema = schemaOf(route.method, API + route.url);
	if (schema?.querystring === undefined) throw new Error(`No tool can ask ${route.method} ${route.url}`);
	const { properties = {}, ...query } = plain(schema.querystring);
	const useful = Object.entries(properties).filter(([name]) => !idle.includes(name));
	return {
		route,
		query: { ...query, properties: Object.fromEntries(useful) },
		body: schema.body === undefined ? undefined : plain(schema.body),
	};
}

/** The schema as it is sent: without what its library and our validation keep in it. */
const plain = (schema: unknown): JsonSchema =>
	JSON.parse(JSON.stringify(schema, (name, value) => (name.startsWith("x-") ? undefined : value)));

const names = (schema: JsonSchema | undefined, name: string) => Object.hasOwn(schema?.properties ?? {}, name);

/** True when the route has a parameter of this name. */
export const takes = ({ query, body }: RouteParameters, name: string): boolean =>
	names(query, name) || names(body, name);

/** The request that some arguments stand for; each goes where the route wants it. */
export function routeCall({ route, query, body }: RouteParameters, given: Arguments): RouteCall {
	const search = new URLSearchParams();
	const fields: [string, unknown][] = [];
	for (const [name, value] of Object.entries(given)) {
		if (!names(query, name)) fields.push([name, value]);
		else for (const item of [value].flat()) search.append(name, textOf(item));
	}
	const url = `${API}${route.url}?${search}`;
	if (body === undefined) return { method: route.method, url };
	return { method: route.method, url, payload: Object.fromEntries(fields) };
}

/** An unknown parameter is passed on, so that the route names the valid ones. */
const textOf = (value: unknown): string =>
	typeof value === "object" && value !== null ? JSON.stringify(value) : String(value);
