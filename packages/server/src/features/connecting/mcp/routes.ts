import type { Tool } from "@modelcontextprotocol/server";
import type { FastifyReply, FastifyRequest } from "fastify";
import { Type } from "typebox";
import type { Guard } from "../../../access/index.ts";
import { ServiceError } from "../../../platform/errors/service-error.ts";
import type { App } from "../../../platform/http/app.ts";
import { describeCause } from "../../../platform/log/describe-cause.ts";
import type { ChangeDeps } from "../../auditing/audit-log/index.ts";
import { askerOf, callTool, listSitesTool } from "./call-tool.ts";
import { type ReadyTool, readyTools } from "./report-tools.ts";
import type { Served } from "./serve-message.ts";

const annotations = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false } as const;

/** Every tool as listed by `tools/list`. */
function describeTools(tools: ReadonlyMap<string, ReadyTool>): Tool[] {
	const reports = tools.values().map(({ tool, inputSchema }) => ({ ...tool, inputSchema }));
	return [listSitesTool, ...reports].map(({ name, title, description, inputSchema }) => ({
		name,
		title,
		description,
		// The library's type says of JSON what ours says of JSON Schema.
		inputSchema: inputSchema as unknown as Tool["inputSchema"],
		annotations: { title, ...annotations },
	}));
}

const loopback: ReadonlySet<string> = new Set(["localhost", "127.0.0.1", "[::1]"]);

/**
 * Refuses a request of a web page that is not the service's own; throws `forbidden`. A name that the request itself gives
 * the service does not count, for an attacker's name can be made to lead here; on loopback there is no such name.
 */
function checkOrigin(origin: string | undefined, host: string | undefined, rootUrl: string): void {
	if (origin === undefined || origin === new URL(rootUrl).origin) return;
	const page = URL.canParse(origin) ? new URL(origin) : undefined;
	if (page !== undefined && page.host === host && loopback.has(page.hostname)) return;
	throw new ServiceError("forbidden", "Request from a foreign origin");
}

/** A message of JSON-RPC 2.0; its content is checked by the protocol. */
const McpAnswer = Type.Object({
	jsonrpc: Type.Literal("2.0"),
	id: Type.Union([Type.String(), Type.Number(), Type.Null()]),
	result: Type.Optional(Type.Unknown()),
	error: Type.Optional(Type.Object({ code: Type.Integer(), message: Type.String() })),
});

/** Dependencies of the MCP route. */
interface McpDeps extends ChangeDeps {
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

/** Puts on every 401 of a scope where a client learns how to get a token (RFC 9728, 5.1; RFC 6750, 3). */
function challengeCallers(scope: App, rootUrl: string): void {
	// Clients ask for just the scopes that are named here, and without `offline_access` for no refresh token.
	const metadata = `Bearer resource_metadata="${rootUrl}/.well-known/oauth-protected-resource/mcp", scope="analytics:read offline_access"`;
	scope.addHook("onSend", async ({ headers }, reply) => {
		if (reply.statusCode !== 401) return;
		const wasShown = headers.authorization !== undefined || headers["x-api-key"] !== undefined;
		reply.header("www-authenticate", wasShown ? `${metadata}, error="invalid_token"` : metadata);
	});
}
