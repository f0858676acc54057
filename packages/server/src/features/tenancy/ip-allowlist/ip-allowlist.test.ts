import assert from "node:assert/strict";
import { beforeEach, describe, test } from "node:test";
import { sharedAccountsApp, userForEach } from "../../../../test/support/accounts-app.ts";
import { allowlistClient, OFFICE, OUTSIDE } from "../../../../test/support/allowlist-client.ts";

describe("IP allowlist", () => {
	const app = sharedAccountsApp();
	const owner = userForEach(app, "Ann");
	const site = "shop";
	let at: ReturnType<typeof allowlistClient>;
	beforeEach(async () => {
		await app.site(owner);
		at = allowlistClient(app, owner, site);
	});

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
		const { data } = await at.call("POST /check", asked);
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

	test("a pattern exists once a site and type", async () => {
		assert.equal((await at.call("POST /patterns", { pattern: "203.0.113.7" })).status, 201);
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
		const { data } = await at.call("PUT /settings", { enforce_for_api_tokens: true });
		assert.deepEqual(
			[data.is_enabled, data.enforce_for_dashboard],
			[true, false],
			"omitted switches keep their values",
		);
		assert.equal((await at.call("POST /patterns/bulk-delete", { pattern_ids: [spare] })).data.success_count, 1);
	});

	test("a superadmin may set a list that does not cover them", async () => {
		const root = allowlistClient(app, await app.user("Root", "superadmin"), site);
		assert.equal((await root.call("PUT /settings", { is_enabled: true })).status, 200);
		assert.equal((await at.call("GET /settings")).status, 403);
		assert.equal((await root.call("PUT /settings", { is_enabled: false })).data.is_enabled, false);
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
	});

	test("of many patterns the good ones are kept, and the others say why", async () => {
		const patterns = [
			{ pattern: "203.0.113.7", label: "Office" },
			{ pattern: "nowhere" },
			{ pattern: "10.0.0.0/8", pattern_type: "cidr" },
			{ pattern: "203.0.113.7" },
		];
		const answer = await at.call("POST /patterns/bulk", { patterns });
		assert.equal(answer.status, 201);
		assert.deepEqual(answer.data, {
			success_count: 2,
			error_count: 2,
			errors: [
				{ index: 1, message: "Must be an IPv4 or IPv6 address" },
				{ index: 3, message: "The site has this pattern already" },
			],
		});
		for (const wrong of [[], Array.from({ length: 101 }, () => ({ pattern: "::1" }))]) {
			assert.deepEqual((await at.call("POST /patterns/bulk", { patterns: wrong })).faults, ["body.patterns"]);
		}
		const ids = (await at.call("GET /patterns")).data.patterns.map(({ id }: { id: number }) => id);
		const removal = await at.call("POST /patterns/bulk-delete", { pattern_ids: [...ids, 2_000_000_000] });
		assert.deepEqual(
			[removal.status, removal.data],
			[200, { success_count: 2, error_count: 1, errors: [{ index: 2, message: "Pattern not found" }] }],
		);
	});

	test("what is exported can be imported", async () => {
		const text = "203.0.113.7 # Office\n\n# nothing\n10.9.9.9/8\r\nnowhere\n203.0.113.7\n2001:db8::1#Home\n";
		const answer = await at.call("POST /import", { text, label_prefix: "Old" });
		assert.deepEqual(
			[answer.status, answer.data],
			[200, { success_count: 3, error_count: 1, errors: [{ index: 4, message: "Must be an IPv4 or IPv6 address" }] }],
		);
		const exported = await at.call("GET /export");
		assert.deepEqual(exported.data, {
			text: "203.0.113.7 # Old Office\n10.0.0.0/8 # Old\n2001:db8::1 # Old Home\n",
			count: 3,
		});
		const again = await at.call("POST /import", { text: exported.data.text, skip_duplicates: false });
		assert.deepEqual([again.data.success_count, again.data.error_count], [0, 3]);
		const other = allowlistClient(app, owner, await app.site(owner));
		assert.equal((await other.call("POST /import", { text: exported.data.text })).data.success_count, 3);
		assert.deepEqual((await other.call("GET /export")).data, exported.data);
		assert.deepEqual((await at.call("POST /import", { text: "x".repeat(50_001) })).faults, ["body.text"]);
	});

	test("a site has at most 1,000 patterns, 100 of them expressions", async () => {
		const lines = (count: number, line: (index: number) => string) =>
			Array.from({ length: count }, (_, index) => line(index)).join("\n");
		const text = lines(101, (index) => `10\\.0\\.0\\.${index}`);
		const expressions = (await at.call("POST /import", { text, default_pattern_type: "regex" })).data;
		assert.deepEqual(expressions, {
			success_count: 100,
			error_count: 1,
			errors: [{ index: 100, message: "A site has at most 100 regular expressions" }],
		});
		const { data } = await at.call("POST /import", {
			text: lines(901, (index) => `10.0.${index >> 8}.${index & 255}`),
		});
		assert.deepEqual(
			[data.success_count, data.errors],
			[900, [{ index: 900, message: "A site has at most 1000 patterns" }]],
		);
		assert.equal((await at.call("POST /patterns", { pattern: "::1" })).code, "conflict");
	});
});
