import assert from "node:assert/strict";
import { beforeEach, describe, test } from "node:test";
import { sharedAccountsApp, userForEach } from "../../../../test/support/accounts-app.ts";
import { allowlistClient } from "../../../../test/support/allowlist-client.ts";

describe("Blocklist", () => {
	const app = sharedAccountsApp();
	const owner = userForEach(app, "Ann");
	const site = "shop";
	beforeEach(() => app.site(owner));

	const client = (as = owner, id = site) => allowlistClient(app, as, id);
	const call = (route: string, body?: object, as = owner, id = site) => {
		const [method = "GET", path = ""] = route.split(" ");
		const url = `/blocklist-ips${path}${path.includes("?") ? "&" : "?"}account_id=${id}`;
		return client(as, id).ask(`${method} ${url}`, body);
	};

	test("an entry is kept in one form, listed newest first, changed and removed", async () => {
		const made = await call("POST ", { ip_or_cidr: "::ffff:203.0.113.7", reason: " Office " });
		assert.equal(made.status, 201);
		const { id, ...entry } = made.data;
		assert.deepEqual(entry, {
			account_id: site,
			ip_or_cidr: "203.0.113.7",
			reason: "Office",
			is_active: true,
			created_at: "2026-11-21T12:00:00.000Z",
		});
		assert.deepEqual((await call(`GET /${id}`)).data, made.data);
		const range = (await call("POST ", { ip_or_cidr: "2001:DB8:5::1/48", is_active: false })).data;
		assert.deepEqual([range.ip_or_cidr, range.reason, range.is_active], ["2001:db8:5::/48", "", false]);
		assert.deepEqual((await call("GET ")).data, { entries: [made.data], total: 1, active_count: 1 });
		assert.deepEqual((await call("GET ?include_inactive=true")).data, {
			entries: [range, made.data],
			total: 2,
			active_count: 1,
		});
		const changed = await call(`PATCH /${id}`, { is_active: false, id: 9, account_id: "x" });
		assert.deepEqual(changed.data, { ...made.data, is_active: false });
		assert.equal((await call(`DELETE /${id}`)).status, 204);
		assert.equal((await call(`DELETE /${id}`)).status, 404);
		assert.equal((await call(`GET /${id}`)).status, 404);
	});

	test("what is no address is refused with its field", async () => {
		for (const ip_or_cidr of ["", "office", "10.0.0.1/33", "010.0.0.1", "10.0.0.1-9", "10.0.0.*", "1".repeat(51)]) {
			const answer = await call("POST ", { ip_or_cidr });
			assert.deepEqual([answer.status, answer.faults], [422, ["body.ip_or_cidr"]], ip_or_cidr);
		}
		assert.deepEqual((await call("POST ", { ip_or_cidr: "::1", reason: "x".repeat(256) })).faults, ["body.reason"]);
		const { id } = (await call("POST ", { ip_or_cidr: "::1" })).data;
		assert.deepEqual((await call(`PATCH /${id}`, { ip_or_cidr: "home" })).faults, ["body.ip_or_cidr"]);
		assert.deepEqual((await call("GET /x")).faults, ["path.entry_id"]);
	});

	test("an address is blocked once a site", async () => {
		assert.equal((await call("POST ", { ip_or_cidr: "10.0.0.1" })).status, 201);
		assert.equal((await call("POST ", { ip_or_cidr: "::ffff:10.0.0.1" })).code, "duplicate_entry");
		const { id } = (await call("POST ", { ip_or_cidr: "10.0.0.2" })).data;
		assert.equal((await call(`PATCH /${id}`, { ip_or_cidr: "10.0.0.1" })).code, "duplicate_entry");
		assert.equal((await call(`PATCH /${id}`, { ip_or_cidr: "10.0.0.2", reason: "x" })).status, 200);
		const other = await app.site(owner);
		assert.equal((await call("POST ", { ip_or_cidr: "10.0.0.1" }, owner, other)).status, 201);
	});
});
