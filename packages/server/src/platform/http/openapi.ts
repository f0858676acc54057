import swagger from "@fastify/swagger";
import type { App } from "./app.ts";

interface JsonSchema {
	readonly properties?: Readonly<Record<string, JsonSchema>>;
	readonly items?: JsonSchema;
	readonly required?: readonly string[];
	readonly default?: unknown;
}

/** Description of the API as a whole. */
export interface ApiInfo {
	readonly title: string;
	readonly version: string;
	readonly description: string;
	readonly tags: readonly { readonly name: string; readonly description: string }[];
	readonly securitySchemes: Readonly<Record<string, object>>;
}

/** Collects the routes registered after it into an OpenAPI 3.1 description: `app.swagger()`. */
export async function registerOpenApi(app: App, info: ApiInfo): Promise<void> {
	await app.register(swagger, {
		openapi: {
			openapi: "3.1.0",
			info: { title: info.title, version: info.version, description: info.description },
			tags: [...info.tags],
			components: { securitySchemes: info.securitySchemes as never },
		},
		refResolver: {
			buildLocalReference: (json, _base, _fragment, i) => (typeof json.$id === "string" ? json.$id : `Schema${i}`),
		},
		transformObject: (description) => {
			if (!("openapiObject" in description)) return description.swaggerObject;
			nameOperations(description.openapiObject.paths ?? {});
			return description.openapiObject;
		},
		transform: ({ schema, url }) => ({ schema: withOptionalDefaults(schema), url }),
	});
}

const requestParts = new Set(["querystring", "params", "body", "headers"]);

/** A request field with a default need not be sent, wherever in the request it stands. */
function withOptionalDefaults<T extends object>(schema: T): T {
	const entries = Object.entries(schema).map(([part, value]: [string, JsonSchema | undefined]) => [
		part,
		requestParts.has(part) && value !== undefined ? optionalDefaults(value) : value,
	]);
	return Object.fromEntries(entries) as T;
}

function optionalDefaults(schema: JsonSchema): JsonSchema {
	const { properties, items, required } = schema;
	return {
		...schema,
		...(required && { required: required.filter((name) => properties?.[name]?.default === undefined) }),
		...(properties && {
			properties: Object.fromEntries(
				Object.entries(properties).map(([name, property]) => [name, optionalDefaults(property)]),
			),
		}),
		...(items && { items: optionalDefaults(items) }),
	};
}

interface Operation {
	operationId?: string;
	responses?: Record<string, { description?: string }>;
}

/** Gives every operation an id for generated clients: `GET /api/v1/sites/{id}/pixel` becomes `getSitesIdPixel`. */
function nameOperations(paths: object): void {
	for (const [path, operations] of Object.entries(paths)) {
		const words = path.replace(/^\/api\/v1/, "").match(/[A-Za-z0-9]+/g) ?? [];
		const name = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("");
		for (const [method, operation] of Object.entries(operations as Record<string, Operation>)) {
			// A route with two methods hands out one object for both.
			const named = { ...operation, operationId: `${method}${name}` };
			(operations as Record<string, Operation>)[method] = named;
			for (const response of Object.values(named.responses ?? {})) {
				if (response.description === "Default Response") response.description = "Success";
			}
		}
	}
}
