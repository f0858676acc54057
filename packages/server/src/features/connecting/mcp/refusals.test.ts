import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { connectMcp, newKey } from "../../../../test/support/mcp-client.ts";
import { type McpSite, openMcpSite } from "../../../../test/support/mcp-site.ts";

const root = "https://stats.example";
const metadata = `resource_metadata="${root}/.well-known/oauth-protected-resource/mcp", scope="analytics:read offline_access"`;

let site: McpSite;
before(async () => {
	site = await openMcpSite({ env: { PUBLIC_URL: root } });
});
after(() => site.app.close());

const list = { jsonrpc: "2.0", id: 1, method: "tools/list", params: {} };
const callOf = (name: string, given: unknown = {}) => ({
	jsonrpc: "2.0",
	id: 7,
	method: "tools/call",
	params: { name, arguments: given },
});

interface Sent {
	readonly method?: "GET" | "POST" | "DELETE" | "PUT";
	readonly headers?: Readonly<Record<string, string>>;
	readonly body?: unknown;
	readonly as?: Readonly<Record<string, string>>;
}

async function send({ method = "POST", headers = {}, body = list, as = site.key }: Sent = {}) {
	const response = await site.app.inject({
		method,
		url: "/mcp",
		headers: { "content-type": "application/json", ...as, ...headers },
		...(method === "POST" && { payload: typeof body === "string" ? body : JSON.stringify(body) }),
	});
	const answer = response.body === "" ? undefined : response.json();
	return { status: response.statusCode, answer, headers: response.headers };
}

test("GET, DELETE and PUT are told that there is POST only, with a credential or without", async () => {
	for (const method of ["GET", "DELETE", "PUT"] as const) {
		for (const as of [site.key, {}]) {
			const { status, answer, headers } = await send({ method, as });
			assert.deepEqual([status, answer.error.code, headers.allow], [405, "method_not_allowed", "POST"], method);
		}
	}
});

test("without a credential the answer names where a client learns to get one, and one that is not valid is called so", async () => {
	const tokens = "/api/v1/api-tokens";
	const { id, token } = (
		await site.app.inject({ method: "POST", url: tokens, headers: site.ann.headers, payload: { name: "short" } })
	).json().data;
	const revoked = { "x-api-key": token };
	const client = await connectMcp(site.app, revoked);
	assert.equal((await client.call("list_sites")).isError, false);
	await site.app.inject({ method: "DELETE", url: `${tokens}/${id}`, headers: site.ann.headers });
	await assert.rejects(client.call("list_sites"), /401|Unauthorized|Invalid API key/i);
	await client.close();
	const invalid = `Bearer ${metadata}, error="invalid_token"`;
	for (const [what, as, code, challenge] of [
		["nothing", {}, "unauthorized", `Bearer ${metadata}`],
		["unknown key", { "x-api-key": `svc_${"x".repeat(60)}` }, "unauthorized", invalid],
		["revoked key", revoked, "unauthorized", invalid],
		["key as bearer", { authorization: `Bearer ${site.key["x-api-key"]}` }, "token_invalid", invalid],
		["no scheme", { authorization: "x" }, "token_invalid", invalid],
		["app token of nobody", { authorization: `Bearer oat_${"a".repeat(43)}` }, "token_invalid", invalid],
		["session of a person", site.ann.headers, "token_invalid", invalid],
	] as const) {
		const { status, answer, headers } = await send({ as });
		const told = [status, answer.error.code, headers["www-authenticate"], answer.result];
		assert.deepEqual(told, [401, code, challenge, undefined], what);
	}
	const narrow = await send({ as: await newKey(site.app, site.ann, { scopes: ["sites:read", "accounts:read"] }) });
	assert.deepEqual([narrow.status, narrow.answer.error.message], [403, "Required scope: stats:read"]);
});

test("the cookie of a session opens nothing, with its CSRF token or without", async () => {
	const payload = { email: site.ann.email, password: "correct horse battery staple 7" };
	const signedIn = await site.app.inject({ method: "POST", url: "/api/v1/auth/token", payload });
	const cookie = signedIn.cookies.map(({ name, value }) => `${name}=${value}`).join("; ");
	const csrf = signedIn.cookies.find(({ name }) => name === "svc_csrf_token")?.value ?? "";
	for (const headers of [{ cookie }, { cookie, "x-csrf-token": csrf }]) {
		assert.equal((await send({ as: {}, headers })).status, 401);
	}
});

test("a page of another origin is refused, whatever name it gives the service; its own origin, loopback and programs get in", async () => {
	const foreign = [
		{ origin: "https://evil.example" },
		{ origin: "https://stats.example.evil.example" },
		{ origin: "http://stats.example" },
		{ origin: "https://stats.example:8443" },
		{ origin: "null" },
		{ origin: "stats.example" },
		{ origin: "http://evil.example:3000", host: "evil.example:3000" },
		{ origin: "http://localhost:1", host: "localhost:3000" },
	];
	for (const headers of foreign) assert.equal((await send({ headers })).status, 403, JSON.stringify(headers));
	const own = [{}, { origin: root }, { origin: "http://localhost:3000", host: "localhost:3000" }];
	for (const headers of own) assert.equal((await send({ headers })).status, 200, JSON.stringify(headers));
});

/** A message of the revision without sessions. */
const current = (method: string, params: object = {}, told = method) => ({
	headers: { "mcp-protocol-version": "2026-07-28", "mcp-method": told },
	body: {
		jsonrpc: "2.0",
		id: 3,
		method,
		params: {
			...params,
			_meta: {
				"io.modelcontextprotocol/protocolVersion": "2026-07-28",
				"io.modelcontextprotocol/clientInfo": { name: "x", version: "1" },
				"io.modelcontextprotocol/clientCapabilities": {},
			},
		},
	},
});

test("what is no message, method, tool or call of the protocol is told so in its form", async () => {
	const methods = ["prompts/list", "prompts/get", "resources/list", "resources/read", "resources/templates/list"];
	const unknown = [...methods, "completion/complete", "logging/setLevel", "tasks/list", "constructor"];
	const tools = ["get_everything", "__proto__", "constructor", "", "get_sources "];
	const cases: readonly (readonly [string, Sent, status: number, code: number])[] = [
		["no JSON", { body: "{" }, 400, -32700],
		["nothing", { body: "" }, 400, -32700],
		["another content type", { headers: { "content-type": "text/plain" } }, 415, -32600],
		["a form", { headers: { "content-type": "application/x-www-form-urlencoded" } }, 415, -32600],
		["a batch", { body: [list, callOf("get_overview")] }, 400, -32600],
		["a batch of one", { body: [list] }, 400, -32600],
		["a number", { body: "1" }, 400, -32600],
		["null", { body: "null" }, 400, -32600],
		["no version of JSON-RPC", { body: { id: 1, method: "tools/list" } }, 400, -32600],
		["an unknown revision", { headers: { "mcp-protocol-version": "1999-01-01" } }, 400, -32000],
		["another method in the headers", current("tools/list", {}, "tools/call"), 400, -32020],
		...unknown.map((method) => [method, { body: { ...list, method } }, 200, -32601] as const),
		...tools.map((name) => [`tool ${name}`, { body: callOf(name) }, 200, -32602] as const),
		...[[], "x", 1].map((given) => [`arguments ${given}`, { body: callOf("query", given) }, 200, -32602] as const),
	];
	for (const [what, sent, status, code] of cases) {
		const { status: given, answer } = await send(sent);
		assert.deepEqual([given, answer.jsonrpc, answer.error.code], [status, "2.0", code], what);
	}
	const huge = await send({ body: callOf("get_sources", { search: "x".repeat(256 * 1024) }) });
	assert.deepEqual([huge.status, huge.answer.error.code], [413, "payload_too_large"]);
});

test("every answer is one JSON document that nobody keeps, and neither a session nor a stream begins", async () => {
	const clientInfo = { name: "x", version: "1" };
	const params = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo };
	const initialize = { jsonrpc: "2.0", id: 0, method: "initialize", params };
	for (const body of [initialize, list, callOf("list_sites"), { ...list, method: "ping" }]) {
		const { status, answer, headers } = await send({ body, headers: { accept: "application/json" } });
		assert.deepEqual([status, answer.jsonrpc, answer.error], [200, "2.0", undefined]);
		assert.equal(headers["content-type"], "application/json; charset=utf-8");
		assert.deepEqual([headers["cache-control"], headers["mcp-session-id"]], ["no-store", undefined]);
	}
	assert.equal((await send({ body: initialize })).answer.result.protocolVersion, "2025-06-18");
	const notified = await send({ body: { jsonrpc: "2.0", method: "notifications/initialized" } });
	assert.deepEqual([notified.status, notified.answer], [202, undefined]);
	assert.equal((await send(current("tools/list"))).answer.result.tools.length, 22);
	assert.deepEqual((await send(current("server/discover"))).answer.result.supportedVersions, ["2026-07-28"]);
	const stream = await send(current("subscriptions/listen", { notifications: { toolsListChanged: true } }));
	assert.deepEqual([stream.answer.error.code, stream.answer.error.message], [-32603, "Subscription limit reached"]);
	assert.equal(stream.headers["content-type"], "application/json; charset=utf-8");
});

const nested = (depth: number) => `${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`;

test("odd messages are all answered, and none breaks anything", async () => {
	const message = (rest: string) => `{"jsonrpc":"2.0",${rest}}`;
	const call = (given: string) =>
		message(`"id":1,"method":"tools/call","params":{"name":"query","arguments":${given}}`);
	const bodies = [
		"{}",
		'{"jsonrpc":"2.0"}',
		message('"id":null,"method":"tools/list"'),
		message('"id":{},"method":"tools/list"'),
		message('"id":1,"method":7'),
		message('"id":1,"method":"tools/list","params":{"cursor":"x"}'),
		message('"id":1,"result":{}'),
		message('"id":1,"error":{"code":1,"message":"x"}'),
		message('"method":"notifications/cancelled","params":{"requestId":1}'),
		message('"method":"tools/call","params":{"name":"query"}'),
		nested(20_000),
		call(nested(70)),
		call(nested(20_000)),
		call(`{"filters":${nested(20_000)}}`),
		call(`{"site_id":${nested(20_000)}}`),
		call(`{"dimensions":[${"[".repeat(20_000)}${"]".repeat(20_000)}]}`),
	];
	for (const body of bodies) {
		const { status, answer } = await send({ body });
		assert.ok([200, 202, 400].includes(status), `${status} ${body.slice(0, 80)}`);
		const text = JSON.stringify(answer ?? {});
		assert.doesNotMatch(text, /internal_error|-32603|node_modules|at .*\.m?[jt]s/, body.slice(0, 80));
	}
	assert.deepEqual(
		site.app.logLines.filter((line) => /svc_[A-Za-z0-9]|"level":(40|50|60)/.test(line)),
		[],
		"no log line has a key, and nothing failed",
	);
});
