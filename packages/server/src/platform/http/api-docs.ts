import swaggerUi from "@fastify/swagger-ui";
import { Type } from "typebox";
import type { App } from "./app.ts";

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

/** Registers the description of the API (`/api/v1/openapi.json`) and its reference page (`/docs`). */
export async function registerApiDocs(app: App): Promise<void> {
	let description: string | undefined;
	app.route({
		method: "GET",
		url: "/api/v1/openapi.json",
		schema: {
			tags: ["API description"],
			summary: "This description, OpenAPI 3.1",
			response: { 200: Type.Unknown({ description: "An OpenAPI 3.1 document" }) },
		},
		config: { guard: { kind: "public" } } as object,
		handler: async (_request, reply) => {
			description ??= JSON.stringify(app.swagger());
			return reply.type("application/json; charset=utf-8").send(description);
		},
	});
	await app.register(swaggerUi, {
		routePrefix: "/docs",
		staticCSP: contentSecurityPolicy,
		uiConfig: { validatorUrl: null, deepLinking: true },
		theme: { title: "Footfall API", css: [{ filename: "footfall.css", content: ".topbar { display: none }" }] },
	});
}
