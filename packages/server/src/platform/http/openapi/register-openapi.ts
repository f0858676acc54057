import swagger from "@fastify/swagger";
import swaggerUi from "@fastify/swagger-ui";
import { Type } from "typebox";
import type { App } from "../app.ts";
import { mayBeAbsent, type SchemaLike } from "../coerce.ts";
import { mark } from "../pages/page.ts";
import { palettes } from "../pages/page-style.ts";
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

const contentSecurityPolicy = [
	"default-src 'none'",
	"script-src 'self'",
	"style-src 'self' 'unsafe-inline'",
	"img-src 'self' data:",
	"connect-src 'self'",
	"base-uri 'none'",
	"form-action 'none'",
	"frame-ancestors 'none'",
].join("; ");

const { accent, edge, muted, text } = palettes.light;

/** The reference in the colours of our own pages, below their head instead of the bar of the program that draws it. */
const referenceStyle = `
.service { align-items: center; border-bottom: 1px solid ${edge}; display: flex; flex-wrap: wrap; font: 1rem/1.5 system-ui, sans-serif; gap: 0.5rem 1.25rem; padding: 0.75rem 1.25rem }
.service a { align-items: center; color: ${text}; display: flex; font-weight: 650; gap: 0.625rem; min-height: 1.5rem; text-decoration: none }
.service svg { fill: ${accent}; height: 1.75rem; width: 1.75rem }
.service path { fill: none; stroke: #fff; stroke-linecap: round; stroke-width: 3 }
.service span { color: ${muted} }
.swagger-ui .topbar { display: none }
.swagger-ui .info { margin: 1.5rem 0 }
.swagger-ui .info .title pre.version::before { content: "API " }
.swagger-ui .info .title { color: ${accent} }
.swagger-ui a.nostyle:focus-visible, .swagger-ui button:focus-visible { outline: 2px solid ${accent} }
.swagger-ui .btn.execute { background: ${accent}; border-color: ${accent} }
.swagger-ui .btn.authorize { color: ${accent}; border-color: ${accent} }
.swagger-ui .btn.authorize svg { fill: ${accent} }
`;

/** A script that puts the head on the page: the way back, and the version of the product beside that of the API. */
const referenceHead = (version: string) => `document.body.insertAdjacentHTML("afterbegin", ${JSON.stringify(
	`<header class="service"><a href="/">${mark} Footfall</a><span>${version}</span></header>`,
)});
`;

/** Registers the description of the API (`/api/v1/openapi.json`) and its reference page (`/docs`). */
export async function registerApiDocs(app: App, version: string): Promise<void> {
	let description: string | undefined;
	app.route({
		method: "GET",
		url: "/api/v1/openapi.json",
		schema: {
			tags: ["API description"],
			summary: "This description, OpenAPI 3.1",
			response: { 200: Type.Unknown({ description: "An OpenAPI 3.1 document", examples: [{ openapi: "3.1.0" }] }) },
		},
		config: { guard: { kind: "public" } } as object,
		handler: async (_request, reply) => {
			description ??= JSON.stringify(app.swagger());
			return reply.type("application/json; charset=utf-8").send(description);
		},
	});
	await app.register(async (scope) => {
		// One look at the reference takes nine files of its own, which shall not count among what an address may ask.
		scope.addHook("onRoute", (route) => {
			if (route.url.startsWith("/docs/static")) route.config = { ...route.config, limit: "none" };
		});
		await scope.register(swaggerUi, {
			routePrefix: "/docs",
			staticCSP: contentSecurityPolicy,
			uiConfig: { validatorUrl: null, deepLinking: true, docExpansion: "none", defaultModelsExpandDepth: 0 },
			theme: {
				title: "Footfall API",
				css: [{ filename: "footfall.css", content: referenceStyle }],
				js: [{ filename: "footfall.js", content: referenceHead(version) }],
			},
		});
	});
}
