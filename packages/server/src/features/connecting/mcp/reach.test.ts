import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { allowlistClient, OFFICE, OUTSIDE } from "../../../../test/support/allowlist-client.ts";
import { pageviewRow } from "../../../../test/support/event-rows.ts";
import { connectMcp, newKey } from "../../../../test/support/mcp-client.ts";
import { type McpSite, openMcpSite } from "../../../../test/support/mcp-site.ts";
import { insertRows } from "../../../../test/support/oracle-app.ts";

let site: McpSite;
before(async () => {
	site = await openMcpSite();
});
after(() => site.app.close());

/** The range of one day. */
const on = (date: string) => ({ start_date: date, end_date: date });

/** Runs a test on a service of its own. */
async function onSite(options: Parameters<typeof openMcpSite>[0], run: (own: McpSite) => Promise<void>) {
	const own = await openMcpSite(options);
	try {
		await run(own);
	} finally {
		await own.app.close();
	}
}

test("an address that shuts a site shuts it here too, and lists leave it out", () =>
	onSite({}, async ({ app, ann, key }) => {
		const rules = allowlistClient({ ...app, inject: app.app.inject.bind(app.app) as never }, ann, "shop");
		await rules.plan("enterprise");
		await rules.allow(OFFICE);
		const inside = await connectMcp(app, key, { headers: { "x-forwarded-for": OFFICE } });
		const outside = await connectMcp(app, key, { headers: { "x-forwarded-for": OUTSIDE } });
		assert.equal((await inside.call("get_overview", { site_id: "shop" })).isError, false);
		const refused = await outside.call("get_overview", { site_id: "shop" });
		const detail = [{ field: "ip_address", message: OUTSIDE, type: "ip_not_allowed" }];
		assert.deepEqual(refused.data, {
			error: { code: "forbidden", message: "Access from this IP address is not allowed", detail },
		});
		assert.equal((await inside.call("list_sites")).data.total, 1);
		assert.deepEqual((await outside.call("list_sites")).data, { sites: [], total: 0, has_next: false });
		assert.equal((await outside.call("get_overview")).data.error.message, "No site is in reach");
		const { data } = await rules.call("GET /audit?denied_only=true");
		assert.deepEqual(
			data.attempts.map((attempt: { ip_address: string; auth_type: string }) => [
				attempt.ip_address,
				attempt.auth_type,
			]),
			[[OUTSIDE, "api_key"]],
		);
		await inside.close();
		await outside.close();
	}));

test("a call counts as one request of its key, and over the limit none is answered", () =>
	onSite({ env: { RATE_LIMIT_ENABLED: "true", DEFAULT_PLAN: "free" } }, async ({ app, ann, key }) => {
		const payload = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "get_overview", arguments: {} } };
		const call = (headers = key) => app.inject({ method: "POST", url: "/mcp", headers, payload });
		const first = await call();
		const second = await call();
		const left = ({ headers }: typeof first) => Number(headers["x-ratelimit-remaining"]);
		assert.deepEqual([first.headers["x-ratelimit-limit"], left(first), left(second)], ["240", 239, 238]);
		const more = await Promise.all(Array.from({ length: 238 }, () => call()));
		assert.ok(more.every(({ statusCode }) => statusCode === 200));
		const over = await call();
		assert.deepEqual(
			[over.statusCode, over.json().error.code, over.headers["retry-after"]],
			[429, "rate_limit_exceeded", "60"],
		);
		assert.equal((await call(await newKey(app, ann))).statusCode, 200);
	}));

test("reports that a key reads by tools count among its reports, whichever way they are asked", () =>
	onSite({ env: { RATE_LIMIT_ENABLED: "true", DEFAULT_PLAN: "free" } }, async ({ app, ann, key }) => {
		const tool = async (name: string, given: object = {}) => {
			const payload = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: given } };
			const answer = await app.inject({ method: "POST", url: "/mcp", headers: key, payload });
			return { status: answer.statusCode, result: answer.json().result };
		};
		const rest = () => app.inject({ url: "/api/v1/stats/overview?site_id=shop", headers: key });
		for (let calls = 0; calls < 60; calls++) {
			assert.equal((await tool("get_overview")).result.isError ?? false, false);
			assert.equal((await rest()).statusCode, 200);
		}
		assert.equal((await rest()).statusCode, 429);
		const over = await tool("get_overview");
		assert.deepEqual([over.status, over.result.isError], [200, true]);
		assert.match(over.result.content[0].text, /rate_limit_exceeded/);
		assert.equal((await tool("list_sites")).result.isError ?? false, false);
		const session = await app.inject({ url: "/api/v1/stats/overview?site_id=shop", headers: ann.headers });
		assert.equal(session.statusCode, 200);
	}));

test("inactive sites are told apart, and are not what a call without a site means", () =>
	onSite({}, async ({ app, ann, key }) => {
		await app.inject({ method: "DELETE", url: "/api/v1/sites/shop", headers: ann.headers });
		const client = await connectMcp(app, key);
		assert.deepEqual((await client.call("list_sites")).data.sites, []);
		const [all] = (await client.call("list_sites", { include_inactive: true })).data.sites;
		assert.deepEqual([all.site_id, all.is_active], ["shop", false]);
		assert.equal((await client.call("get_overview")).data.error.code, "account_not_found");
		assert.equal((await client.call("get_overview", { site_id: "shop" })).isError, false);
		await client.close();
	}));

test("a fault within the service is told without its reason", async () => {
	const fault = () => Promise.reject(new Error("the password of the store is x"));
	await onSite({ wrapEventStore: (store) => ({ ...store, query: fault }) }, async ({ app, key }) => {
		const client = await connectMcp(app, key);
		const { isError, data } = await client.call("get_overview");
		assert.deepEqual([isError, data], [true, { error: { code: "internal_error", message: "Internal error" } }]);
		await client.close();
	});
});

test("many calls at once of two tenants answer each its own", async () => {
	const { app, bob, key } = site;
	const ann = await connectMcp(app, key);
	const other = await connectMcp(app, await newKey(app, bob), { mode: "auto" });
	const given = on("2026-11-20");
	const answers = await Promise.all(
		Array.from({ length: 40 }, (_, at) => (at % 2 === 0 ? ann : other).call("get_sources", given)),
	);
	const sources = answers.map(({ data }) => data.data.map((row: { utm_source: string }) => row.utm_source).join());
	assert.deepEqual(sources, Array.from({ length: 20 }, () => ["google,news", "secret"]).flat());
	await ann.close();
	await other.close();
});

test("long lists are cut, and the answer says so", async () => {
	const { app, key } = site;
	const ts = Date.parse("2026-11-17T10:00:00Z");
	const sources = Array.from({ length: 60 }, (_, at) => `s${String(at).padStart(2, "0")}`);
	const rows = sources.flatMap((utm_source) => [
		pageviewRow({ site: "shop", ts, utm_source, entrance: 1 }),
		pageviewRow({
			site: "shop",
			ts,
			utm_source,
			kind: "conversion",
			event_type: "purchase",
			page_view: 0,
			conversion: 1,
		}),
	]);
	await insertRows(app.eventStore, rows);
	const client = await connectMcp(app, key);
	const funnel = (await client.call("get_funnel", on("2026-11-17"))).data;
	assert.equal(funnel.data.rows.length, 50);
	assert.deepEqual(funnel.cut_lists, [{ list: "data.rows", shown: 50, of: 60 }]);
	assert.equal(funnel.data.totals.entrances, 60);
	const conversions = (await client.call("get_conversions", on("2026-11-17"))).data;
	assert.equal(conversions.data[0].by_source.length, 10);
	assert.deepEqual(conversions.cut_lists, [{ list: "data.by_source", shown: 10, of: 60 }]);
	const pages = (await client.call("get_sources", { ...on("2026-11-17"), page_size: 100 })).data;
	assert.deepEqual([pages.data.length, pages.cut_lists], [60, undefined]);
	const some = (await client.call("get_sources", on("2026-11-17"))).data;
	assert.deepEqual([some.data.length, some.has_next], [20, true]);
	await client.close();
});

test("a model may ask for as many rows as the route gives, and is told when not all of them fit into an answer", async () => {
	const { app, key } = site;
	const ts = Date.parse("2026-11-16T10:00:00Z");
	const path = (at: number) => `/${"long-name/".repeat(12)}${String(at).padStart(4, "0")}`;
	const rows = Array.from({ length: 900 }, (_, at) => pageviewRow({ site: "shop", ts, path: path(at), entrance: 1 }));
	await insertRows(app.eventStore, rows);
	const client = await connectMcp(app, key);
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
	await client.close();
});

test("an answer too large for a model is refused with what to change", async () => {
	const { app, key } = site;
	const client = await connectMcp(app, key);
	const given = { start_date: "2026-08-21", end_date: "2026-11-20", granularity: "hourly" };
	const { isError, data } = await client.call("get_overview", given);
	assert.deepEqual([isError, data.error.code], [true, "payload_too_large"]);
	assert.match(data.error.message, /Shorten the dates, ask for fewer rows or points/);
	const { data: daily } = await client.call("get_overview", { ...given, granularity: "daily" });
	assert.equal(daily.data.entrances_series.points.length, 92);
	await client.close();
});
