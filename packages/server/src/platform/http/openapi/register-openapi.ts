import swagger from "@fastify/swagger";
import type { App } from "../app.ts";
import { describeOperations } from "./describe-operations.ts";
import { withOptionalDefaults } from "./optional-defaults.ts";

/** Description of the API as a whole. */
export interface ApiInfo {
	readonly title: string;
	readonly version: string;
	readonly description: string;
	readonly license: { readonly name: string; readonly identifier: string };
	/** Whom to ask. */
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
