import type { RouteOptions } from "fastify";

/** The methods and paths that the app answers, to tell a wrong method (405) from an unknown path (404). */
export interface RouteTable {
	add(route: Pick<RouteOptions, "method" | "url">): void;
	/** Methods of the routes that match a path, in alphabetical order. */
	methodsOf(path: string): string[];
}

/** An empty table. */
export function createRouteTable(): RouteTable {
	const methodsByPattern = new Map<string, Set<string>>();
	return {
		add({ method, url }) {
			if (url.includes("*")) return;
			const methods = methodsByPattern.get(url) ?? new Set<string>();
			for (const name of [method].flat()) methods.add(name);
			methodsByPattern.set(url, methods);
		},
		methodsOf(path) {
			const matching = [...methodsByPattern].filter(([pattern]) => matches(pattern, path));
			return [...new Set(matching.flatMap(([, methods]) => [...methods]))].sort();
		},
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
