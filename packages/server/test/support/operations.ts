import type { TestApp } from "./test-app.ts";

/** A route of the API description. */
export interface Operation {
	readonly method: "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE";
	/** With parameters in braces. */
	readonly path: string;
	/** Method and path, the latter without `/api/v1`. */
	readonly route: string;
	readonly security: readonly Readonly<Record<string, unknown>>[];
	readonly parameters: readonly {
		readonly name: string;
		readonly in: string;
		readonly required?: boolean;
		readonly schema: { readonly type?: string; readonly format?: string };
	}[];
	readonly hasBody: boolean;
}

/** Every route that the API description shows. */
export function operationsOf(app: TestApp): Operation[] {
	const { paths } = JSON.parse(JSON.stringify(app.app.swagger()));
	return Object.entries<Record<string, never>>(paths).flatMap(([path, methods]) =>
		Object.entries<{ security?: []; parameters?: []; requestBody?: object }>(methods).map(([name, operation]) => {
			const method = name.toUpperCase() as Operation["method"];
			return {
				method,
				path,
				route: `${method} ${path.replace(/^\/api\/v1(?=\/)/, "")}`,
				security: operation.security ?? [],
				parameters: operation.parameters ?? [],
				hasBody: operation.requestBody !== undefined,
			};
		}),
	);
}
