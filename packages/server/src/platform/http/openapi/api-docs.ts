import swaggerUi from "@fastify/swagger-ui";
import { Type } from "typebox";
import type { App } from "../app.ts";
import { palettes } from "../pages/page-style.ts";

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

const { accent } = palettes.light;

/** The reference in the colours of our own pages, without the bar of the program that draws it. */
const referenceStyle = `
.swagger-ui .topbar { display: none }
.swagger-ui .info .title { color: ${accent} }
.swagger-ui a.nostyle:focus-visible, .swagger-ui button:focus-visible { outline: 2px solid ${accent} }
.swagger-ui .btn.execute { background: ${accent}; border-color: ${accent} }
.swagger-ui .btn.authorize { color: ${accent}; border-color: ${accent} }
.swagger-ui .btn.authorize svg { fill: ${accent} }
`;

/** Registers the description of the API (`/api/v1/openapi.json`) and its reference page (`/docs`). */
export async function registerApiDocs(app: App): Promise<void> {
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
		// One look at the reference takes eight files of its own, which shall not count among what an address may ask.
		scope.addHook("onRoute", (route) => {
			if (route.url.startsWith("/docs/static")) route.config = { ...route.config, limit: "none" };
		});
		await scope.register(swaggerUi, {
			routePrefix: "/docs",
			staticCSP: contentSecurityPolicy,
			uiConfig: { validatorUrl: null, deepLinking: true, docExpansion: "none", defaultModelsExpandDepth: 0 },
			theme: { title: "Footfall API", css: [{ filename: "footfall.css", content: referenceStyle }] },
		});
	});
}
