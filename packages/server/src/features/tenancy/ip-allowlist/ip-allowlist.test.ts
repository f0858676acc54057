import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { type AccountsApp, onBothEngines, type SignedIn } from "../../../../test/support/accounts-app.ts";
import { allowlistClient, OFFICE, OUTSIDE } from "../../../../test/support/allowlist-client.ts";
import { atOnce } from "../../../../test/support/at-once.ts";

onBothEngines("IP allowlist", (open) => {
	let app: AccountsApp;
	let owner: SignedIn;
	let site: string;
	let at: ReturnType<typeof allowlistClient>;

	before(async () => {
		app = await open();
		owner = await app.user("Ann");
		await app.user("Root", "superadmin");
	});
	beforeEach(async () => {
		site = await app.site(owner);
		at = allowlistClient(app, owner, site);
	});
	after(() => app.close());

	test("a list is off at first, and every pattern is kept in one form", async () => {
		const { created_at: createdAt } = (await app.call(`GET /sites/${site}`, { as: owner })).json().data;
		assert.deepEqual((await at.call("GET /settings")).data, {
			account_id: site,
			is_enabled: false,
			enforce_for_api_tokens: true,
			enforce_for_dashboard: true,
			active_patterns_count: 0,
			created_at: createdAt,
			updated_at: createdAt,
		});
		const kept: [type: string, given: string, kept: string][] = [
			["ip", " 203.0.113.7 ", "203.0.113.7"],
			["ip", "::ffff:203.0.113.8", "203.0.113.8"],
			["ip", "2001:0DB8:0:0::1", "2001:db8::1"],
			["cidr", "10.1.2.3/8", "10.0.0.0/8"],
			["cidr", "2001:db8:ffff::1/33", "2001:db8:8000::/33"],
			["regex", "^198\\.51\\.100\\..*$", "^198\\.51\\.100\\..*$"],
		];
		for (const [type, given, stored] of kept) {
			const answer = await at.call("POST /patterns", { pattern: given, pattern_type: type });
			assert.equal(answer.status, 201);
			assert.deepEqual([answer.data.pattern_type, answer.data.pattern], [type, stored]);
		}
		const { data } = await at.call("GET /patterns");
		assert.deepEqual([data.total, data.active_count, data.patterns.length], [6, 6, 6]);
		const { id, ...first } = data.patterns[0];
		assert.deepEqual(first, {
			account_id: site,
			pattern: "203.0.113.7",
			pattern_type: "ip",
			label: null,
			description: null,
			is_active: true,
			created_by: owner.id,
			created_at: "2026-11-21T12:00:00.000Z",
			updated_at: "2026-11-21T12:00:00.000Z",
		});
		assert.deepEqual((await at.call(`GET /patterns/${id}`)).data, data.patterns[0]);
	});

	test("what is no pattern of its type is refused with its field", async () => {
		const wrong: [type: string, pattern: string][] = [
			["ip", "203.0.113"],
			["ip", "203.0.113.0/24"],
			["ip", "010.0.0.1"],
			["ip", "office"],
			["cidr", "203.0.113.7"],
			["cidr", "203.0.113.0/33"],
			["cidr", "2001:db8::/129"],
			["regex", "(["],
			["regex", "(?=look)ahead"],
			["regex", "(.{1000}){1000}"],
			["regex", "(.{0,100}){9}"],
			["regex", "(.{0,8}){8}".repeat(2)],
			["regex", "(.{0,19}){19}"],
		];
		for (const [type, pattern] of wrong) {
			const answer = await at.call("POST /patterns", { pattern, pattern_type: type });
			assert.deepEqual([answer.status, answer.faults], [422, ["body.pattern"]], pattern);
		}
		const { faults } = await at.call("POST /patterns", { pattern: "x".repeat(256), label: "x".repeat(101) });
		assert.deepEqual(faults, ["body.label", "body.pattern"]);
		assert.deepEqual((await at.call("POST /patterns", { pattern_type: "ip" })).faults, ["body.pattern"]);
		const lines = { pattern: "203.0.113.9", label: "two\nlines", description: "two\nlines" };
		assert.deepEqual((await at.call("POST /patterns", lines)).faults, ["body.label"]);
		assert.equal((await at.call("POST /patterns", { ...lines, label: "One" })).data.description, "two\nlines");
		const strange = await at.call("POST /patterns", { pattern: "::1", pattern_type: "host" });
		assert.deepEqual(strange.faults, ["body.pattern_type"]);
		const { id } = (await at.call("POST /patterns", { pattern: "203.0.113.7" })).data;
		assert.deepEqual((await at.call(`PATCH /patterns/${id}`, { pattern_type: "cidr" })).faults, ["body.pattern"]);
		assert.deepEqual((await at.call(`PATCH /patterns/${id}`, { is_active: null })).faults, ["body.is_active"]);
	});

	test("expressions that keep other engines busy for years are answered at once", async () => {
		await at.allow(OFFICE);
		const hostile = ["(a+)+$", "(.*)*x", "((:*[0-9a-f]*)*)*x", "(?:[0-9a-f]+:?)+z", "^(([0-9.])+)+!$"];
		for (const pattern of hostile) {
			assert.equal((await at.call("POST /patterns", { pattern, pattern_type: "regex" })).status, 201);
		}
		const asked = { ip_address: "2001:db8:1111:2222:3333:4444:5555:6666" };
		const { data } = await atOnce("the check", () => at.call("POST /check", asked));
		assert.equal(data.matched_pattern, null);
	});

	test("an expression describes the whole address in its canonical form", async () => {
		await at.call("POST /patterns", { pattern: "198\\.51\\.100\\.[0-9]+", pattern_type: "regex" });
		await at.call("POST /patterns", { pattern: "2001:DB8::.*", pattern_type: "regex" });
		const matched = async (ip: string) => {
			const { data } = await at.call("POST /check", { ip_address: ip });
			return data.matched_pattern?.pattern;
		};
		assert.equal(await matched("198.51.100.77"), "198\\.51\\.100\\.[0-9]+");
		assert.equal(await matched("::ffff:198.51.100.77"), "198\\.51\\.100\\.[0-9]+");
		assert.equal(await matched("2001:0db8:0000::0005"), "2001:DB8::.*");
		assert.equal(await matched("8.198.51.100"), undefined);
	});

	test("a pattern exists once a site and type, also when two callers add it at the same time", async () => {
		const both = await Promise.all([1, 2].map(() => at.call("POST /patterns", { pattern: "203.0.113.7" })));
		assert.deepEqual(both.map(({ status }) => status).sort(), [201, 409]);
		const again = await at.call("POST /patterns", { pattern: "::ffff:203.0.113.7" });
		assert.deepEqual([again.status, again.code], [409, "duplicate_entry"]);
		const { id } = (await at.call("POST /patterns", { pattern: "203.0.113.8" })).data;
		assert.equal((await at.call(`PATCH /patterns/${id}`, { pattern: "203.0.113.7" })).code, "duplicate_entry");
		const other = allowlistClient(app, owner, await app.site(owner));
		assert.equal((await other.call("POST /patterns", { pattern: "203.0.113.7" })).status, 201);
	});

	test("a pattern changes only in the fields given, and null clears a text", async () => {
		const { id } = (
			await at.call("POST /patterns", { pattern: "203.0.113.7", label: "Office", description: "Floor 2" })
		).data;
		app.clock.advance(1000);
		const { data } = await at.call(`PATCH /patterns/${id}`, { label: null, is_active: false, created_by: 99 });
		assert.deepEqual(
			[data.pattern, data.label, data.description, data.is_active, data.created_by],
			["203.0.113.7", null, "Floor 2", false, owner.id],
		);
		assert.ok(data.updated_at > data.created_at);
		assert.deepEqual((await at.call("GET /patterns")).data, { patterns: [], total: 0, active_count: 0 });
		assert.equal((await at.call("GET /patterns?include_inactive=true")).data.total, 1);
		assert.equal((await at.call(`DELETE /patterns/${id}`)).status, 204);
		assert.equal((await at.call(`DELETE /patterns/${id}`)).status, 404);
	});

	test("nobody shuts themselves out, whichever write would do it", async () => {
		assert.equal((await at.call("PUT /settings", { is_enabled: true })).code, "conflict");
		assert.equal((await at.call("GET /settings")).data.is_enabled, false);
		const { id } = (await at.call("POST /patterns", { pattern: OFFICE })).data;
		const { id: spare } = (await at.call("POST /patterns", { pattern: "192.0.2.0/24", pattern_type: "cidr" })).data;
		const on = await at.call("PUT /settings", { is_enabled: true });
		assert.deepEqual([on.status, on.data.is_enabled, on.data.active_patterns_count], [200, true, 2]);
		const refused: [route: string, body?: object][] = [
			[`DELETE /patterns/${id}`],
			[`PATCH /patterns/${id}`, { is_active: false }],
			[`PATCH /patterns/${id}`, { pattern: OUTSIDE }],
			["POST /patterns/bulk-delete", { pattern_ids: [spare, id] }],
		];
		for (const [route, body] of refused) assert.equal((await at.call(route, body)).code, "conflict", route);
		assert.equal((await at.call("GET /patterns")).data.total, 2);
		await at.call("POST /patterns", { pattern: "203.0.113.0/24", pattern_type: "cidr" });
		assert.equal((await at.call(`DELETE /patterns/${id}`)).status, 204);
		const forKeys = await at.call("PUT /settings", { is_enabled: true, enforce_for_dashboard: false });
		assert.equal(forKeys.status, 200);
		assert.equal((await at.call("POST /patterns/bulk-delete", { pattern_ids: [spare] })).data.success_count, 1);
	});

	test("two patterns that cover the caller cannot be removed at the same time", async () => {
		const ids = [];
		for (const pattern of ["203.0.113.0/24", "203.0.0.0/16"]) {
			ids.push((await at.call("POST /patterns", { pattern, pattern_type: "cidr" })).data.id);
		}
		await at.call("PUT /settings", { is_enabled: true });
		const answers = await Promise.all(ids.map((id) => at.call(`DELETE /patterns/${id}`)));
		assert.deepEqual(answers.map(({ status }) => status).sort(), [204, 409]);
	});

	test("a superadmin may set a list that does not cover them", async () => {
		const root = allowlistClient(app, await app.signIn("root@example.com"), site);
		assert.equal((await root.call("PUT /settings", { is_enabled: true })).status, 200);
		assert.equal((await at.call("GET /settings")).status, 403);
		assert.equal((await root.call("PUT /settings", {})).data.is_enabled, false);
		assert.equal((await at.call("GET /settings")).status, 200);
	});

	test("an address can be asked about before the list is switched on", async () => {
		const { id } = (await at.call("POST /patterns", { pattern: "203.0.113.0/24", pattern_type: "cidr" })).data;
		const off = (await at.call("POST /check", { ip_address: "::FFFF:203.0.113.9" })).data;
		assert.deepEqual(
			[off.ip_address, off.is_allowed, off.matched_pattern.id, off.allowlist_enabled],
			["203.0.113.9", true, id, false],
		);
		await at.call("PUT /settings", { is_enabled: true });
		assert.deepEqual((await at.call("POST /check", { ip_address: OUTSIDE })).data, {
			ip_address: OUTSIDE,
			is_allowed: false,
			matched_pattern: null,
			allowlist_enabled: true,
		});
		const current = (await at.call("GET /check-current")).data;
		assert.deepEqual([current.ip_address, current.is_allowed, current.matched_pattern.id], [OFFICE, true, id]);
		assert.deepEqual((await at.call("POST /check", { ip_address: "here" })).faults, ["body.ip_address"]);
	});

	test("other tenants, lower roles and keys do not reach a list", async () => {
		const { id } = (await at.call("POST /patterns", { pattern: OFFICE })).data;
		const stranger = await app.user(`Stranger${id}`);
		const away = allowlistClient(app, stranger, site);
		const routes = ["GET /settings", "PUT /settings", "GET /patterns", "POST /check", "GET /export", "GET /audit"];
		for (const route of routes)
			assert.equal((await away.call(route, route.startsWith("GET") ? undefined : {})).status, 403);
		const elsewhere = allowlistClient(app, owner, await app.site(owner));
		for (const method of ["GET", "PATCH", "DELETE"]) {
			const answer = await elsewhere.call(`${method} /patterns/${id}`, method === "PATCH" ? { label: "x" } : undefined);
			assert.equal(answer.status, 404, method);
		}
		const { data } = await elsewhere.call("POST /patterns/bulk-delete", { pattern_ids: [id] });
		assert.deepEqual([data.success_count, data.error_count], [0, 1]);
		await at.role(stranger, "editor");
		const low = await away.call("GET /settings");
		assert.deepEqual([low.status, low.message], [403, "Required role: admin"]);
		const key = await at.key(["sites:read", "stats:read", "accounts:read"]);
		assert.equal((await at.call("GET /settings", undefined, { headers: key })).message, "Required scope: read");
		assert.equal((await at.call("GET /patterns")).data.total, 1);
	});

	test("a plan without the feature can read its list, take from it and switch it off, and nothing else", async () => {
		const { id } = (await at.call("POST /patterns", { pattern: OFFICE })).data;
		await at.plan("scale");
		const writes: [route: string, body?: object][] = [
			["PUT /settings", { is_enabled: true }],
			["POST /patterns", { pattern: "::1" }],
			[`PATCH /patterns/${id}`, { label: "x" }],
			["POST /patterns/bulk", { patterns: [{ pattern: "::1" }] }],
			["POST /import", { text: "::1" }],
		];
		for (const [route, body] of writes) {
			const answer = await at.call(route, body);
			assert.deepEqual([answer.status, answer.code], [403, "forbidden"], route);
		}
		assert.equal((await at.call("GET /patterns")).data.total, 1);
		assert.equal((await at.call("PUT /settings", { is_enabled: false })).status, 200);
		assert.equal((await at.call(`DELETE /patterns/${id}`)).status, 204);
		assert.equal((await at.call("GET /patterns")).data.total, 0);
		await at.plan("enterprise");
	});

	test("each change is recorded with what it changed", async () => {
		const { id } = (await at.call("POST /patterns", { pattern: OFFICE })).data;
		await at.call(`PATCH /patterns/${id}`, { label: "Office" });
		await at.call("PUT /settings", { is_enabled: true });
		await at.call("PUT /settings", {});
		await at.call(`DELETE /patterns/${id}`);
		await at.call(`DELETE /patterns/${id}`);
		const entry = (action: string, resource: string | null, details: object) => ({ action, resource, details });
		assert.deepEqual(await at.audited(), [
			entry("ip_pattern.created", String(id), { pattern: OFFICE, pattern_type: "ip" }),
			entry("ip_pattern.updated", String(id), { label: [null, "Office"] }),
			entry("ip_allowlist.settings_updated", null, { is_enabled: [false, true] }),
			entry("ip_allowlist.settings_updated", null, { is_enabled: [true, false] }),
			entry("ip_pattern.deleted", String(id), { pattern: OFFICE, pattern_type: "ip" }),
		]);
	});
});
