import type { TestApp } from "./test-app.ts";

/** The parts of a parameter's schema that tests look at. */
export interface ParameterSchema {
	readonly type?: string;
	readonly enum?: readonly string[];
	readonly format?: string;
	readonly minimum?: number;
	readonly maximum?: number;
	readonly maxLength?: number;
	readonly pattern?: string;
	readonly items?: ParameterSchema;
}

/** A parameter of a described operation. */
export interface Parameter {
	readonly name: string;
	readonly in: "query" | "path";
	readonly required?: boolean;
	readonly schema: ParameterSchema;
}

/** A described operation below `/stats`. */
export interface StatsOperation {
	readonly method: "GET" | "POST";
	readonly path: string;
	readonly parameters: readonly Parameter[];
}

interface Described {
	readonly parameters?: readonly Parameter[];
}

/** Every operation below `/stats` whose answer ends, as the API describes itself. */
export function statsOperations(app: TestApp): StatsOperation[] {
	const { paths } = JSON.parse(JSON.stringify(app.app.swagger())) as {
		paths: Record<string, Record<string, Described>>;
	};
	return (
		Object.entries(paths)
			// The stream reads its parameters as the figures beside it do, and its answer has no end.
			.filter(([path]) => path.startsWith("/api/v1/stats/") && path !== "/api/v1/stats/live/stream")
			.flatMap(([path, methods]) =>
				Object.entries(methods).map(([method, { parameters = [] }]) => ({
					method: method === "post" ? "POST" : "GET",
					path,
					parameters,
				})),
			)
	);
}

/** A parameter that names the sites of a request. */
export function namesSites({ name }: Parameter): boolean {
	return ["site_id", "account_id", "account_ids"].includes(name);
}
