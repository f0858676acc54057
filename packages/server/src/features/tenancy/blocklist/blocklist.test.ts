import assert from "node:assert/strict";
import { before, beforeEach, describe, test } from "node:test";
import { createSite, type Session, sharedTestApp, signIn } from "../../../../test/support/accounts.ts";
import { allowlistClient } from "../../../../test/support/allowlist-client.ts";
import { sendHit, type TestHit } from "../../../../test/support/hits.ts";

describe("Blocklist", () => {
	const app = sharedTestApp();
	let owner: Session;
	/** Each test has a site of its own. */
	let site: string;
	before(async () => {
		owner = await signIn(app);
	});
	beforeEach(async () => {
		site = await createSite(app, owner);
	});

	const call = (route: string, body?: object, id = site) => {
		const [method = "GET", path = ""] = route.split(" ");
		const url = `/blocklist-ips${path}${path.includes("?") ? "&" : "?"}account_id=${id}`;
		return allowlistClient(app, owner, id).ask(`${method} ${url}`, body);
	};
	const post = (ip_or_cidr: string, more: object = {}) => call("POST ", { ip_or_cidr, ...more });
	const hit = (ip: string, more: Partial<TestHit> = {}) =>
		sendHit(app, { site, url: "https://shop.example/", ip, ...more });
	/** Hits that were accepted, and those that were not, by reason. */
	const counted = async (id = site) => {
		const url = `/sites/${id}/pixel/rejections`;
		const { accepted, reasons } = (await allowlistClient(app, owner, id).ask(`GET ${url}`)).data;
		const rejected = reasons.map(({ reason, count }: { reason: string; count: number }) => `${count} ${reason}`);
		return [accepted, ...rejected.sort()];
	};
	const rows = async (table: "events" | "bot_hits"): Promise<number> => {
		await app.collector?.flush();
		const sql = `SELECT toUInt32(count()) AS count FROM ${table} WHERE site = {site:String}`;
		const [row] = await app.eventStore.query<{ count: number }>({ sql, params: { site } });
		return row?.count ?? 0;
	};

	test("an entry is kept in one form, listed newest first, changed and removed", async () => {
		const made = await post("::ffff:203.0.113.7", { reason: " Office " });
		assert.equal(made.status, 201);
		const { id, ...entry } = made.data;
		const kept = { ip_or_cidr: "203.0.113.7", reason: "Office", is_active: true };
		assert.deepEqual(entry, { account_id: site, ...kept, created_at: "2026-11-21T12:00:00.000Z" });
		assert.deepEqual((await call(`GET /${id}`)).data, made.data);
		const range = (await post("2001:DB8:5::1/48", { is_active: false })).data;
		assert.deepEqual([range.ip_or_cidr, range.reason, range.is_active], ["2001:db8:5::/48", "", false]);
		assert.deepEqual((await call("GET ")).data, { entries: [made.data], total: 1, active_count: 1 });
		const all = (await call("GET ?include_inactive=true")).data;
		assert.deepEqual(all, { entries: [range, made.data], total: 2, active_count: 1 });
		const changed = await call(`PATCH /${id}`, { is_active: false, id: 9, account_id: "x" });
		assert.deepEqual(changed.data, { ...made.data, is_active: false });
		const ended = [await call(`DELETE /${id}`), await call(`DELETE /${id}`), await call(`GET /${id}`)];
		assert.deepEqual(
			ended.map(({ status }) => status),
			[204, 404, 404],
		);
	});

	test("what is no address is refused with its field", async () => {
		for (const ip_or_cidr of ["", "office", "10.0.0.1/33", "010.0.0.1", "10.0.0.1-9", "10.0.0.*", "1".repeat(51)]) {
			const { status, faults } = await post(ip_or_cidr);
			assert.deepEqual([status, faults], [422, ["body.ip_or_cidr"]], ip_or_cidr);
		}
		assert.deepEqual((await post("::1", { reason: "x".repeat(256) })).faults, ["body.reason"]);
		const { id } = (await post("::1")).data;
		assert.deepEqual((await call(`PATCH /${id}`, { ip_or_cidr: "home" })).faults, ["body.ip_or_cidr"]);
	});

	test("an address is blocked once a site", async () => {
		assert.equal((await post("10.0.0.1")).status, 201);
		assert.equal((await post("::ffff:10.0.0.1")).code, "duplicate_entry");
		const { id } = (await post("10.0.0.2")).data;
		assert.equal((await call(`PATCH /${id}`, { ip_or_cidr: "10.0.0.1" })).code, "duplicate_entry");
		assert.equal((await call(`PATCH /${id}`, { ip_or_cidr: "10.0.0.2", reason: "x" })).status, 200);
		const other = await createSite(app, owner);
		assert.equal((await call("POST ", { ip_or_cidr: "10.0.0.1" }, other)).status, 201);
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
		assert.ok(!/198\.51\.100|2001:db8/i.test(app.logLines.join("")));
	});

	test("an entry counts from the next hit on, for its own site alone, and while it is active", async () => {
		const other = await createSite(app, owner);
		const { id } = (await post("198.51.100.1")).data;
		const accepted = async () => {
			await hit("198.51.100.1");
			return (await counted())[0];
		};
		assert.equal(await accepted(), 0);
		await hit("198.51.100.1", { site: other });
		await call(`PATCH /${id}`, { is_active: false });
		assert.equal(await accepted(), 1);
		await call(`PATCH /${id}`, { is_active: true });
		assert.equal(await accepted(), 1);
		await call(`DELETE /${id}`);
		assert.equal(await accepted(), 2);
		assert.deepEqual(await counted(other), [1]);
	});

	test("a hit that the site would not have taken anyway keeps its own reason", async () => {
		await post("0.0.0.0/0");
		for (const more of [{ token: "forged" }, { url: "https://elsewhere.example/" }, {}])
			await hit("198.51.100.1", more);
		assert.deepEqual(await counted(), [0, "1 blocklist_ip", "1 invalid_domain", "1 invalid_token"]);
	});
});
