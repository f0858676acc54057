import type { App } from "../../../../platform/http/app.ts";
import { AuthorizationServer, ProtectedResource } from "../schemas.ts";
import { authorizationServer, protectedResource } from "./server-metadata.ts";

const tags = ["Connections"];
const config = { guard: { kind: "public" }, limit: "none" } as const;
const AN_HOUR = "public, max-age=3600";

/** The documents by which apps find everything else, at the root of the host. */
export function registerDiscovery(app: App, { rootUrl }: { readonly rootUrl: string }): void {
	app.route({
		method: "GET",
		url: "/.well-known/oauth-authorization-server",
		schema: { tags, summary: "What the authorization server can do", response: { 200: AuthorizationServer } },
		config,
		handler: async (_request, reply) => {
			reply.header("cache-control", AN_HOUR);
			return authorizationServer(rootUrl);
		},
	});
	for (const url of ["/.well-known/oauth-protected-resource", "/.well-known/oauth-protected-resource/mcp"]) {
		app.route({
			method: "GET",
			url,
			schema: { tags, summary: "What the MCP server asks of its callers", response: { 200: ProtectedResource } },
			config,
			handler: async (_request, reply) => {
				reply.header("cache-control", AN_HOUR);
				return protectedResource(rootUrl);
			},
		});
	}
}
