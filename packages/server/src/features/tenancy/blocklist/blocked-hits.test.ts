import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { createSite, type Session, signIn } from "../../../../test/support/accounts.ts";
import { sendHit, type TestHit } from "../../../../test/support/hits.ts";
import { type TestApp, testApp } from "../../../../test/support/test-app.ts";

let app: TestApp;
let owner: Session;
/** Each test has a site of its own. */
let site: string;
before(async () => {
	app = await testApp();
	owner = await signIn(app);
});
after(() => app.close());
beforeEach(async () => {
	site = await createSite(app, owner);
});

const hit = (ip: string, more: Partial<TestHit> = {}) =>
	sendHit(app, { site, url: "https://shop.example/", ip, ...more });

async function block(ip_or_cidr: string): Promise<string> {
	const url = `/api/v1/blocklist-ips?account_id=${site}`;
	const response = await app.inject({ method: "POST", url, headers: owner.headers, payload: { ip_or_cidr } });
	assert.equal(response.statusCode, 201, response.body);
	return `/api/v1/blocklist-ips/${response.json().data.id}?account_id=${site}`;
}

async function counted() {
	const url = `/api/v1/sites/${site}/pixel/rejections`;
	const { accepted, reasons } = (await app.inject({ url, headers: owner.headers })).json().data;
	return [accepted, reasons.map(({ reason, count }: { reason: string; count: number }) => [reason, count])];
}

async function rows(table: "events" | "bot_hits"): Promise<number> {
	await app.collector?.flush();
	const sql = `SELECT toUInt32(count()) AS count FROM ${table} WHERE site = {site:String}`;
	const [row] = await app.eventStore.query<{ count: number }>({ sql, params: { site } });
	return row?.count ?? 0;
}

test("a hit of a blocked address is answered 204, counted, and not kept", async () => {
	await block("198.51.100.0/24");
	await block("2001:db8:5::/48");
	const robot = { userAgent: "python-requests/2.32", headers: {} };
	for (const ip of ["198.51.100.1", "::ffff:198.51.100.2", "2001:DB8:5:0::1"]) assert.equal(await hit(ip), 204);
	assert.equal(await hit("198.51.100.3", robot), 204);
	assert.deepEqual(await counted(), [0, [["blocklist_ip", 4]]]);
	assert.deepEqual([await rows("events"), await rows("bot_hits")], [0, 0]);
	for (const ip of ["198.51.101.1", "2001:db8:6::1"]) assert.equal(await hit(ip), 204);
	assert.deepEqual(await counted(), [2, [["blocklist_ip", 4]]]);
	assert.equal(await rows("events"), 2);
	assert.ok(!/198\.51\.100|2001:db8/i.test(app.logLines.join("")));
});

test("an entry counts from the next hit on, for its own site alone, and while it is active", async () => {
	const other = await createSite(app, owner);
	const entry = await block("198.51.100.1");
	const accepted = async () => {
		await hit("198.51.100.1");
		return (await counted())[0];
	};
	assert.equal(await accepted(), 0);
	assert.equal(await hit("198.51.100.1", { site: other }), 204);
	const change = (method: "PATCH" | "DELETE", payload?: object) =>
		app.inject({ method, url: entry, headers: owner.headers, ...(payload && { payload }) });
	await change("PATCH", { is_active: false });
	assert.equal(await accepted(), 1);
	await change("PATCH", { is_active: true });
	assert.equal(await accepted(), 1);
	await change("DELETE");
	assert.equal(await accepted(), 2);
	site = other;
	assert.deepEqual(await counted(), [1, []]);
});

test("a hit that the site would not have taken anyway keeps its own reason", async () => {
	await block("0.0.0.0/0");
	await hit("198.51.100.1", { token: "forged" });
	await hit("198.51.100.1", { url: "https://elsewhere.example/" });
	await hit("198.51.100.1");
	const [accepted, reasons] = await counted();
	assert.equal(accepted, 0);
	assert.deepEqual(reasons.sort(), [
		["blocklist_ip", 1],
		["invalid_domain", 1],
		["invalid_token", 1],
	]);
});
