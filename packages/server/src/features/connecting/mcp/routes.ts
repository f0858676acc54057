import type { FastifyReply, FastifyRequest } from "fastify";
import type { Guard } from "../../../access/index.ts";
import type { App } from "../../../platform/http/app.ts";
import { describeCause } from "../../../platform/log/describe-cause.ts";
import type { ToolDeps } from "./ask-report.ts";
import { askerOf } from "./asker-of.ts";
import { callTool } from "./call-tool.ts";
import { challengeCallers } from "./challenge.ts";
import { checkOrigin } from "./check-origin.ts";
import { describeTools } from "./describe-tools.ts";
import { readyTools } from "./report-tools.ts";
import { McpAnswer } from "./schemas.ts";
import type { Served } from "./serve-message.ts";

/** Dependencies of the MCP route. */
export interface McpDeps extends ToolDeps {
	/** Address of the service, without a slash at its end. */
	readonly rootUrl: string;
	/** Version of the service. */
	readonly version: string;
}

const BODY_LIMIT = 256 * 1024;
const guard: Guard = { kind: "principal", scope: "stats:read", oauth: "admitted" };

/** Registers `POST /mcp` at the root, after the routes that its tools ask. */
export function registerMcp(app: App, deps: McpDeps): void {
	const tools = readyTools((method, url) => app.schemaOf(method, url));
	const described = describeTools(tools);
	const servedTo = (request: FastifyRequest): Served => ({
		version: deps.version,
		tools: described,
		call: (name, given) => {
			const onError = (error: unknown) => request.log.error({ cause: describeCause(error) }, "Tool failed");
			return callTool({ ...deps, tools, onError }, askerOf(app, request), { name, given });
		},
	});
	app.register(async (plugin) => {
		const scope = plugin as App;
		challengeCallers(scope, deps.rootUrl);
		takeAnyBody(scope);
		scope.route({
			method: "POST",
			url: "/mcp",
			config: { guard, audience: "mcp" },
			bodyLimit: BODY_LIMIT,
			// Hidden, as the protocol describes itself and answers in its own form.
			schema: { hide: true, tags: ["MCP"], summary: "Model Context Protocol", response: { 200: McpAnswer } },
			onRequest: async ({ headers }) => checkOrigin(headers.origin, headers.host, deps.rootUrl),
			handler: async (request, reply) => {
				// The protocol's library is large, and many a service is never asked by an assistant.
				const { serveMessage } = await import("./serve-message.ts");
				const response = await serveMessage(servedTo(request), webRequest(request, deps.rootUrl));
				return sendResponse(reply, response);
			},
		});
	});
}

/** Invalid JSON is answered by the protocol. */
function takeAnyBody(scope: App): void {
	scope.removeAllContentTypeParsers();
	scope.addContentTypeParser("*", { parseAs: "string" }, (_request, body, done) => done(null, body));
}

/** The request as the protocol's library reads it, without the credential. */
function webRequest({ headers, body }: FastifyRequest, rootUrl: string): Request {
	const passed = Object.entries(headers).filter(([name]) => name === "content-type" || name.startsWith("mcp-"));
	return new Request(`${rootUrl}/mcp`, {
		method: "POST",
		// All that it is ever answered with, and streams as the older revisions demand.
		headers: [...passed.map(([name, value]): [string, string] => [name, String(value)]), ["accept", ACCEPT]],
		body: typeof body === "string" ? body : "",
	});
}

const ACCEPT = "application/json, text/event-stream";

async function sendResponse(reply: FastifyReply, response: Response): Promise<FastifyReply> {
	const text = await response.text();
	return reply.code(response.status).type("application/json; charset=utf-8").send(text);
}
