import assert from "node:assert/strict";
import { beforeEach, describe, test } from "node:test";
import { accountsApp, type SignedIn, sharedAccountsApp } from "../../../../test/support/accounts-app.ts";
import { codeOf } from "../../../../test/support/refusals.ts";
import { createSiteDirectory } from "./site-directory.ts";

/** Pages hold copies of it, and content policies its hash. */
const callStub =
	'typeof window.footfall=="function"&&window.footfall.conv||function(q){function f(m){return function(){q[99]||q.push([m,arguments])}}var s=window.footfall=f("pv");s.conv=f("cv");s.micro=f("mc");s.q=q}([])';

describe("a site's settings", () => {
	const app = sharedAccountsApp();
	let ann: SignedIn;
	beforeEach(async () => {
		ann = await app.user("Ann");
		await app.site(ann);
	});

	const call = (route: string, body?: object) => app.call(route, { as: ann, body });

	test("domains are added, listed and removed by path or query", async () => {
		const added = await call("POST /sites/shop/domains", { domain: "https://WWW.Example.com:443/x" });
		const domain = { id: 1, domain: "example.com", is_active: true, created_at: "2026-11-21T12:00:00.000Z" };
		assert.equal(added.statusCode, 201);
		assert.deepEqual(added.json().data, domain);
		assert.deepEqual(app.sites.get("shop")?.domains, ["example.com"]);
		assert.deepEqual((await call("GET /sites/shop/domains")).json().data, { domains: [domain], total: 1 });
		assert.deepEqual(codeOf(await call("POST /sites/shop/domains", { domain: "example.com" })), [
			409,
			"duplicate_entry",
		]);
		await call("POST /sites/shop/domains", { domain: "localhost:3000" });
		const byPath = await call("DELETE /sites/shop/domains/www.EXAMPLE.com");
		assert.deepEqual(byPath.json().data, { removed: true, domain: "example.com" });
		const byQuery = await call("DELETE /sites/shop/domains?domain=localhost");
		assert.deepEqual(byQuery.json().data, { removed: true, domain: "localhost" });
		assert.deepEqual(app.sites.get("shop")?.domains, []);
		assert.deepEqual(codeOf(await call("DELETE /sites/shop/domains/example.com")), [404, "not_found"]);
		assert.deepEqual(codeOf(await call("DELETE /sites/shop/domains/not%20a%20host")), [404, "not_found"]);
		assert.equal((await call("DELETE /sites/shop/domains")).json().error.detail[0].field, "query.domain");
	});

	test("faulty domains", async () => {
		assert.deepEqual(codeOf(await call("POST /sites/shop/domains", { domain: "single" })), [400, "invalid_domain"]);
		assert.deepEqual(codeOf(await call("POST /sites/shop/domains", { domain: "10.0.0.1" })), [400, "invalid_domain"]);
		assert.deepEqual(codeOf(await call("POST /sites/shop/domains", { domain: "a\u0000.example" })), [
			400,
			"invalid_domain",
		]);
		for (const body of [{}, { domain: "ab" }, { domain: "x".repeat(256) }, { domain: null }]) {
			assert.equal((await call("POST /sites/shop/domains", body)).statusCode, 422);
		}
	});

	test("UTM mappings are added, changed and removed by path or query", async () => {
		const add = (custom_param: string, maps_to: string) =>
			call("POST /sites/shop/utm-mappings", { custom_param, maps_to });
		const first = await add("src", "utm_source");
		assert.equal(first.statusCode, 201);
		assert.deepEqual(first.json().data, {
			id: 1,
			custom_param: "src",
			maps_to: "utm_source",
			is_active: true,
			created_at: "2026-11-21T12:00:00.000Z",
		});
		assert.equal((await add("SRC", "utm_source")).statusCode, 201);
		assert.deepEqual(codeOf(await add("src", "utm_medium")), [409, "duplicate_entry"]);
		assert.equal((await call("GET /sites/shop/utm-mappings")).json().data.total, 2);
		assert.deepEqual(app.sites.get("shop")?.utmMappings, [
			{ customParam: "src", mapsTo: "utm_source" },
			{ customParam: "SRC", mapsTo: "utm_source" },
		]);
		const changed = await call("PATCH /sites/shop/utm-mappings/1", { maps_to: "utm_term" });
		assert.equal(changed.json().data.maps_to, "utm_term");
		const off = await call("PATCH /sites/shop/utm-mappings?mapping_id=1", { is_active: false });
		assert.deepEqual([off.json().data.maps_to, off.json().data.is_active], ["utm_term", false]);
		assert.equal((await call("PATCH /sites/shop/utm-mappings/1", {})).statusCode, 200);
		assert.deepEqual(app.sites.get("shop")?.utmMappings, [{ customParam: "SRC", mapsTo: "utm_source" }]);
		const removed = await call("DELETE /sites/shop/utm-mappings/src");
		assert.deepEqual(removed.json().data, { removed: true, custom_param: "src" });
		assert.equal((await call("DELETE /sites/shop/utm-mappings?custom_param=SRC")).statusCode, 200);
		assert.deepEqual(codeOf(await call("DELETE /sites/shop/utm-mappings/src")), [404, "not_found"]);
	});

	test("faulty mappings are 422", async () => {
		const post = (body: object) => call("POST /sites/shop/utm-mappings", body);
		assert.equal((await post({ custom_param: "", maps_to: "utm_source" })).statusCode, 422);
		assert.equal((await post({ custom_param: "x".repeat(101), maps_to: "utm_source" })).statusCode, 422);
		assert.equal((await post({ custom_param: "x", maps_to: "gclid" })).statusCode, 422);
		assert.equal((await call("PATCH /sites/shop/utm-mappings/x", {})).statusCode, 422);
		assert.equal((await call("PATCH /sites/shop/utm-mappings", {})).statusCode, 422);
	});

	test("the snippet names the tracker under the public address", async () => {
		const { instructions, ...pixel } = (await call("GET /sites/shop/pixel")).json().data;
		assert.deepEqual(pixel, {
			account_id: "shop",
			site_id: "shop",
			script_tag: `<script>${callStub}</script><script src="https://stats.example/t.js?id=shop" defer></script>`,
			tracker_url: "https://stats.example/t.js?id=shop",
		});
		assert.match(instructions, /script tag/);
	});

	test("rejections are marked as not available where no collector runs", async (t) => {
		const apart = await accountsApp({ env: { ROLES: "api,jobs" } });
		t.after(() => apart.close());
		const as = await apart.user("Ann");
		await apart.site(as);
		const rejections = (query = "") => apart.call(`GET /sites/shop/pixel/rejections${query}`, { as });
		assert.deepEqual((await rejections()).json().data, {
			account_id: "shop",
			window_minutes: 60,
			available: false,
			accepted: 0,
			rejected: 0,
			reasons: [],
		});
		for (const minutes of ["0", "1441", "x"]) assert.equal((await rejections(`?minutes=${minutes}`)).statusCode, 422);
	});

	test("another process notices a change by its count, and reads nothing without one", async () => {
		const elsewhere = await createSiteDirectory({ clock: app.clock, metadata: app.metadata });
		const before = elsewhere.get("shop");
		await elsewhere.refresh();
		assert.equal(elsewhere.get("shop"), before);
		await call("POST /sites/shop/domains", { domain: "example.com" });
		await elsewhere.refresh();
		assert.deepEqual(elsewhere.get("shop")?.domains, ["example.com"]);
		assert.deepEqual(
			elsewhere.ofOrganization(before?.organizationId ?? "").map(({ id }) => id),
			["shop"],
		);
		elsewhere.stop();
	});
});
