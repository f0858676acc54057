import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { type AccountsApp, onBothEngines, type SignedIn } from "../../../../test/support/accounts-app.ts";
import { allowlistClient } from "../../../../test/support/allowlist-client.ts";

onBothEngines("Blocklist", (open) => {
	let app: AccountsApp;
	let owner: SignedIn;
	let site: string;

	before(async () => {
		app = await open();
		owner = await app.user("Ann");
	});
	beforeEach(async () => {
		site = await app.site(owner);
	});
	after(() => app.close());

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

	test("an address is blocked once a site, also when two callers do it at the same time", async () => {
		const both = await Promise.all(["10.0.0.1", "10.0.0.1/32"].map((ip_or_cidr) => call("POST ", { ip_or_cidr })));
		assert.deepEqual(both.map(({ status }) => status).sort(), [201, 409]);
		assert.equal((await call("POST ", { ip_or_cidr: "::ffff:10.0.0.1" })).code, "duplicate_entry");
		const { id } = (await call("POST ", { ip_or_cidr: "10.0.0.2" })).data;
		assert.equal((await call(`PATCH /${id}`, { ip_or_cidr: "10.0.0.1" })).code, "duplicate_entry");
		assert.equal((await call(`PATCH /${id}`, { ip_or_cidr: "10.0.0.2", reason: "x" })).status, 200);
		const other = await app.site(owner);
		assert.equal((await call("POST ", { ip_or_cidr: "10.0.0.1" }, owner, other)).status, 201);
	});

	test("a site has at most 100 entries, also when many are added at the same time", async () => {
		for (let index = 0; index < 98; index++) await call("POST ", { ip_or_cidr: `10.0.0.${index}` });
		const rush = await Promise.all([1, 2, 3, 4, 5].map((index) => call("POST ", { ip_or_cidr: `10.0.1.${index}` })));
		assert.deepEqual(rush.map(({ status }) => status).sort(), [201, 201, 409, 409, 409]);
		assert.equal(rush.find(({ status }) => status === 409)?.code, "conflict");
		assert.equal((await call("GET ")).data.total, 100);
	});

	test("editors write, viewers read, and others see nothing", async () => {
		const { id } = (await call("POST ", { ip_or_cidr: "10.0.0.1" })).data;
		const stranger = await app.user(`Stranger${id}`);
		const tries: [route: string, body?: object][] = [
			["GET "],
			["POST ", { ip_or_cidr: "::1" }],
			[`GET /${id}`],
			[`PATCH /${id}`, { reason: "x" }],
			[`DELETE /${id}`],
		];
		const statuses = async (id = site) => {
			const answers = [];
			for (const [route, body] of tries) answers.push((await call(route, body, stranger, id)).status);
			return answers;
		};
		assert.deepEqual(await statuses(), [403, 403, 403, 403, 403]);
		await client().role(stranger, "viewer");
		assert.deepEqual(await statuses(), [200, 403, 200, 403, 403]);
		const own = await app.site(stranger);
		assert.deepEqual(await statuses(own), [200, 201, 404, 404, 404]);
		const editor = await app.user(`Editor${id}`);
		await client().role(editor, "editor");
		assert.equal((await call(`PATCH /${id}`, { reason: "x" }, editor)).status, 200);
		assert.equal((await call(`DELETE /${id}`, undefined, editor)).status, 204);
		const headers = await client().key(["sites:read", "stats:read"]);
		const withKey = await client().ask(`GET /blocklist-ips?account_id=${site}`, undefined, { headers });
		assert.equal(withKey.message, "Required scope: read");
	});

	test("each change is recorded with what it changed", async () => {
		const { id } = (await call("POST ", { ip_or_cidr: "10.0.0.1" })).data;
		await call(`PATCH /${id}`, { reason: "Robots", ip_or_cidr: "10.0.0.0/24" });
		await call(`DELETE /${id}`);
		await call(`DELETE /${id}`);
		const entry = (action: string, details: object) => ({ action, resource: String(id), details });
		assert.deepEqual(await client().audited(), [
			entry("blocklist.created", { ip_or_cidr: "10.0.0.1" }),
			entry("blocklist.updated", { ip_or_cidr: ["10.0.0.1", "10.0.0.0/24"], reason: ["", "Robots"] }),
			entry("blocklist.deleted", { ip_or_cidr: "10.0.0.0/24" }),
		]);
	});
});
