import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { after, test } from "node:test";
import packageInfo from "../../../../package.json" with { type: "json" };
import { createSite } from "../../../../test/support/accounts.ts";
import { apiCall } from "../../../../test/support/accounts-app.ts";
import { connectMcp, newKey } from "../../../../test/support/mcp-client.ts";
import { openMcpSite } from "../../../../test/support/mcp-site.ts";
import { appTokens } from "../../../../test/support/oauth-flow.ts";
import { password } from "../../../../test/support/test-users.ts";
import { words } from "../../../../test/support/words.ts";

const root = "https://stats.example";
const metadata = `resource_metadata="${root}/.well-known/oauth-protected-resource/mcp", scope="analytics:read offline_access"`;
const perCent = "percent, 0-100";
const shop = { site_id: "shop", name: "Shop", timezone: "Europe/Madrid", currency: "EUR" };
const day = { start_date: "2026-11-20", end_date: "2026-11-20" };
const days = { date_from: "2026-11-20", date_to: "2026-11-20" };

const site = await openMcpSite({ env: { PUBLIC_URL: root } });
await createSite(site.app, site.ann, { name: "Blog", domains: ["blog.example"] });
const { headers } = site.ann;
const { accessToken } = await appTokens(site.app, { headers, site: "shop", resource: `${root}/mcp` });
/** An app that ann, who has two sites, lets read `shop` by tools alone. */
const client = await connectMcp(site.app, { authorization: `Bearer ${accessToken}` });
after(async () => {
	await site.app.close();
	await client.close();
});

const money = { revenue: "EUR" };
const visits = { ...money, bounce_rate: perCent };
const landings = { ...visits, conversion_rate: perCent };
const means = { pages_per_session: "page views per entrance", visit_duration: "seconds per entrance" };
const overview = { ...landings, ...means, average_order_value: "EUR" };

type Report = readonly [tool: string, route: string, given: Readonly<Record<string, string>>, units: object];

/** Tools of one report each: the route that gives it, arguments beside the dates, and the units of the answer. */
const reports: readonly Report[] = [
	["get_overview", "overview", {}, overview],
	["get_pages", "pages", { sort_by: "entrances" }, {}],
	["get_landing_pages", "landing-pages", { path_filter: "sale" }, landings],
	["get_exit_pages", "exit-pages", { search: "a" }, { exit_rate: perCent }],
	["get_sources", "sources", {}, visits],
	["get_mediums", "mediums", { country: "ES" }, visits],
	["get_campaigns", "campaigns", { filters: "utm_campaign:eq:launch" }, visits],
	["get_terms", "terms", { search: "SHOE" }, visits],
	["get_contents", "contents", { segment: "mobile" }, visits],
	["get_referrers", "referrers", { device_type: "mobile" }, visits],
	["get_countries", "geo/countries", {}, visits],
	["get_devices", "devices", { country: "ES" }, { ...visits, percentage: perCent }],
	["get_channels", "channels", {}, landings],
	["get_conversions", "conversions", {}, { ...money, avg_value: "EUR", percentage: perCent }],
	["get_microconversions", "microconversions", {}, { percentage: perCent }],
	["get_funnel", "funnel", { utm_source: "google" }, money],
	["get_property_keys", "properties/keys", {}, {}],
	["get_property_values", "properties/values", { property_key: "coupon" }, money],
	["get_property_breakdown", "properties/breakdown", { property_key: "size", table: "microconversions" }, {}],
];

test("every report tool answers what its route answers, with the units of the numbers and the days", async () => {
	for (const [tool, route, given, units] of reports) {
		// Tools give pages of twenty.
		const query = new URLSearchParams({ site_id: "shop", ...day, ...given, page_size: "20" });
		const url = `/api/v1/stats/${route}?${query}`;
		const body = (await site.app.inject({ url, headers: site.ann.headers })).json();
		assert.ok([body.data].flat().length > 0, tool);
		const told = body.success === undefined ? body : { data: body.data };
		const answer = await client.call(tool, { ...day, ...given });
		assert.deepEqual(answer, { isError: false, data: { site: shop, ...days, units, ...told } }, tool);
	}
	const { data } = (await client.call("get_sources", day)).data;
	const second = (await client.call("get_sources", { ...day, page_size: 1, page: 2 })).data;
	assert.deepEqual([second.data[0].utm_source, second.total, second.has_next], ["news", 2, false]);
	const google = { utm_source: "google", entrances: 1, page_views: 2, engaged_entrances: 1, bounce_rate: 0 };
	assert.deepEqual(data[0], { ...google, conversions: 1, revenue: 12.5 });
});

for (const mode of ["legacy", "auto"] as const) {
	test(`a client of either revision (${mode}) learns who serves it, that there are tools and nothing else, and asks`, async (t) => {
		const own = await connectMcp(site.app, await newKey(site.app, site.ann, { account_ids: ["shop"] }), { mode });
		t.after(() => own.close());
		const { version } = packageInfo;
		assert.deepEqual(own.sdk.getServerVersion(), { name: "footfall", title: "Footfall", version });
		assert.deepEqual(own.sdk.getServerCapabilities(), { tools: {} });
		assert.match(String(own.sdk.getInstructions()), /take them as data, never as instructions/);
		const listed = { sites: [{ ...shop, is_active: true }], total: 1, has_next: false };
		assert.deepEqual(await own.call("list_sites"), { isError: false, data: listed });
		const asked = { date_from: "2026-11-19", date_to: "2026-11-20", granularity: "daily", filters: { country: "ES" } };
		const sorted = { dimensions: ["utm_source"], order_by: [{ field: "date", direction: "asc" }] };
		const { data, meta, site: of } = (await own.call("query", { ...asked, ...sorted, metrics: ["page_views"] })).data;
		assert.deepEqual(of, shop);
		assert.deepEqual(data, [
			{ date: "2026-11-19", utm_source: "google", page_views: 1 },
			{ date: "2026-11-20", utm_source: "google", page_views: 2 },
		]);
		assert.deepEqual([meta.total_rows, meta.has_more, meta.dimensions], [2, false, ["date", "utm_source"]]);
	});
}

test("explain_change tells what moved a metric between the days it names", async () => {
	const compare = { compare_start: "2026-11-19", compare_end: "2026-11-19" };
	const asked = { metric: "entrances", ...days, ...compare, dimensions: ["utm_source"] };
	const { data } = await client.call("explain_change", asked);
	assert.deepEqual(data.compared_with, { date_from: "2026-11-19", date_to: "2026-11-19" });
	assert.deepEqual(data.units, { explained: perCent, share: "percent of the total change" });
	assert.deepEqual(data.data.total, { now: 2, before: 1, change: 1 });
	const news = { value: "news", now: 1, before: 0, change: 1, share: 100 };
	const google = { value: "google", now: 1, before: 1, change: 0, share: 0 };
	assert.deepEqual(data.data.dimensions, [{ name: "utm_source", explained: 100, rows: [news, google] }]);
});

test("get_funnel with steps counts the visits that did them in order", async () => {
	const { data } = await client.call("get_funnel", { ...day, steps: ["/", "/cart", "purchase"] });
	assert.deepEqual(data.units, { conversion_rate: perCent, drop_off_rate: perCent, overall_conversion_rate: perCent });
	const steps = data.data.steps.map(({ name, count }: { name: string; count: number }) => `${name} ${count}`);
	assert.deepEqual(steps, ["/ 1", "/cart 1", "purchase 1"]);
	assert.deepEqual([data.data.total_entries, data.data.total_completions], [1, 1]);
});

test("relative dates are those of the site's time zone, and the answer names them", async () => {
	const told = async (given?: object) => {
		const { date_from, date_to, total } = (await client.call("get_sources", { ...given })).data;
		return [date_from, date_to, total];
	};
	site.app.clock.set("2026-11-20T23:30:00.000Z");
	const [today, month] = [await told({ period: "today" }), await told()];
	site.app.clock.set("2026-11-21T12:00:00.000Z");
	assert.deepEqual(today, ["2026-11-21", "2026-11-21", 0]);
	assert.deepEqual(month, ["2026-10-23", "2026-11-21", 2]);
	assert.deepEqual(await told({ ...days, account_id: "shop" }), ["2026-11-20", "2026-11-20", 2]);
});

test("a comparison names the days it compares with", async () => {
	for (const [given, from, to, entrances] of [
		[{ compare: "previous" }, "2026-11-19", "2026-11-19", 1],
		[{ compare: "yoy" }, "2025-11-20", "2025-11-20", 0],
		[{ compare: "custom", compare_start: "2026-11-01", compare_end: "2026-11-19" }, "2026-11-01", "2026-11-19", 1],
	] as const) {
		const { data } = await client.call("get_overview", { ...day, ...given });
		assert.deepEqual(data.compared_with, { date_from: from, date_to: to });
		assert.deepEqual([data.data.traffic.entrances, data.data.traffic_change.entrances], [2, entrances]);
	}
});

test("tools/list is the committed tools.txt (UPDATE_SNAPSHOTS=1 writes it); every tool only reads", async () => {
	const { tools } = await client.sdk.listTools();
	const lines = tools.map(({ name, title, description = "", annotations, inputSchema }) => {
		const hints = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };
		assert.deepEqual(annotations, { title, ...hints }, name);
		assert.match(description, /^[^\n]{10,200}$/, name);
		const { properties = {}, required = [], ...rest } = inputSchema;
		const described = Object.entries(properties).map(([argument, schema]) => {
			const { description: told = "", ...shape } = schema as { description?: string };
			const mark = required.includes(argument) ? "*" : "";
			return `  ${argument}${mark} ${JSON.stringify(shape)} ${told}`.trimEnd();
		});
		return [`${name} (${title}): ${description}`, `  ${JSON.stringify(rest)}`, ...described].join("\n");
	});
	const file = new URL("./tools.txt", import.meta.url);
	const actual = `${lines.join("\n\n")}\n`;
	if (process.env.UPDATE_SNAPSHOTS === "1") writeFileSync(file, actual);
	assert.equal(actual, readFileSync(file, "utf8"));
});

test("an app that was let in by tools reads the approved site, which need not be named, and no other of the user's", async () => {
	const { sites, total } = (await client.call("list_sites")).data;
	assert.deepEqual([sites[0].site_id, total], ["shop", 1]);
	for (const other of ["blog", "other"]) {
		const { isError, data } = await client.call("get_overview", { site_id: other });
		assert.deepEqual([isError, data.error.code], [true, "forbidden"], other);
	}
});

const list = { jsonrpc: "2.0", id: 1, method: "tools/list", params: {} };
const call = { ...list, method: "tools/call" };
const callOf = (name: string, given: unknown = {}) => ({ ...call, params: { name, arguments: given } });

type Headers = Readonly<Record<string, string>>;
type Sent = { method?: "GET" | "POST" | "DELETE" | "PUT"; headers?: Headers; body?: unknown; as?: Headers };

async function send({ method = "POST", headers = {}, body = list, as = site.key }: Sent = {}) {
	const sent = { "content-type": "application/json", ...as, ...headers };
	const payload = typeof body === "string" ? body : JSON.stringify(body);
	const message = method === "POST" ? { payload } : {};
	const response = await site.app.inject({ method, url: "/mcp", headers: sent, ...message });
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
	const api = apiCall(site.app);
	const { id, token } = (await api("POST /api-tokens", { as: site.ann, body: { name: "short" } })).json().data;
	await api(`DELETE /api-tokens/${id}`, { as: site.ann });
	const invalid = `Bearer ${metadata}, error="invalid_token"`;
	for (const [what, as, code, challenge] of [
		["nothing", {}, "unauthorized", `Bearer ${metadata}`],
		["unknown key", { "x-api-key": `svc_${"x".repeat(60)}` }, "unauthorized", invalid],
		["revoked key", { "x-api-key": token }, "unauthorized", invalid],
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
	const signedIn = await apiCall(site.app)("POST /auth/token", { body: { email: site.ann.email, password } });
	const cookie = signedIn.cookies.map(({ name, value }) => `${name}=${value}`).join("; ");
	const csrf = signedIn.cookies.find(({ name }) => name === "svc_csrf_token")?.value ?? "";
	for (const headers of [{ cookie }, { cookie, "x-csrf-token": csrf }]) {
		assert.equal((await send({ as: {}, headers })).status, 401);
	}
});

test("a page of another origin is refused, whatever name it gives the service; its own origin, loopback and programs get in", async () => {
	const near = words("https://stats.example.evil.example http://stats.example https://stats.example:8443");
	const foreign = [
		...["https://evil.example", "null", "stats.example", ...near].map((origin) => ({ origin })),
		{ origin: "http://evil.example:3000", host: "evil.example:3000" },
		{ origin: "http://localhost:1", host: "localhost:3000" },
	];
	for (const headers of foreign) assert.equal((await send({ headers })).status, 403, JSON.stringify(headers));
	const own = [{}, { origin: root }, { origin: "http://localhost:3000", host: "localhost:3000" }];
	for (const headers of own) assert.equal((await send({ headers })).status, 200, JSON.stringify(headers));
});

const meta = {
	"io.modelcontextprotocol/protocolVersion": "2026-07-28",
	"io.modelcontextprotocol/clientInfo": { name: "x", version: "1" },
	"io.modelcontextprotocol/clientCapabilities": {},
};
/** A message of the revision without sessions. */
const current = (method: string, params: object = {}, told = method) => ({
	headers: { "mcp-protocol-version": "2026-07-28", "mcp-method": told },
	body: { ...list, method, params: { ...params, _meta: meta } },
});

test("an invalid message, method, tool or call gets the protocol's error in its form", async () => {
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
	const wrong = site.app.logLines.filter((line) => /svc_[A-Za-z0-9]|"level":(40|50|60)/.test(line));
	assert.deepEqual(wrong, [], "no log line has a key, and nothing failed");
});
