import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { signIn } from "../../../../test/support/accounts.ts";
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
	readonly body?: string | object;
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

test("without a credential the answer names where a client learns to get one", async () => {
	const { status, answer, headers } = await send({ as: {} });
	assert.deepEqual(
		[status, answer.error.code, headers["www-authenticate"]],
		[401, "unauthorized", `Bearer ${metadata}`],
	);
});

test("a credential that is not valid is called so", async () => {
	const revoked = await newKey(site.app, site.ann);
	const { tokens } = (await site.app.inject({ url: "/api/v1/api-tokens", headers: site.ann.headers })).json().data;
	const url = `/api/v1/api-tokens/${Math.max(...tokens.map(({ id }: { id: number }) => id))}`;
	await site.app.inject({ method: "DELETE", url, headers: site.ann.headers });
	const credentials = {
		"unknown key": [{ "x-api-key": `svc_${"x".repeat(60)}` }, "unauthorized"],
		"revoked key": [revoked, "unauthorized"],
		"key as bearer": [{ authorization: `Bearer ${site.key["x-api-key"]}` }, "token_invalid"],
		"no scheme": [{ authorization: "x" }, "token_invalid"],
		"app token of nobody": [{ authorization: `Bearer oat_${"a".repeat(43)}` }, "token_invalid"],
		"session of a person": [site.ann.headers, "token_invalid"],
	} as const;
	for (const [what, [as, code]] of Object.entries(credentials)) {
		const { status, answer, headers } = await send({ as });
		assert.deepEqual([status, answer.error.code], [401, code], what);
		assert.equal(headers["www-authenticate"], `Bearer ${metadata}, error="invalid_token"`, what);
		assert.equal(answer.result, undefined, what);
	}
});

test("the cookie of a session opens nothing, with its CSRF token or without", async () => {
	const payload = { email: site.ann.email, password: "correct horse battery staple 7" };
	const signedIn = await site.app.inject({ method: "POST", url: "/api/v1/auth/token", payload });
	const cookies = signedIn.cookies.map(({ name, value }) => `${name}=${value}`).join("; ");
	const csrf = signedIn.cookies.find(({ name }) => name === "svc_csrf_token")?.value ?? "";
	for (const headers of [{ cookie: cookies }, { cookie: cookies, "x-csrf-token": csrf }]) {
		assert.equal((await send({ as: {}, headers })).status, 401);
	}
});

test("a key without stats:read is refused", async () => {
	const as = await newKey(site.app, site.ann, { scopes: ["sites:read", "accounts:read"] });
	const { status, answer } = await send({ as });
	assert.deepEqual([status, answer.error.message], [403, "Required scope: stats:read"]);
});

test("a key that is revoked between two calls fails at the second", async () => {
	const payload = { name: "short" };
	const request = { method: "POST", url: "/api/v1/api-tokens", headers: site.ann.headers, payload } as const;
	const { id, token } = (await site.app.inject(request)).json().data;
	const client = await connectMcp(site.app, { "x-api-key": token });
	assert.equal((await client.call("list_sites")).isError, false);
	const url = `/api/v1/api-tokens/${id}`;
	await site.app.inject({ method: "DELETE", url, headers: site.ann.headers });
	await assert.rejects(client.call("list_sites"), /401|Unauthorized|Invalid API key/i);
	await client.close();
});

test("a page of another origin is refused, whatever name it gives the service", async () => {
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
	for (const headers of foreign) {
		const { status, answer } = await send({ headers });
		assert.deepEqual([status, answer.error.code], [403, "forbidden"], JSON.stringify(headers));
	}
});

test("the service's own origin, pages on loopback, and programs without an origin get in", async () => {
	const own = [{}, { origin: root }, { origin: "http://localhost:3000", host: "localhost:3000" }];
	for (const headers of own) assert.equal((await send({ headers })).status, 200, JSON.stringify(headers));
});

test("what is no message of the protocol is told so in its form", async () => {
	const cases: readonly [string, Sent, number, number][] = [
		["no JSON", { body: "{" }, 400, -32700],
		["nothing", { body: "" }, 400, -32700],
		["another content type", { headers: { "content-type": "text/plain" } }, 415, -32600],
		["a form", { headers: { "content-type": "application/x-www-form-urlencoded" } }, 415, -32600],
		["a batch", { body: [list, callOf("get_overview")] as unknown as object }, 400, -32600],
		["a batch of one", { body: [list] as unknown as object }, 400, -32600],
		["a number", { body: "1" }, 400, -32600],
		["null", { body: "null" }, 400, -32600],
		["no version of JSON-RPC", { body: { id: 1, method: "tools/list" } }, 400, -32600],
		["an unknown revision", { headers: { "mcp-protocol-version": "1999-01-01" } }, 400, -32000],
	];
	for (const [what, sent, status, code] of cases) {
		const { status: given, answer } = await send(sent);
		assert.deepEqual([given, answer.jsonrpc, answer.error.code], [status, "2.0", code], what);
	}
});

test("a body over 256 KB is refused", async () => {
	const { status, answer } = await send({ body: callOf("get_sources", { search: "x".repeat(256 * 1024) }) });
	assert.deepEqual([status, answer.error.code], [413, "payload_too_large"]);
});

test("prompts, resources, completions and log levels are no methods here", async () => {
	const methods = ["prompts/list", "prompts/get", "resources/list", "resources/read", "resources/templates/list"];
	for (const method of [...methods, "completion/complete", "logging/setLevel", "tasks/list", "constructor"]) {
		const { status, answer } = await send({ body: { ...list, method } });
		assert.deepEqual([status, answer.id, answer.error.code], [200, 1, -32601], method);
	}
});

test("a client of the SDK that asks for prompts or resources learns that there are none", async () => {
	const { sdk, close } = await connectMcp(site.app, site.key);
	assert.equal(sdk.getServerCapabilities()?.prompts, undefined);
	assert.equal(sdk.getServerCapabilities()?.resources, undefined);
	await close();
});

test("an unknown tool is an error of the protocol", async () => {
	for (const name of ["get_everything", "__proto__", "constructor", "", "get_sources "]) {
		const { status, answer } = await send({ body: callOf(name) });
		assert.deepEqual([status, answer.id, answer.error.code], [200, 7, -32602], name);
	}
});

test("a call whose arguments are no object is an error of the protocol", async () => {
	for (const given of [[], "x", 1]) {
		const { answer } = await send({ body: callOf("get_sources", given) });
		assert.equal(answer.error.code, -32602, JSON.stringify(given));
	}
});

test("every answer is one JSON document that nobody keeps, and no session begins", async () => {
	const initialize = {
		jsonrpc: "2.0",
		id: 0,
		method: "initialize",
		params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "x", version: "1" } },
	};
	for (const body of [initialize, list, callOf("list_sites"), { ...list, method: "ping" }]) {
		const { status, answer, headers } = await send({ body, headers: { accept: "application/json" } });
		assert.deepEqual([status, answer.jsonrpc, answer.error], [200, "2.0", undefined]);
		assert.equal(headers["content-type"], "application/json; charset=utf-8");
		assert.equal(headers["cache-control"], "no-store");
		assert.equal(headers["mcp-session-id"], undefined);
	}
	const { answer } = await send({ body: initialize });
	assert.equal(answer.result.protocolVersion, "2025-06-18");
	const notified = await send({ body: { jsonrpc: "2.0", method: "notifications/initialized" } });
	assert.deepEqual([notified.status, notified.answer], [202, undefined]);
});

const nested = (depth: number) => `${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`;

test("odd messages are all answered, and none breaks anything", async () => {
	const call = (given: string) =>
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"query","arguments":${given}}}`;
	const bodies = [
		"{}",
		'""',
		"true",
		'{"jsonrpc":"2.0"}',
		'{"jsonrpc":"2.0","id":null,"method":"tools/list"}',
		'{"jsonrpc":"2.0","id":1.5,"method":"tools/list"}',
		'{"jsonrpc":"2.0","id":"\\u0000","method":"tools/list"}',
		'{"jsonrpc":"2.0","id":{},"method":"tools/list"}',
		'{"jsonrpc":"2.0","id":1,"method":7}',
		'{"jsonrpc":"2.0","id":1,"method":"tools/list","params":[]}',
		'{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"cursor":"x"}}',
		'{"jsonrpc":"2.0","id":1,"method":"tools/call"}',
		'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{}}',
		'{"jsonrpc":"2.0","id":1,"method":"notifications/initialized"}',
		'{"jsonrpc":"2.0","id":1,"result":{}}',
		'{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"x"}}',
		'{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}',
		'{"jsonrpc":"2.0","method":"tools/call","params":{"name":"query"}}',
		nested(20_000),
		call(nested(70)),
		call(nested(20_000)),
		call(`{"filters":${nested(20_000)}}`),
		call(`{"site_id":${nested(20_000)}}`),
		call(`{"period":${nested(20_000)}}`),
		call(`{"dimensions":[${"[".repeat(20_000)}${"]".repeat(20_000)}]}`),
	];
	for (const body of bodies) {
		const { status, answer } = await send({ body });
		assert.ok(status === 200 || status === 202 || status === 400, `${status} ${body.slice(0, 80)}`);
		const text = JSON.stringify(answer ?? {});
		assert.doesNotMatch(text, /internal_error|-32603|node_modules|at .*\.m?[jt]s/, body.slice(0, 80));
	}
});

/** A message of the revision without sessions. */
const current = (method: string, params: object = {}) => ({
	headers: { "mcp-protocol-version": "2026-07-28", "mcp-method": method },
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

test("headers of the revision without sessions must say what the message says", async () => {
	const asked = current("tools/list");
	assert.equal((await send(asked)).answer.result.tools.length, 22);
	const other = await send({ ...asked, headers: { ...asked.headers, "mcp-method": "tools/call" } });
	assert.deepEqual([other.status, other.answer.id, other.answer.error.code], [400, 3, -32020]);
	const { answer } = await send(current("server/discover"));
	assert.deepEqual(answer.result.supportedVersions, ["2026-07-28"]);
});

test("a stream of changes is refused, so that no connection stays open", async () => {
	const { answer, headers } = await send(
		current("subscriptions/listen", { notifications: { toolsListChanged: true } }),
	);
	assert.deepEqual([answer.error.code, answer.error.message], [-32603, "Subscription limit reached"]);
	assert.equal(headers["content-type"], "application/json; charset=utf-8");
});

test("no log line has a key, and nothing failed", async () => {
	await signIn(site.app, { email: "zoe@example.com" });
	assert.deepEqual(
		site.app.logLines.filter((line) => /svc_[A-Za-z0-9]|"level":(40|50|60)/.test(line)),
		[],
	);
});
