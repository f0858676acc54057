import type { FastifySchema, RouteOptions } from "fastify";
import FindMyWay, { type HTTPMethod } from "find-my-way";

/**
 * Routes of the app: distinguishes a wrong method (405) from an unknown path (404), and holds a route's declaration.
 */
export interface RouteTable {
	add(route: Pick<RouteOptions, "method" | "url" | "schema">): void;
	/** Methods of the routes that match a path, in alphabetical order. */
	methodsOf(path: string): string[];
	/** The pattern of the route that a request with this method and path reaches; undefined when there is none. */
	patternOf(method: string, path: string): string | undefined;
	/** The schema of the route with exactly this method and pattern; undefined when there is none. */
	schemaOf(method: string, url: string): FastifySchema | undefined;
}

/** An empty table. It is the app's own router that finds routes here too, so that both read a path alike. */
export function createRouteTable(options: { readonly maxParamLength: number }): RouteTable {
	const router = FindMyWay(options);
	const schemas = new Map<string, Map<string, FastifySchema | undefined>>();
	const patternOf = (method: string, path: string) => {
		const found: { readonly store: unknown } | null = router.find(method as HTTPMethod, path);
		return found === null ? undefined : String(found.store);
	};
	return {
		add({ method, url, schema }) {
			if (url === "*") return;
			for (const name of [method].flat()) {
				const ofMethod = schemas.get(name) ?? new Map<string, FastifySchema | undefined>();
				schemas.set(name, ofMethod.set(url, schema));
				router.on(name as HTTPMethod, url, () => undefined, url);
			}
		},
		methodsOf: (path) => [...schemas.keys()].filter((method) => patternOf(method, path) !== undefined).sort(),
		patternOf,
		schemaOf: (method, url) => schemas.get(method)?.get(url),
	};
}
