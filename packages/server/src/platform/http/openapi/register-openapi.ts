import swagger from "@fastify/swagger";
import type { App } from "../app.ts";
import { mayBeAbsent, type SchemaLike } from "../coerce.ts";
import { describeOperations } from "./describe-operations.ts";

const requestParts = new Set(["querystring", "params", "body", "headers"]);

/** A request field with a default need not be sent, wherever in the request it stands. */
function withOptionalDefaults<T extends object>(schema: T): T {
	const entries = Object.entries(schema).map(([part, value]: [string, SchemaLike | undefined]) => [
		part,
		requestParts.has(part) && value !== undefined ? asSent(value, value["x-nulls"] === "absent") : value,
	]);
	return Object.fromEntries(entries) as T;
}

/** A part of a request as a client may send it. */
function asSent(schema: SchemaLike, takesNulls: boolean): SchemaLike {
	const { properties, items, required } = schema;
	const field = ([name, property]: [string, SchemaLike]) => {
		const sent = asSent(property, takesNulls);
		return [name, takesNulls && mayBeAbsent(schema, name) ? { anyOf: [sent, { type: "null" }] } : sent];
	};
	return {
		...schema,
		...(required && { required: required.filter((name) => !mayBeAbsent(schema, name)) }),
		...(properties && { properties: Object.fromEntries(Object.entries(properties).map(field)) }),
		...(items && { items: asSent(items, takesNulls) }),
	};
}

/** Description of the API as a whole. */
export interface ApiInfo {
	readonly title: string;
	readonly version: string;
	readonly description: string;
	readonly license: { readonly name: string; readonly identifier: string };
	readonly contact: { readonly name: string };
	readonly servers: readonly { readonly url: string; readonly description: string }[];
	readonly tags: readonly { readonly name: string; readonly description: string }[];
	readonly securitySchemes: Readonly<Record<string, object>>;
}

/** Collects the routes registered after it into an OpenAPI 3.1 description: `app.swagger()`. */
export async function registerOpenApi(app: App, api: ApiInfo): Promise<void> {
	const { servers, tags, securitySchemes, ...info } = api;
	await app.register(swagger, {
		openapi: {
			openapi: "3.1.0",
			info,
			servers: [...servers],
			tags: [...tags],
			components: { securitySchemes: securitySchemes as never },
		},
		refResolver: {
			buildLocalReference: (json, _base, _fragment, i) => (typeof json.$id === "string" ? json.$id : `Schema${i}`),
		},
		transformObject: (description) => {
			if (!("openapiObject" in description)) return description.swaggerObject;
			const { openapiObject } = description;
			const { paths, schemas, responses, headers } = describeOperations((openapiObject.paths ?? {}) as never);
			const components = openapiObject.components ?? {};
			return {
				...openapiObject,
				components: {
					...components,
					schemas: { ...components.schemas, ...(schemas as object) },
					responses: responses as never,
					headers: headers as never,
				},
				paths: paths as never,
			};
		},
		transform: ({ schema, url }) => ({ schema: withOptionalDefaults(schema), url }),
	});
}
