import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { sharedAccountsApp, userForEach } from "../../../../test/support/accounts-app.ts";
import { allowlistClient, OFFICE, OUTSIDE } from "../../../../test/support/allowlist-client.ts";

const app = sharedAccountsApp();
const owner = userForEach(app, "Ann");
const site = "shop";
let at: ReturnType<typeof allowlistClient>;
beforeEach(async () => {
	await app.site(owner);
	at = allowlistClient(app, owner, site);
});

const post = (pattern: unknown, pattern_type?: string) =>
	at.call("POST /patterns", { pattern, ...(pattern_type && { pattern_type }) });
const created = async (pattern: string, pattern_type?: string): Promise<number> =>
	(await post(pattern, pattern_type)).data.id;
const total = async (query = "") => (await at.call(`GET /patterns${query}`)).data.total;
const checked = async (ip_address: string) => (await at.call("POST /check", { ip_address })).data;
const lines = (count: number, line: (index: number) => string) =>
	Array.from({ length: count }, (_, index) => line(index)).join("\n");

test("a list is off at first, and every pattern is kept once, in one form", async () => {
	const { created_at: createdAt } = (await app.call(`GET /sites/${site}`, { as: owner })).json().data;
	assert.deepEqual((await at.call("GET /settings")).data, {
		...{ account_id: site, is_enabled: false, enforce_for_api_tokens: true, enforce_for_dashboard: true },
		...{ active_patterns_count: 0, created_at: createdAt, updated_at: createdAt },
	});
	for (const [type, given, stored] of [
		["ip", " 203.0.113.7 ", "203.0.113.7"],
		["ip", "::ffff:203.0.113.8", "203.0.113.8"],
		["ip", "2001:0DB8:0:0::1", "2001:db8::1"],
		["cidr", "10.1.2.3/8", "10.0.0.0/8"],
		["cidr", "2001:db8:ffff::1/33", "2001:db8:8000::/33"],
		["regex", "^198\\.51\\.100\\..*$", "^198\\.51\\.100\\..*$"],
	] as const) {
		const { status, data } = await post(given, type);
		assert.deepEqual([status, data.pattern_type, data.pattern], [201, type, stored]);
	}
	const { data } = await at.call("GET /patterns");
	assert.deepEqual([data.total, data.active_count, data.patterns.length], [6, 6, 6]);
	const { id, created_at, updated_at, ...first } = data.patterns[0];
	const texts = { pattern: "203.0.113.7", pattern_type: "ip", label: null, description: null };
	assert.deepEqual(first, { account_id: site, ...texts, is_active: true, created_by: owner.id });
	assert.deepEqual([created_at, updated_at], ["2026-11-21T12:00:00.000Z", "2026-11-21T12:00:00.000Z"]);
	assert.deepEqual((await at.call(`GET /patterns/${id}`)).data, data.patterns[0]);
	for (const again of [
		await post("::ffff:203.0.113.7"),
		await at.call(`PATCH /patterns/${id}`, { pattern: "203.0.113.8" }),
	]) {
		assert.deepEqual([again.status, again.code], [409, "duplicate_entry"]);
	}
	const other = allowlistClient(app, owner, await app.site(owner));
	assert.equal((await other.call("POST /patterns", { pattern: "203.0.113.7" })).status, 201);
});

test("an invalid pattern is refused with its field", async () => {
	const wrong = {
		ip: ["203.0.113", "203.0.113.0/24", "010.0.0.1", "office", undefined],
		cidr: ["203.0.113.7", "203.0.113.0/33", "2001:db8::/129"],
		regex: ["([", "(?=look)ahead", "(.{1000}){1000}", "(.{0,100}){9}", "(.{0,8}){8}(.{0,8}){8}", "(.{0,19}){19}"],
	};
	for (const [type, patterns] of Object.entries(wrong)) {
		for (const pattern of patterns) {
			const { status, faults } = await post(pattern, type);
			assert.deepEqual([status, faults], [422, ["body.pattern"]], String(pattern));
		}
	}
	const id = await created("203.0.113.7");
	assert.deepEqual((await at.call(`PATCH /patterns/${id}`, { pattern_type: "cidr" })).faults, ["body.pattern"]);
	assert.deepEqual((await at.call("POST /check", { ip_address: "here" })).faults, ["body.ip_address"]);
});

test("expressions that keep other engines busy for years are answered at once", async () => {
	await at.allow(OFFICE);
	for (const pattern of ["(a+)+$", "(.*)*x", "((:*[0-9a-f]*)*)*x", "(?:[0-9a-f]+:?)+z", "^(([0-9.])+)+!$"]) {
		assert.equal((await post(pattern, "regex")).status, 201);
	}
	assert.equal((await checked("2001:db8:1111:2222:3333:4444:5555:6666")).matched_pattern, null);
});

test("an expression describes the whole address in its canonical form", async () => {
	const [four, six] = ["198\\.51\\.100\\.[0-9]+", "2001:DB8::.*"];
	for (const pattern of [four, six]) await post(pattern, "regex");
	const covering = { "198.51.100.77": four, "::ffff:198.51.100.77": four, "2001:0db8:0000::0005": six };
	for (const [ip, pattern] of Object.entries({ ...covering, "8.198.51.100": undefined })) {
		assert.equal((await checked(ip)).matched_pattern?.pattern, pattern);
	}
});

test("a pattern changes only in the fields given, and null clears a text", async () => {
	const texts = { label: "Office", description: "Floor 2" };
	const { id } = (await at.call("POST /patterns", { pattern: "203.0.113.7", ...texts })).data;
	app.clock.advance(1000);
	const { data } = await at.call(`PATCH /patterns/${id}`, { label: null, is_active: false, created_by: 99 });
	const { pattern, label, description, is_active: isActive, created_by: by } = data;
	assert.deepEqual([pattern, label, description, isActive, by], ["203.0.113.7", null, "Floor 2", false, owner.id]);
	assert.ok(data.updated_at > data.created_at);
	assert.deepEqual((await at.call("GET /patterns")).data, { patterns: [], total: 0, active_count: 0 });
	assert.equal(await total("?include_inactive=true"), 1);
	assert.equal((await at.call(`DELETE /patterns/${id}`)).status, 204);
	assert.equal((await at.call(`DELETE /patterns/${id}`)).status, 404);
});

test("a write that would shut its user out is refused, but for superadmins, who pass anyway", async () => {
	const put = (settings: object) => at.call("PUT /settings", settings);
	assert.equal((await put({ is_enabled: true })).code, "conflict");
	const root = allowlistClient(app, await app.user("Root", "superadmin"), site);
	assert.equal((await root.call("PUT /settings", { is_enabled: true })).status, 200);
	assert.equal((await at.call("GET /settings")).status, 403);
	await root.call("PUT /settings", { is_enabled: false });
	assert.equal((await at.call("GET /settings")).data.is_enabled, false);
	const id = await created(OFFICE);
	const spare = await created("192.0.2.0/24", "cidr");
	const { data: on } = await put({ is_enabled: true });
	assert.deepEqual([on.is_enabled, on.active_patterns_count], [true, 2]);
	for (const [route, body] of [
		[`DELETE /patterns/${id}`],
		[`PATCH /patterns/${id}`, { is_active: false }],
		[`PATCH /patterns/${id}`, { pattern: OUTSIDE }],
		["POST /patterns/bulk-delete", { pattern_ids: [spare, id] }],
	] as const) {
		assert.equal((await at.call(route, body)).code, "conflict", route);
	}
	assert.equal(await total(), 2);
	await post("203.0.113.0/24", "cidr");
	assert.equal((await at.call(`DELETE /patterns/${id}`)).status, 204);
	assert.equal((await put({ is_enabled: true, enforce_for_dashboard: false })).status, 200);
	const { data: kept } = await put({ enforce_for_api_tokens: true });
	assert.deepEqual([kept.is_enabled, kept.enforce_for_dashboard], [true, false], "what is omitted stays");
	assert.equal((await at.call("POST /patterns/bulk-delete", { pattern_ids: [spare] })).data.success_count, 1);
});

test("an address can be asked about before the list is switched on", async () => {
	const id = await created("203.0.113.0/24", "cidr");
	const { matched_pattern, ...off } = await checked("::FFFF:203.0.113.9");
	assert.deepEqual(off, { ip_address: "203.0.113.9", is_allowed: true, allowlist_enabled: false });
	assert.equal(matched_pattern.id, id);
	await at.call("PUT /settings", { is_enabled: true });
	const on = { ip_address: OUTSIDE, is_allowed: false, matched_pattern: null, allowlist_enabled: true };
	assert.deepEqual(await checked(OUTSIDE), on);
	const current = (await at.call("GET /check-current")).data;
	assert.deepEqual([current.ip_address, current.is_allowed, current.matched_pattern.id], [OFFICE, true, id]);
});

test("a plan without the feature can read its list, take from it and switch it off, and nothing else", async () => {
	const id = await created(OFFICE);
	await at.plan("scale");
	for (const [route, body] of [
		["PUT /settings", { is_enabled: true }],
		["POST /patterns", { pattern: "::1" }],
		[`PATCH /patterns/${id}`, { label: "x" }],
		["POST /patterns/bulk", { patterns: [{ pattern: "::1" }] }],
		["POST /import", { text: "::1" }],
	] as const) {
		const { status, code } = await at.call(route, body);
		assert.deepEqual([status, code], [403, "forbidden"], route);
	}
	assert.equal(await total(), 1);
	assert.equal((await at.call("PUT /settings", { is_enabled: false })).status, 200);
	assert.equal((await at.call(`DELETE /patterns/${id}`)).status, 204);
});

test("of many patterns the good ones are kept, and the others say why", async () => {
	const good = [
		{ pattern: "203.0.113.7", label: "Office" },
		{ pattern: "10.0.0.0/8", pattern_type: "cidr" },
	];
	const patterns = [good[0], { pattern: "nowhere" }, good[1], { pattern: "203.0.113.7" }];
	const { status, data } = await at.call("POST /patterns/bulk", { patterns });
	const errors = [
		{ index: 1, message: "Must be an IPv4 or IPv6 address" },
		{ index: 3, message: "The site already has this pattern" },
	];
	assert.deepEqual([status, data], [201, { success_count: 2, error_count: 2, errors }]);
	const ids = (await at.call("GET /patterns")).data.patterns.map(({ id }: { id: number }) => id);
	const removal = await at.call("POST /patterns/bulk-delete", { pattern_ids: [...ids, 2_000_000_000] });
	const missing = [{ index: 2, message: "Pattern not found" }];
	assert.deepEqual([removal.status, removal.data], [200, { success_count: 2, error_count: 1, errors: missing }]);
});

test("an exported list can be imported", async () => {
	const text = "203.0.113.7 # Office\n\n# nothing\n10.9.9.9/8\r\nnowhere\n203.0.113.7\n2001:db8::1#Home\n";
	const { data } = await at.call("POST /import", { text, label_prefix: "Old" });
	const errors = [{ index: 4, message: "Must be an IPv4 or IPv6 address" }];
	assert.deepEqual(data, { success_count: 3, error_count: 1, errors });
	const { data: exported } = await at.call("GET /export");
	const written = "203.0.113.7 # Old Office\n10.0.0.0/8 # Old\n2001:db8::1 # Old Home\n";
	assert.deepEqual(exported, { text: written, count: 3 });
	const again = (await at.call("POST /import", { text: written, skip_duplicates: false })).data;
	assert.deepEqual([again.success_count, again.error_count], [0, 3]);
	const other = allowlistClient(app, owner, await app.site(owner));
	assert.equal((await other.call("POST /import", { text: written })).data.success_count, 3);
	assert.deepEqual((await other.call("GET /export")).data, exported);
});

test("a site has at most 1,000 patterns, 100 of them expressions", async () => {
	const text = lines(101, (index) => `10\\.0\\.0\\.${index}`);
	const expressions = (await at.call("POST /import", { text, default_pattern_type: "regex" })).data;
	const tooMany = [{ index: 100, message: "A site has at most 100 regular expressions" }];
	assert.deepEqual(expressions, { success_count: 100, error_count: 1, errors: tooMany });
	const more = lines(901, (index) => `10.0.${index >> 8}.${index & 255}`);
	const { success_count: count, errors } = (await at.call("POST /import", { text: more })).data;
	assert.deepEqual([count, errors], [900, [{ index: 900, message: "A site has at most 1000 patterns" }]]);
	assert.equal((await post("::1")).code, "conflict");
});
