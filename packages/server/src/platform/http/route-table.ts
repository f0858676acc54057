import type { FastifySchema, RouteOptions } from "fastify";

/** What the app answers: tells a wrong method (405) from an unknown path (404), and what a route declares. */
export interface RouteTable {
	add(route: Pick<RouteOptions, "method" | "url" | "schema">): void;
	/** Methods of the routes that match a path, in alphabetical order. */
	methodsOf(path: string): string[];
	/** The schema of the route with exactly this method and pattern; undefined when there is none. */
	schemaOf(method: string, url: string): FastifySchema | undefined;
}

/** An empty table. */
export function createRouteTable(): RouteTable {
	const routesByPattern = new Map<string, Map<string, FastifySchema | undefined>>();
	return {
		add({ method, url, schema }) {
			if (url.includes("*")) return;
			const routes = routesByPattern.get(url) ?? new Map<string, FastifySchema | undefined>();
			for (const name of [method].flat()) routes.set(name, schema);
			routesByPattern.set(url, routes);
		},
		methodsOf(path) {
			const matching = [...routesByPattern].filter(([pattern]) => matches(pattern, path));
			return [...new Set(matching.flatMap(([, routes]) => [...routes.keys()]))].sort();
		},
		schemaOf: (method, url) => routesByPattern.get(url)?.get(method),
	};
}

function matches(pattern: string, path: string): boolean {
	const expected = pattern.split("/");
	const given = path.split("/");
	return (
		expected.length === given.length &&
		expected.every((segment, i) => (segment.startsWith(":") ? given[i] !== "" : segment === given[i]))
	);
}
