import assert from "node:assert/strict";
import { test } from "node:test";
import { createSite } from "../../../../test/support/accounts.ts";
import { collectingSite } from "../../../../test/support/collecting-site.ts";
import { sendHit, type TestHit } from "../../../../test/support/hits.ts";

const here = collectingSite();
const call = (route: string, body?: object) => here.call(route.replace(" ", " /blocklist-ips"), body);
const post = (ip_or_cidr: string, more: object = {}) => call("POST ", { ip_or_cidr, ...more });
const hit = (ip: string, more: Partial<TestHit> = {}) => sendHit(here.app, here.view("/", { ip, ...more }));
/** Hits that were accepted, and those that were not, by reason. */
const counted = async () => {
	const { accepted, reasons } = (await here.call(`GET /sites/${here.site}/pixel/rejections`)).data;
	const rejected = reasons.map(({ reason, count }: { reason: string; count: number }) => `${count} ${reason}`);
	return [accepted, ...rejected.sort()];
};
const rows = async (table: "events" | "bot_hits") => {
	await here.app.collector?.flush();
	const [row] = await here.query(`SELECT toUInt32(count()) AS count FROM ${table} WHERE site = {site:String}`);
	return row?.count;
};

test("an entry is kept once, in one form, listed newest first, changed and removed", async () => {
	const { status, data: made } = await post("::ffff:203.0.113.7", { reason: " Office " });
	const { id, ...entry } = made;
	const kept = { ip_or_cidr: "203.0.113.7", reason: "Office", is_active: true };
	assert.equal(status, 201);
	assert.deepEqual(entry, { account_id: here.site, ...kept, created_at: "2026-11-21T12:00:00.000Z" });
	assert.deepEqual((await call(`GET /${id}`)).data, made);
	const { data: range } = await post("2001:DB8:5::1/48", { is_active: false });
	assert.deepEqual([range.ip_or_cidr, range.reason, range.is_active], ["2001:db8:5::/48", "", false]);
	assert.deepEqual((await call("GET ")).data, { entries: [made], total: 1, active_count: 1 });
	const all = (await call("GET ?include_inactive=true")).data;
	assert.deepEqual(all, { entries: [range, made], total: 2, active_count: 1 });
	const changed = await call(`PATCH /${id}`, { ip_or_cidr: "203.0.113.7", is_active: false, id: 9, account_id: "x" });
	assert.deepEqual(changed.data, { ...made, is_active: false });
	for (const again of [await post("203.0.113.7"), await call(`PATCH /${id}`, { ip_or_cidr: range.ip_or_cidr })]) {
		assert.deepEqual([again.status, again.error.code], [409, "duplicate_entry"]);
	}
	assert.deepEqual([(await call(`DELETE /${id}`)).status, (await call(`GET /${id}`)).status], [204, 404]);
	await post("203.0.113.8");
	here.site = await createSite(here.app, here.owner);
	assert.equal((await post("203.0.113.8")).status, 201);
});

test("an invalid address is refused with its field", async () => {
	const { id } = (await post("::1")).data;
	for (const ip_or_cidr of ["", "office", "10.0.0.1/33", "010.0.0.1", "10.0.0.1-9", "10.0.0.*", "1".repeat(51)]) {
		for (const route of ["POST /blocklist-ips", `PATCH /blocklist-ips/${id}`]) {
			assert.deepEqual(await here.refusal(route, { ip_or_cidr }), [422, "body.ip_or_cidr"], ip_or_cidr);
		}
	}
});

test("a hit of a blocked address is answered 204, counted, and not kept", async () => {
	for (const range of ["198.51.100.0/24", "2001:db8:5::/48"]) await post(range);
	for (const ip of ["198.51.100.1", "::ffff:198.51.100.2", "2001:DB8:5:0::1"]) assert.equal(await hit(ip), 204);
	assert.equal(await hit("198.51.100.3", { userAgent: "python-requests/2.32", headers: {} }), 204);
	assert.deepEqual(await counted(), [0, "4 blocklist_ip"]);
	assert.deepEqual([await rows("events"), await rows("bot_hits")], [0, 0]);
	for (const ip of ["198.51.101.1", "2001:db8:6::1"]) assert.equal(await hit(ip), 204);
	assert.deepEqual(await counted(), [2, "4 blocklist_ip"]);
	assert.equal(await rows("events"), 2);
	assert.ok(!/198\.51\.100|2001:db8/i.test(here.app.logLines.join("")));
});

test("an entry counts from the next hit on, for its own site alone, and while it is active", async () => {
	const { id } = (await post("198.51.100.1")).data;
	const accepted = async () => {
		await hit("198.51.100.1");
		return (await counted())[0];
	};
	assert.equal(await accepted(), 0);
	await call(`PATCH /${id}`, { is_active: false });
	assert.equal(await accepted(), 1);
	await call(`PATCH /${id}`, { is_active: true });
	assert.equal(await accepted(), 1);
	await call(`DELETE /${id}`);
	assert.equal(await accepted(), 2);
	await post("198.51.100.1");
	here.site = await createSite(here.app, here.owner);
	assert.equal(await accepted(), 1);
});

test("a hit that the site would not have taken anyway keeps its own reason", async () => {
	await post("0.0.0.0/0");
	for (const more of [{ token: "forged" }, { url: "https://elsewhere.example/" }, {}]) await hit("198.51.100.1", more);
	assert.deepEqual(await counted(), [0, "1 blocklist_ip", "1 invalid_domain", "1 invalid_token"]);
});
