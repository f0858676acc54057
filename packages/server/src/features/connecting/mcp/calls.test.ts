import assert from "node:assert/strict";
import { after, test } from "node:test";
import { createSite, signIn } from "../../../../test/support/accounts.ts";
import { allowlistClient, OFFICE, OUTSIDE } from "../../../../test/support/allowlist-client.ts";
import { pageviewRow } from "../../../../test/support/event-rows.ts";
import { connectMcp, newKey } from "../../../../test/support/mcp-client.ts";
import { openMcpSite } from "../../../../test/support/mcp-site.ts";
import { insertRows } from "../../../../test/support/oracle-app.ts";

/** Every question to the event store fails while this is true. */
let isStoreBroken = false;
const site = await openMcpSite({
	wrapEventStore: (store) => ({
		...store,
		query: async (query) => {
			if (isStoreBroken) throw new Error("the password of the store is x");
			return store.query(query);
		},
	}),
});
const client = await connectMcp(site.app, site.key);
after(async () => {
	await site.app.close();
	await client.close();
});

/** A further user with a site, and clients with a key of theirs. */
async function newcomer(name: string) {
	const user = await signIn(site.app, { email: `${name}@example.com`, name });
	const id = await createSite(site.app, user, { name });
	const key = await newKey(site.app, user);
	return { user, id, connect: (headers = {}) => connectMcp(site.app, key, { headers }) };
}

type Given = Readonly<Record<string, unknown>>;

const days = { date_from: "2026-11-20", date_to: "2026-11-20" };

/** Calls with a fault: the field that the answer names, or its code and reason. */
const faulty: readonly (readonly [tool: string, given: Given, field: string, reason?: RegExp])[] = [
	["get_sources", { perod: "7d" }, "perod"],
	["get_sources", { "site_id[]": "shop" }, "site_id[]"],
	["get_sources", { period: "constructor" }, "period"],
	["get_sources", { period: {} }, "period"],
	["get_sources", { period: "7d", start_date: "x" }, "start_date"],
	["get_sources", { country: ["Spain"] }, "country"],
	["get_landing_pages", { page_size: 1001 }, "page_size"],
	["get_sources", { filters: { utm_source: "google" } }, "filters"],
	["get_pages", { include: ["country"] }, "include.0"],
	["get_property_values", {}, "property_key"],
	["get_property_values", { property_key: "coupon", compare: "previous" }, "compare"],
	["get_funnel", { steps: ["/"] }, "steps"],
	["get_funnel", { name: "Checkout" }, "name"],
	["get_funnel", { compare_start: "2026-11-01" }, "compare_start"],
	["get_sources", { compare: "custom" }, "compare_start"],
	["query", {}, "date_from"],
	["query", { ...days, period: "7d" }, "period"],
	["query", { ...days, dimensions: ["Source"] }, "dimensions.0"],
	["query", { ...days, order_by: [{ field: "country" }] }, "order_by.0.field"],
	["query", { ...days, filters: { city: "Madrid" } }, "filters.city"],
	["list_sites", { site_id: "shop" }, "site_id"],
	["get_sources", { start_date: "2026-11-20", end_date: "2026-11-19" }, "bad_request", /after the end/],
	["get_sources", { start_date: "2020-01-01" }, "bad_request", /longer than 730 days/],
	["get_sources", { segment: "nobody" }, "not_found", /Segment not found/],
	["get_sources", { site_id: "shop", account_id: "other" }, "bad_request", /different sites/],
	["query", { ...days, dimensions: ["city"] }, "bad_request", /Unknown dimension city; there are date, hour/],
	["query", { ...days, metrics: ["sessions"] }, "bad_request", /Unknown metric sessions; there are entrances/],
];

test("an argument that a tool does not take is rejected by its name, what the route refuses as a whole by its reason", async () => {
	for (const [tool, given, named, reason] of faulty) {
		const title = `${tool} ${JSON.stringify(given)}`;
		const { isError, data } = await client.call(tool, given);
		assert.deepEqual([isError, data.error?.code], [true, reason ? named : "validation_error"], title);
		const fields = data.error.detail?.map(({ field }: { field: string }) => field);
		if (reason) assert.match(data.error.message, reason);
		else assert.ok(fields.includes(named), `${title}: ${fields}`);
	}
});

test("null counts as left out, and a lone text as a list of one", async () => {
	const given = { period: null, country: "ES", segment: null, start_date: " 2026-11-20 " };
	const { date_from, date_to, total, data } = (await client.call("get_sources", given)).data;
	assert.deepEqual([date_from, date_to, total, data[0].utm_source], ["2026-11-20", "2026-11-21", 1, "google"]);
});

test("another tenant's site is refused by every tool, and an unknown one is not found", async () => {
	const { tools } = await client.sdk.listTools();
	for (const { name } of tools.filter(({ name }) => name !== "list_sites")) {
		const given = {
			...(name === "query" && days),
			...(name.startsWith("get_property") && name !== "get_property_keys" && { property_key: "x" }),
		};
		const error = { code: "forbidden", message: "Access denied to account: other" };
		for (const parameter of ["site_id", "account_id"]) {
			const foreign = await client.call(name, { ...given, [parameter]: "other" });
			assert.deepEqual(foreign, { isError: true, data: { error } }, name);
		}
		const unknown = await client.call(name, { ...given, site_id: "nowhere" });
		assert.deepEqual([unknown.isError, unknown.data.error.code], [true, "account_not_found"], name);
	}
	const funnel = await client.call("get_funnel", { site_id: "other", steps: ["/", "/cart"] });
	assert.deepEqual([funnel.isError, funnel.data.error.code], [true, "forbidden"]);
});

test("a text that would say more in an address is the name of no site, and finds nothing in an answer", async () => {
	const texts = ["../../other", "shop&site_id=other", "shop%00", "\u0000", "shop\r\nx-api-key: svc_", "\ud800"];
	for (const text of texts) {
		for (const [tool, given] of [
			["get_sources", { site_id: text }],
			["get_sources", { utm_source: text }],
			["query", { ...days, site_id: text }],
			["query", { ...days, dimensions: ["utm_source"], filters: { utm_source: text } }],
			["get_property_breakdown", { property_key: text }],
		] as const) {
			const { isError, data } = await client.call(tool, given);
			const told = isError ? data.error.code : JSON.stringify(data.data.data ?? data.data);
			assert.doesNotMatch(told, /internal|database|google|secret/, `${tool} ${JSON.stringify(given)}`);
		}
	}
});

test("names of arguments that objects have by themselves are arguments like others: unknown", async () => {
	const unknown = ["constructor", "toString", "hasOwnProperty"];
	for (const name of ["__proto__", ...unknown]) {
		const body = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_sources","arguments":{"${name}":{"site_id":"other"}}}}`;
		const headers = { ...site.key, "content-type": "application/json" };
		const { result } = (await site.app.inject({ method: "POST", url: "/mcp", headers, payload: body })).json();
		const { error, site: answered } = result.structuredContent;
		// The first of them is passed over: the only site answers.
		assert.equal(error?.detail[0].field ?? answered.site_id, unknown.includes(name) ? name : "shop");
	}
});

/** The range of one day. */
const on = (date: string) => ({ start_date: date, end_date: date });

test("many calls at once of two tenants answer each its own", async () => {
	const other = await connectMcp(site.app, await newKey(site.app, site.bob), { mode: "auto" });
	const given = on("2026-11-20");
	const answers = await Promise.all(
		Array.from({ length: 40 }, (_, at) => (at % 2 === 0 ? client : other).call("get_sources", given)),
	);
	const sources = answers.map(({ data }) => data.data.map((row: { utm_source: string }) => row.utm_source).join());
	assert.deepEqual(sources, Array.from({ length: 20 }, () => ["google,news", "secret"]).flat());
	await other.close();
});

test("an address that shuts a site shuts it here too, and lists leave it out", async (t) => {
	const { user, id, connect } = await newcomer("Guarded");
	const rules = allowlistClient(site.app, user, id);
	await rules.allow(OFFICE);
	const inside = await connect({ "x-forwarded-for": OFFICE });
	const outside = await connect({ "x-forwarded-for": OUTSIDE });
	t.after(() => Promise.all([inside.close(), outside.close()]));
	assert.equal((await inside.call("get_overview", { site_id: id })).isError, false);
	const detail = [{ field: "ip_address", message: OUTSIDE, type: "ip_not_allowed" }];
	const error = { code: "forbidden", message: "Access from this IP address is not allowed", detail };
	assert.deepEqual((await outside.call("get_overview", { site_id: id })).data, { error });
	assert.equal((await inside.call("list_sites")).data.total, 1);
	assert.deepEqual((await outside.call("list_sites")).data, { sites: [], total: 0, has_next: false });
	assert.equal((await outside.call("get_overview")).data.error.message, "You have access to no site");
	const { attempts } = (await rules.call("GET /audit?denied_only=true")).data;
	const denied = attempts.map((one: Record<string, string>) => `${one.ip_address} ${one.auth_type}`);
	assert.deepEqual(denied, [`${OUTSIDE} api_key`]);
});

test("a call counts as one request of its key, and reports that it reads by tools or by REST count together", async (t) => {
	const { app, ann, key } = await openMcpSite({ env: { RATE_LIMIT_ENABLED: "true", DEFAULT_PLAN: "free" } });
	t.after(() => app.close());
	const call = (name: string, headers = key) => {
		const payload = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: {} } };
		return app.inject({ method: "POST", url: "/mcp", headers, payload });
	};
	const rest = async (headers: Readonly<Record<string, string>>) =>
		(await app.inject({ url: "/api/v1/stats/overview?site_id=shop", headers })).statusCode;
	for (let calls = 0; calls < 60; calls++) {
		const answer = await call("get_overview");
		const { headers } = answer;
		assert.equal(answer.json().result.isError ?? false, false);
		assert.deepEqual([headers["x-ratelimit-limit"], headers["x-ratelimit-remaining"]], ["240", String(239 - calls)]);
		assert.equal(await rest(key), 200);
	}
	assert.equal(await rest(key), 429);
	const over = await call("get_overview");
	assert.deepEqual([over.statusCode, over.json().result.isError], [200, true]);
	assert.match(over.json().result.content[0].text, /rate_limit_exceeded/);
	assert.equal(await rest(ann.headers), 200);
	const more = await Promise.all(Array.from({ length: 179 }, () => call("list_sites")));
	assert.ok(more.every(({ statusCode }) => statusCode === 200));
	const refused = await call("list_sites");
	assert.deepEqual([refused.statusCode, refused.headers["retry-after"]], [429, "60"]);
	assert.equal((await call("get_overview", await newKey(app, ann))).statusCode, 200);
});

test("inactive sites are told apart, and are not what a call without a site means", async (t) => {
	const { user, id, connect } = await newcomer("Paused");
	await site.app.inject({ method: "DELETE", url: `/api/v1/sites/${id}`, headers: user.headers });
	const own = await connect();
	t.after(() => own.close());
	assert.deepEqual((await own.call("list_sites")).data.sites, []);
	const [all] = (await own.call("list_sites", { include_inactive: true })).data.sites;
	assert.deepEqual([all.site_id, all.is_active], [id, false]);
	assert.equal((await own.call("get_overview")).data.error.code, "account_not_found");
	assert.equal((await own.call("get_overview", { site_id: id })).isError, false);
});

test("long lists are cut, and the answer says so", async () => {
	const at = { site: "shop", ts: Date.parse("2026-11-17T10:00:00Z") };
	const bought = { kind: "conversion", event_type: "purchase", page_view: 0, conversion: 1 } as const;
	const sources = Array.from({ length: 60 }, (_, n) => `s${String(n).padStart(2, "0")}`);
	const rows = sources.flatMap((utm_source) => [
		pageviewRow({ ...at, utm_source, entrance: 1 }),
		pageviewRow({ ...at, utm_source, ...bought }),
	]);
	await insertRows(site.app.eventStore, rows);
	const read = async (tool: string, more = {}) => (await client.call(tool, { ...on("2026-11-17"), ...more })).data;
	const funnel = await read("get_funnel");
	assert.deepEqual([funnel.data.rows.length, funnel.data.totals.entrances], [50, 60]);
	assert.deepEqual(funnel.cut_lists, [{ list: "data.rows", shown: 50, of: 60 }]);
	const conversions = await read("get_conversions");
	assert.equal(conversions.data[0].by_source.length, 10);
	assert.deepEqual(conversions.cut_lists, [{ list: "data.by_source", shown: 10, of: 60 }]);
	const all = await read("get_sources", { page_size: 100 });
	const some = await read("get_sources");
	assert.deepEqual([all.data.length, all.cut_lists, some.data.length, some.has_next], [60, undefined, 20, true]);
});

test("a model may ask for as many rows as the route gives, and is told when not all of them fit into an answer", async () => {
	const ts = Date.parse("2026-11-16T10:00:00Z");
	const path = (at: number) => `/${"long-name/".repeat(12)}${String(at).padStart(4, "0")}`;
	const rows = Array.from({ length: 900 }, (_, at) => pageviewRow({ site: "shop", ts, path: path(at), entrance: 1 }));
	await insertRows(site.app.eventStore, rows);
	const some = (await client.call("get_pages", { ...on("2026-11-16"), page_size: 400 })).data;
	assert.deepEqual([some.data.length, some.total, some.cut_lists, some.note], [400, 900, undefined, undefined]);
	const all = (await client.call("get_pages", { ...on("2026-11-16"), page_size: 1000 })).data;
	const shown = all.data.length;
	assert.ok(shown > 400 && shown < 900, String(shown));
	assert.deepEqual(all.cut_lists, [{ list: "data", shown, of: 900 }]);
	assert.match(all.note, /Only the first rows fit into an answer/);
	assert.ok(JSON.stringify(all).length <= 100_000);
	const body = { date_from: "2026-11-16", date_to: "2026-11-16", limit: 10_000 };
	const query = (await client.call("query", { ...body, dimensions: ["country"] })).data;
	assert.deepEqual([query.meta.total_rows, query.note], [1, undefined]);
});

test("an answer too large for a model is refused with what to change", async () => {
	const given = { start_date: "2026-08-21", end_date: "2026-11-20", granularity: "hourly" };
	const { isError, data } = await client.call("get_overview", given);
	assert.deepEqual([isError, data.error.code], [true, "payload_too_large"]);
	assert.match(data.error.message, /Use a shorter period, fewer rows or points/);
	const { data: daily } = await client.call("get_overview", { ...given, granularity: "daily" });
	assert.equal(daily.data.entrances_series.points.length, 92);
});

test("of several sites one must be named, and the error names them", async (t) => {
	await createSite(site.app, site.bob, { name: "Blog", domains: ["blog.example"] });
	const several = await connectMcp(site.app, await newKey(site.app, site.bob));
	const narrow = await connectMcp(site.app, await newKey(site.app, site.bob, { account_ids: ["other"] }));
	t.after(() => Promise.all([several.close(), narrow.close()]));
	const { isError, data } = await several.call("get_overview", { period: "7d" });
	assert.deepEqual([isError, data.error.code], [true, "validation_error"]);
	const message = "Must be one of your sites: blog, other";
	assert.deepEqual(data.error.detail, [{ field: "site_id", message, type: "missing" }]);
	assert.equal((await several.call("get_overview", { site_id: "other" })).data.site.name, "Other");
	assert.equal((await narrow.call("get_overview")).data.site.site_id, "other");
	const { sites, total } = (await narrow.call("list_sites")).data;
	assert.deepEqual([sites[0].site_id, total], ["other", 1]);
	assert.equal((await narrow.call("get_overview", { site_id: "blog" })).data.error.code, "forbidden");
	for (let more = 0; more < 19; more++) await createSite(site.app, site.bob, { name: `Site ${more}` });
	assert.equal((await several.call("list_sites")).data.sites.length, 21);
	assert.match((await several.call("get_overview")).data.error.detail[0].message, / and 1 more \(list_sites\)$/);
	assert.ok(!site.app.logLines.some((line) => /"level":(40|50|60)/.test(line)), "nothing failed within the service");
});

test("a fault within the service is told without its reason", async () => {
	isStoreBroken = true;
	const { isError, data } = await client.call("get_overview", on("2026-11-14"));
	assert.deepEqual([isError, data], [true, { error: { code: "internal_error", message: "Internal error" } }]);
});
