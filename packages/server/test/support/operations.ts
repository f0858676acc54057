import { text } from "node:stream/consumers";
import type { InjectOptions } from "fastify";
import type { TestApp } from "./test-app.ts";

export interface Parameter {
	readonly name: string;
	readonly in: string;
	readonly required?: boolean;
	readonly schema: ReturnType<typeof JSON.parse>;
}

export interface Operation {
	readonly method: "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE";
	/** With parameters in braces. */
	readonly path: string;
	/** Method and path, the latter without `/api/v1`. */
	readonly route: string;
	readonly security: readonly Readonly<Record<string, unknown>>[];
	readonly parameters: readonly Parameter[];
	readonly hasBody: boolean;
	/** Its guard as the API describes it. */
	readonly guard: string;
}

export function operationsOf(app: TestApp): Operation[] {
	const { paths } = JSON.parse(JSON.stringify(app.app.swagger()));
	return Object.entries<Record<string, never>>(paths).flatMap(([path, methods]) =>
		Object.entries<{ security?: []; parameters?: []; requestBody?: object; "x-guard"?: object }>(methods).map(
			([name, operation]) => {
				const method = name.toUpperCase() as Operation["method"];
				return {
					method,
					path,
					route: `${method} ${path.replace(/^\/api\/v1(?=\/)/, "")}`,
					security: operation.security ?? [],
					parameters: operation.parameters ?? [],
					hasBody: operation.requestBody !== undefined,
					guard: JSON.stringify([operation["x-guard"], operation.security]),
				};
			},
		),
	);
}

/** Those below `/stats` whose answer ends: the stream reads its parameters as the figures beside it do. */
export const statsOperations = (app: TestApp): Operation[] =>
	operationsOf(app).filter(({ path }) => path.startsWith("/api/v1/stats/") && path !== "/api/v1/stats/live/stream");

export const namesSites = ({ name }: Parameter): boolean => ["site_id", "account_id", "account_ids"].includes(name);

/** Status and body of any route, also of one whose answer has no end: a stream is left as soon as it begins, its body is empty. */
export async function answerOf(app: TestApp, request: InjectOptions) {
	const response = await app.inject({ ...request, payloadAsStream: true });
	const { statusCode, headers } = response;
	if (String(headers["content-type"]).startsWith("text/event-stream")) {
		response.raw.res.destroy();
		return { statusCode, body: "" };
	}
	return { statusCode, body: await text(response.stream()) };
}
