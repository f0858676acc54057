import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { createSite } from "../../../../test/support/accounts.ts";
import { appTokens } from "../../../../test/support/app-token.ts";
import { connectMcp } from "../../../../test/support/mcp-client.ts";
import { type McpSite, openMcpSite } from "../../../../test/support/mcp-site.ts";

const root = "https://stats.example";

let site: McpSite;
before(async () => {
	site = await openMcpSite({ env: { PUBLIC_URL: root } });
	await createSite(site.app, site.ann, { name: "Blog", domains: ["blog.example"] });
});
after(() => site.app.close());

/** Headers of an app that ann lets read `shop`. */
async function letIn(resource?: string) {
	const wish = { headers: site.ann.headers, site: "shop", ...(resource !== undefined && { resource }) };
	const { accessToken } = await appTokens(site.app, wish);
	return { authorization: `Bearer ${accessToken}` };
}

const days = { start_date: "2026-11-20", end_date: "2026-11-20" };

test("an app's token opens every tool, for the approved site, which need not be named", async () => {
	const client = await connectMcp(site.app, await letIn(`${root}/mcp`));
	const { tools } = await client.sdk.listTools();
	const own: Readonly<Record<string, object>> = {
		query: { date_from: "2026-11-20", date_to: "2026-11-20", metrics: ["page_views"] },
		explain_change: { metric: "entrances", date_from: "2026-11-20", date_to: "2026-11-20", compare: "previous" },
		get_property_values: { property_key: "coupon" },
		get_property_breakdown: { property_key: "coupon" },
		list_sites: {},
	};
	for (const { name } of tools) {
		const { isError, data } = await client.call(name, { ...(own[name] ?? days) });
		assert.equal(isError, false, `${name}: ${JSON.stringify(data)}`);
		assert.equal(name === "list_sites" ? data.sites[0].site_id : data.site.site_id, "shop", name);
	}
	assert.equal((await client.call("list_sites")).data.total, 1);
	assert.equal((await client.call("get_overview", days)).data.data.traffic.page_views, 3);
	await client.close();
});

test("another site of the same user is out of the app's reach", async () => {
	const client = await connectMcp(site.app, await letIn(`${root}/mcp`));
	for (const other of ["blog", "other"]) {
		const { isError, data } = await client.call("get_overview", { site_id: other });
		assert.deepEqual([isError, data.error.code], [true, "forbidden"], other);
	}
	await client.close();
});

test("what an app may not ask by the REST API, it asks through the tool alone", async () => {
	const headers = await letIn();
	const body = { date_from: "2026-11-20", date_to: "2026-11-20", metrics: ["page_views"] };
	const url = "/api/v1/stats/query?site_id=shop";
	assert.equal((await site.app.inject({ method: "POST", url, headers, payload: body })).statusCode, 403);
	const client = await connectMcp(site.app, headers);
	assert.deepEqual((await client.call("query", body)).data.data, [{ page_views: 3 }]);
	await client.close();
});

test("a revoked grant and an expired token fail at the next call", async () => {
	const headers = await letIn(`${root}/mcp`);
	const revoked = await connectMcp(site.app, headers);
	assert.equal((await revoked.call("list_sites")).isError, false);
	const url = "/api/v1/oauth/connections";
	const { data } = (await site.app.inject({ url, headers: site.ann.headers })).json();
	for (const { grant_id: id } of data) {
		await site.app.inject({ method: "DELETE", url: `${url}/${id}`, headers: site.ann.headers });
	}
	const call = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "list_sites", arguments: {} } };
	const asked = await site.app.inject({ method: "POST", url: "/mcp", headers, payload: call });
	assert.deepEqual([asked.statusCode, asked.json().error.code], [401, "token_invalid"]);
	assert.equal(
		asked.headers["www-authenticate"],
		`Bearer resource_metadata="${root}/.well-known/oauth-protected-resource/mcp", scope="analytics:read offline_access", error="invalid_token"`,
	);
	await revoked.close();
	const short = await letIn(`${root}/mcp`);
	site.app.clock.advance(3_600_000);
	const late = await site.app.inject({ method: "POST", url: "/mcp", headers: short, payload: call });
	assert.deepEqual([late.statusCode, late.json().error.code], [401, "token_expired"]);
});
