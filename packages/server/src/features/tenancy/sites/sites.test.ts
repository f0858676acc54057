import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { sharedAccountsApp, userForEach } from "../../../../test/support/accounts-app.ts";
import { codeOf, fieldsOf } from "../../../../test/support/refusals.ts";

/** Pages hold copies of it, and content policies its hash. */
const callStub =
	'typeof window.footfall=="function"&&window.footfall.conv||function(q){function f(m){return function(){q[99]||q.push([m,arguments])}}var s=window.footfall=f("pv");s.conv=f("cv");s.micro=f("mc");s.q=q}([])';

describe("sites", () => {
	const app = sharedAccountsApp();
	const ann = userForEach(app, "Ann");

	const call = (route: string, body?: object, as = ann) => app.call(route, { as, body });
	const got = async (route: string, as = ann) => (await call(`GET ${route}`, undefined, as)).json().data;
	const create = (body: object, as = ann) => call("POST /sites", body, as);
	const patch = (body: object) => call("PATCH /sites/shop", body);
	const invalidDomain = [400, "invalid_domain"];

	test("a site belongs to its creator's personal organization", async () => {
		const domains = ["https://www.Example.com/", "example.com", "bücher.example"];
		const response = await create({ name: "Café Zürich", domains, timezone: "europe/zurich", currency: "chf" });
		const site = {
			...{ id: "cafe-zurich", name: "Café Zürich", domains: ["example.com", "xn--bcher-kva.example"] },
			...{ timezone: "Europe/Zurich", currency: "CHF", is_active: true, bot_threshold: 80, lens_tier: "guard" },
			automatic_events: [],
			goals: [],
			...{ data_retention_months: null, data_retention_pending: null, purge_at: null, user_count: 1 },
			...{ created_at: "2026-11-21T12:00:00.000Z", updated_at: null, created_by: ann.id },
		};
		assert.deepEqual([response.statusCode, response.json().data], [201, site]);
		assert.deepEqual(await got("/sites/cafe-zurich"), {
			...{ ...site, role: "owner", is_own: true, organization_role: "owner", org_name: "Ann", org_slug: "ann" },
			...{ owner_email: "ann@example.com", plan_features: ["webhooks", "audit", "ip_allowlist"] },
		});
		const listed = { sites: [{ ...site, role: "owner" }], total: 1, ip_filtered_accounts: [] };
		assert.deepEqual(await got("/sites"), listed);
	});

	test("what is left out gets its default; an organization that the caller does not belong to does not exist", async () => {
		await app.site(ann);
		const bob = await app.user("Bob");
		const { id, domains, timezone, currency } = (await create({ name: "Shop" }, bob)).json().data;
		assert.deepEqual([id, domains, timezone, currency], ["shop-2", [], "UTC", "EUR"]);
		const { org_slug: slug, is_own: isOwn } = await got("/sites/shop-2", bob);
		assert.deepEqual([slug, isOwn], ["bob", true]);
		const orgId = app.sites.get("shop")?.organizationId;
		for (const org_id of [orgId, "0b8f6a1e-0000-4000-8000-000000000000"]) {
			assert.deepEqual(codeOf(await create({ name: "x", org_id }, bob)), [404, "not_found"]);
		}
		assert.equal((await create({ name: "Second", org_id: orgId })).statusCode, 201);
		const root = await app.user("Root", "superadmin");
		assert.equal((await got("/sites", root)).total, 3);
		assert.equal((await got("/sites/shop", root)).is_own, false);
	});

	test("faulty input names its field", async () => {
		const tooMany = Array.from({ length: 51 }, (_, i) => `d${i}.example`);
		for (const [field, values] of Object.entries({
			name: [undefined, " ", "a\u0000b", "x".repeat(256)],
			timezone: ["x".repeat(65)],
			currency: ["EURO"],
			domains: ["example.com", tooMany],
			org_id: ["7"],
		})) {
			for (const value of values) {
				assert.deepEqual(fieldsOf(await create({ name: "x", [field]: value })), [422, `body.${field}`]);
			}
		}
		for (const timezone of ["Mars/Olympus", "", " ", "+01:00", "Europe"]) {
			assert.deepEqual(codeOf(await create({ name: "x", timezone })), [400, "invalid_timezone"]);
		}
		assert.deepEqual(codeOf(await create({ name: "x", domains: ["no host"] })), invalidDomain);
		assert.equal((await got("/sites")).total, 0);
		for (const id of ["nowhere", "0123456789abcdef01234567", "a%00b"]) {
			assert.deepEqual(codeOf(await call(`GET /sites/${id}`)), [404, "account_not_found"], id);
		}
	});

	test("settings change one by one, and the directory knows at once", async () => {
		await app.site(ann, { domains: ["example.com"] });
		app.clock.advance(1000);
		const changes = { name: "New", timezone: "America/Lima", bot_threshold: 60, automatic_events: ["scroll", "form"] };
		const { data } = (await patch({ ...changes, currency: "pen", unknown: 1 })).json();
		const changed = { ...data, ...changes, currency: "PEN", updated_at: "2026-11-21T12:00:01.000Z" };
		assert.deepEqual(data, changed);
		assert.deepEqual(app.sites.get("shop"), {
			id: "shop",
			organizationId: app.sites.get("shop")?.organizationId,
			name: "New",
			timezone: "America/Lima",
			currency: "PEN",
			isActive: true,
			botThreshold: 60,
			automaticEvents: ["scroll", "form"],
			goals: [],
			domains: ["example.com"],
			utmMappings: [],
			blockedAddresses: undefined,
			forgottenVisits: [],
			lifetimeEventLimit: null,
		});
		const wrong = [{ name: null }, { name: "" }, { bot_threshold: 0 }, { bot_threshold: "5" }, { is_active: 1 }];
		for (const body of [...wrong, { automatic_events: ["clicks"] }, { automatic_events: ["form", "form"] }]) {
			assert.equal((await patch(body)).statusCode, 422, JSON.stringify(body));
		}
		assert.deepEqual(codeOf(await patch({ timezone: "Nowhere/City" })), [400, "invalid_timezone"]);
		assert.equal((await patch({ timezone: "Asia/Calcutta" })).json().data.timezone, "Asia/Calcutta");
	});

	test("a deleted site is inactive, readable, and can come back, as long as the plan has a place", async () => {
		await app.site(ann);
		assert.deepEqual((await call("DELETE /sites/shop")).json().data, { deleted: true, site_id: "shop" });
		assert.equal(app.sites.get("shop")?.isActive, false);
		const totals = [(await got("/sites")).total, (await got("/sites?include_inactive=true")).total];
		assert.deepEqual([totals, (await got("/sites/shop")).is_active], [[0, 1], false]);
		assert.equal((await patch({ is_active: true })).json().data.is_active, true);
		assert.equal(app.sites.get("shop")?.isActive, true);
		await call("DELETE /sites/shop");
		await app.site(ann, { name: "Second" });
		const as = await app.user("Root", "superadmin");
		await app.call("PATCH /admin/organizations/ann/plan", { as, body: { plan_tier: "free" } });
		assert.deepEqual(codeOf(await patch({ is_active: true })), [429, "quota_exceeded"]);
	});

	test("the time zones that can be chosen", async () => {
		const { timezones, total } = await got("/sites/config/timezones");
		assert.equal(total, timezones.length);
		const find = (name: string) => timezones.find(({ timezone }: { timezone: string }) => timezone === name);
		const madrid = { timezone: "Europe/Madrid", country_code: "ES", country_name: "Spain" };
		assert.deepEqual([find("Europe/Madrid"), find("UTC").country_code], [madrid, "Unknown"]);
	});

	test("domains are added in one form, listed and removed by path or query", async () => {
		await app.site(ann);
		const domains = "/sites/shop/domains";
		const add = (domain?: unknown) => call(`POST ${domains}`, { domain });
		const added = await add("https://WWW.Example.com:443/x");
		const domain = { id: 1, domain: "example.com", is_active: true, created_at: "2026-11-21T12:00:00.000Z" };
		assert.deepEqual([added.statusCode, added.json().data], [201, domain]);
		assert.deepEqual(app.sites.get("shop")?.domains, ["example.com"]);
		assert.deepEqual(await got(domains), { domains: [domain], total: 1 });
		assert.deepEqual(codeOf(await add("example.com")), [409, "duplicate_entry"]);
		const texts = ["a\u0000.example", "1.2.3", "127.1", "[::1", "http://", "a b.example", "a.123"];
		texts.push("*.example.com", "-a.example", "a-.example", "a..example", ".example.com", "user@example.com");
		for (const faulty of [...texts, "x_y.example", `${"a".repeat(64)}.example`, `${"a.".repeat(124)}example`]) {
			assert.deepEqual(codeOf(await add(faulty)), invalidDomain, faulty);
		}
		for (const faulty of [undefined, "ab", "x".repeat(256), null]) assert.equal((await add(faulty)).statusCode, 422);
		await add("localhost:3000");
		for (const [where, removed] of [
			["/www.EXAMPLE.com", "example.com"],
			["?domain=localhost", "localhost"],
		]) {
			assert.deepEqual((await call(`DELETE ${domains}${where}`)).json().data, { removed: true, domain: removed });
		}
		assert.deepEqual(app.sites.get("shop")?.domains, []);
		for (const gone of ["example.com", "not%20a%20host"]) {
			assert.deepEqual(codeOf(await call(`DELETE ${domains}/${gone}`)), [404, "not_found"]);
		}
		assert.deepEqual(fieldsOf(await call(`DELETE ${domains}`)), [422, "query.domain"]);
		for (const [text, stored] of Object.entries({
			" Example.COM ": "example.com",
			"https://www.b.example:8443/path?x=1#y": "b.example",
			"//shop.c.example/": "shop.c.example",
			"d.example.": "d.example",
			"www.www.e.example": "www.e.example",
			"例え.テスト": "xn--r8jz45g.xn--zckzah",
			"a-b.c1.example": "a-b.c1.example",
			"http://localhost:8080/": "localhost",
			"www.shop.localhost": "shop.localhost",
			"127.0.0.1:3000": "127.0.0.1",
			"http://[0:0:0:0:0:0:0:1]:3000": "[::1]",
			"FE80::1": "[fe80::1]",
			"Intranet:8080": "intranet",
		})) {
			assert.equal((await add(text)).json().data?.domain, stored, text);
		}
	});

	test("UTM mappings are added, changed and removed by path or query", async () => {
		await app.site(ann);
		const mappings = "/sites/shop/utm-mappings";
		const add = (custom_param: string, maps_to: string) => call(`POST ${mappings}`, { custom_param, maps_to });
		const first = await add("src", "utm_source");
		const mapping = { custom_param: "src", maps_to: "utm_source", is_active: true };
		const created = { id: 1, created_at: "2026-11-21T12:00:00.000Z" };
		assert.deepEqual([first.statusCode, first.json().data], [201, { ...mapping, ...created }]);
		assert.equal((await add("SRC", "utm_source")).statusCode, 201);
		assert.deepEqual(codeOf(await add("src", "utm_medium")), [409, "duplicate_entry"]);
		assert.equal((await got(mappings)).total, 2);
		const used = ["src", "SRC"].map((customParam) => ({ customParam, mapsTo: "utm_source" }));
		assert.deepEqual(app.sites.get("shop")?.utmMappings, used);
		assert.equal((await call(`PATCH ${mappings}/1`, { maps_to: "utm_term" })).json().data.maps_to, "utm_term");
		const off = (await call(`PATCH ${mappings}?mapping_id=1`, { is_active: false })).json().data;
		assert.deepEqual([off.maps_to, off.is_active], ["utm_term", false]);
		assert.equal((await call(`PATCH ${mappings}/1`, {})).statusCode, 200);
		assert.deepEqual(app.sites.get("shop")?.utmMappings, used.slice(1));
		const removed = await call(`DELETE ${mappings}/src`);
		assert.deepEqual(removed.json().data, { removed: true, custom_param: "src" });
		assert.equal((await call(`DELETE ${mappings}?custom_param=SRC`)).statusCode, 200);
		assert.deepEqual(codeOf(await call(`DELETE ${mappings}/src`)), [404, "not_found"]);
		const faulty = [
			await add("", "utm_source"),
			await add("x".repeat(101), "utm_source"),
			await add("x", "gclid"),
			await call(`PATCH ${mappings}`, {}),
		];
		for (const { statusCode } of faulty) assert.equal(statusCode, 422);
	});

	test("the snippet names the tracker under the public address", async () => {
		await app.site(ann);
		const { instructions, ...pixel } = await got("/sites/shop/pixel");
		assert.deepEqual(pixel, {
			account_id: "shop",
			site_id: "shop",
			script_tag: `<script>${callStub}</script><script src="https://stats.example/t.js?id=shop" defer></script>`,
			tracker_url: "https://stats.example/t.js?id=shop",
		});
		assert.match(instructions, /script tag/);
	});
});
