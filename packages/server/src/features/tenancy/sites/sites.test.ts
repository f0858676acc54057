import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { type SignedIn, sharedAccountsApp, userForEach } from "../../../../test/support/accounts-app.ts";
import { auditTrail } from "../../../../test/support/audit-trail.ts";
import { sendHits } from "../../../../test/support/hits.ts";
import { codeOf, messageOf } from "../../../../test/support/refusals.ts";
import { teamForEach } from "../../../../test/support/team.ts";
import { siteMembers } from "./store.ts";

const app = sharedAccountsApp();

describe("sites", () => {
	const ann = userForEach(app, "Ann");

	const call = (route: string, body?: object, as = ann) => app.call(route, { as, body });
	const got = async (route: string, as = ann) => (await call(`GET ${route}`, undefined, as)).json().data;
	const create = (body: object, as = ann) => call("POST /sites", body, as);
	const patch = (body: object) => call("PATCH /sites/shop", body);
	const invalidDomain = [400, "invalid_domain"];
	const unknownId = "0b8f6a1e-0000-4000-8000-000000000000";

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
		const listed = { sites: [{ ...site, role: "owner", is_new: true }], total: 1, ip_filtered_accounts: [] };
		assert.deepEqual(await got("/sites"), listed);
	});

	test("GET /sites calls a site new until its first data are two days old, by the days of its time zone", async () => {
		await app.site(ann, { timezone: "Pacific/Auckland" });
		const isNew = async () => (await got("/sites", await app.signIn(ann.email))).sites[0].is_new;
		// 23:30 in Auckland.
		app.clock.set("2026-11-22T10:30:00.000Z");
		await sendHits(app, [{ site: "shop", url: "https://shop.example/" }]);
		assert.equal(await isNew(), true);
		app.clock.set("2026-11-23T10:59:00.000Z");
		assert.equal(await isNew(), true);
		app.clock.set("2026-11-23T11:00:00.000Z");
		assert.equal(await isNew(), false);
	});

	test("an absent field gets its default, and the organization of a member is chosen by its id", async () => {
		await app.site(ann);
		const bob = await app.user("Bob");
		const { id, domains, timezone, currency } = (await create({ name: "Shop" }, bob)).json().data;
		assert.deepEqual([id, domains, timezone, currency], ["shop-2", [], "UTC", "EUR"]);
		const { org_slug: slug, is_own: isOwn } = await got("/sites/shop-2", bob);
		assert.deepEqual([slug, isOwn], ["bob", true]);
		const orgId = app.sites.get("shop")?.organizationId;
		assert.equal((await create({ name: "Second", org_id: orgId })).statusCode, 201);
		const root = await app.user("Root", "superadmin");
		assert.equal((await got("/sites", root)).total, 3);
		assert.equal((await got("/sites/shop", root)).is_own, false);
	});

	test("the time zones that can be chosen", async () => {
		const { timezones, total } = await got("/sites/config/timezones");
		assert.equal(total, timezones.length);
		const madrid = { timezone: "Europe/Madrid", country_code: "ES", country_name: "Spain" };
		const found = timezones.find(({ timezone }: { timezone: string }) => timezone === madrid.timezone);
		assert.deepEqual(found, madrid);
	});

	test("a zone, a domain and an organization that do not exist are refused, and no site is made", async () => {
		for (const timezone of ["Mars/Olympus", "", " ", "+01:00", "Europe"]) {
			assert.deepEqual(codeOf(await create({ name: "x", timezone })), [400, "invalid_timezone"]);
		}
		assert.deepEqual(codeOf(await create({ name: "x", domains: ["no host"] })), invalidDomain);
		assert.deepEqual(codeOf(await create({ name: "x", org_id: unknownId })), [404, "not_found"]);
		assert.equal((await got("/sites")).total, 0);
		assert.deepEqual(codeOf(await call("GET /sites/a%00b")), [404, "account_not_found"]);
	});

	test("settings change one by one, and the directory knows at once", async () => {
		await app.site(ann, { domains: ["example.com"] });
		app.clock.advance(1000);
		const changes = { name: "New", timezone: "America/Lima", bot_threshold: 60, automatic_events: ["scroll", "form"] };
		const { data } = (await patch({ ...changes, currency: "pen", unknown: 1 })).json();
		const changed = { ...data, ...changes, currency: "PEN", updated_at: "2026-11-21T12:00:01.000Z" };
		assert.deepEqual(data, changed);
		const { organizationId: _, ...known } = app.sites.get("shop") ?? {};
		assert.deepEqual(known, {
			...{ id: "shop", name: "New", timezone: "America/Lima", currency: "PEN", isActive: true, botThreshold: 60 },
			...{
				automaticEvents: ["scroll", "form"],
				goals: [],
				domains: ["example.com"],
				utmMappings: [],
				forgottenVisits: [],
			},
			...{ blockedAddresses: undefined, lifetimeEventLimit: null },
		});
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
	});

	test("a domain and a UTM mapping of one site are never changed or removed by another", async () => {
		await app.site(ann);
		await create({ name: "Other" });
		for (const site of ["shop", "other"]) {
			await call(`POST /sites/${site}/domains`, { domain: "example.com" });
			await call(`POST /sites/${site}/utm-mappings`, { custom_param: "src", maps_to: "utm_source" });
		}
		assert.deepEqual(codeOf(await call("PATCH /sites/other/utm-mappings/1", { is_active: false })), [404, "not_found"]);
		for (const what of ["domains/example.com", "utm-mappings/src"]) {
			assert.equal((await call(`DELETE /sites/other/${what}`)).statusCode, 200);
			assert.deepEqual(codeOf(await call(`DELETE /sites/other/${what}`)), [404, "not_found"]);
		}
		assert.deepEqual((await got("/sites/shop/domains")).total, 1);
		const { mappings } = await got("/sites/shop/utm-mappings");
		const found = mappings.map(({ is_active }: { is_active: boolean }) => is_active);
		assert.deepEqual(found, [true]);
	});
});

describe("site users", () => {
	const team = teamForEach(app);
	const { ann, bob, cleo, stranger } = team;

	const give = (user: SignedIn, role: "owner" | "admin" | "editor" | "viewer", siteId = "shop") =>
		siteMembers.insert(app.metadata, { site_id: siteId, user_id: user.id, role, created_at: app.clock.now() + 1 });
	const add = (as: SignedIn, body: object, site = "shop") => app.call(`POST /sites/${site}/users`, { as, body });
	const change = (as: SignedIn, user: { id: number }, role: string, site = "shop") =>
		app.call(`PATCH /sites/${site}/users/${user.id}`, { as, body: { role } });
	const remove = (as: SignedIn, user: { id: number }, site = "shop") =>
		app.call(`DELETE /sites/${site}/users/${user.id}`, { as });
	const got = async (route: string, as: { readonly headers: Readonly<Record<string, string>> }) =>
		(await app.call(`GET ${route}`, { as })).json().data;

	test("the list holds everybody who reaches the site, with the highest role, and they see that role", async () => {
		await give(cleo, "editor");
		await give(bob, "viewer");
		const { users, total } = await got("/sites/shop/users", cleo);
		const created = { created_at: "2026-11-21T12:00:00.000Z" };
		const first = { user_id: ann.id, email: "ann@example.com", name: "Ann", role: "owner", via: "organization" };
		assert.deepEqual(users[0], { ...first, ...created });
		const roles = users.map((one: { name: string; role: string }) => `${one.name} ${one.role}`);
		assert.deepEqual(roles, ["Ann owner", "Bob admin", "Cleo editor"]);
		assert.deepEqual([total, (await got("/sites/shop", ann)).user_count], [3, 3]);
		for (const [index, as] of [ann, bob, cleo].entries()) {
			const listed = (await got("/sites", as)).sites.find(({ id }: { id: string }) => id === "shop");
			assert.deepEqual([listed.role, (await got("/sites/shop", as)).role], [users[index].role, users[index].role]);
		}
	});

	test("a user who is added reaches the site in the next request, and no longer once removed", async () => {
		const token = await app.call("POST /api-tokens", { as: cleo, body: { name: "k", scopes: ["sites:read"] } });
		const key = { headers: { "x-api-key": token.json().data.token as string } };
		const reach = async () => {
			const lists = [await got("/sites", cleo), await got("/sites", key)];
			return lists.map(({ sites }) => sites.map(({ id }: { id: string }) => id).join());
		};
		assert.deepEqual(await reach(), ["", ""]);
		app.clock.advance(1000);
		const added = (await add(bob, { user_id: cleo.id })).json().data;
		const created = { created_at: "2026-11-21T12:00:01.000Z" };
		const shown = { user_id: cleo.id, email: "cleo@example.com", name: "Cleo", role: "viewer", via: "site" };
		assert.deepEqual(added, { ...shown, ...created });
		assert.deepEqual(await reach(), ["shop", "shop"]);
		assert.deepEqual(codeOf(await add(bob, { user_id: cleo.id })), [409, "duplicate_entry"]);
		assert.equal((await change(bob, cleo, "admin")).json().data.role, "admin");
		assert.equal((await app.call("PATCH /sites/shop", { as: cleo, body: { name: "New" } })).statusCode, 200);
		assert.deepEqual((await remove(bob, cleo)).json().data, { removed: true, user_id: cleo.id });
		assert.deepEqual(await reach(), ["", ""]);
		for (const as of [key, cleo]) assert.equal((await app.call("GET /sites/shop", { as })).statusCode, 403);
		const trail = await auditTrail(app, "member.");
		assert.ok(trail.every(({ user, resource }) => user === bob.id && resource === String(cleo.id)));
		const found = trail.map(({ action, site, details }) => [action, site, details.role]);
		assert.deepEqual(found, [
			["member.created", "shop", [null, "viewer"]],
			["member.updated", "shop", ["viewer", "admin"]],
			["member.deleted", "shop", ["admin", null]],
		]);
	});

	test("a superadmin adds any active user, who reaches that site alone; others add those of the organization", async () => {
		const root = await app.user("Root", "superadmin");
		const dora = await app.user("Dora");
		assert.equal((await add(root, { user_id: stranger.id, role: "editor" })).json().data.role, "editor");
		const sites = (await got("/sites", stranger)).sites.map(({ id }: { id: string }) => id).sort();
		assert.deepEqual(sites, ["far", "shop"]);
		await team.deactivate(cleo);
		for (const [as, id] of [
			[root, 99_999],
			[root, cleo.id],
			[ann, dora.id],
		] as const) {
			assert.deepEqual(codeOf(await add(as, { user_id: id })), [404, "user_not_found"]);
		}
		// Somebody of the organization by a role on another of its sites.
		await give(dora, "viewer", "blog");
		assert.equal((await add(ann, { user_id: dora.id })).statusCode, 201);
	});

	test("a role on one site changes nothing on another", async () => {
		await give(cleo, "admin");
		assert.deepEqual(messageOf(await change(cleo, bob, "viewer", "blog")), [403, "Access denied to account: blog"]);
		await give(cleo, "viewer", "blog");
		assert.equal((await app.call("GET /sites/blog/users", { as: cleo })).statusCode, 200);
		assert.deepEqual(messageOf(await add(cleo, { user_id: bob.id }, "blog")), [403, "Required role: admin"]);
	});

	test("only an owner makes, changes or removes owners", async () => {
		await give(cleo, "admin");
		await give(stranger, "owner");
		for (const as of [bob, cleo]) {
			for (const response of [
				await change(as, as, "owner"),
				await change(as, stranger, "admin"),
				await remove(as, stranger),
				await remove(as, ann),
				await change(as, ann, "viewer"),
			]) {
				assert.deepEqual(messageOf(response), [403, "Required role: owner"]);
			}
		}
		assert.equal((await change(ann, cleo, "owner")).json().data.role, "owner");
		assert.equal((await remove(cleo, stranger)).statusCode, 200);
	});

	test("the last owner of a site stays, and roles of the organization are changed there", async () => {
		const bad = [400, "bad_request"];
		const conflict = [409, "conflict"];
		assert.deepEqual(codeOf(await remove(ann, ann)), bad);
		assert.deepEqual(codeOf(await change(ann, ann, "viewer")), bad);
		assert.deepEqual(codeOf(await change(ann, bob, "viewer")), conflict);
		assert.deepEqual(codeOf(await remove(ann, bob)), conflict);
		assert.equal((await change(ann, bob, "admin")).json().data.role, "admin");
		await give(cleo, "owner");
		assert.deepEqual(codeOf(await remove(ann, ann)), conflict);
		assert.equal((await remove(cleo, cleo)).statusCode, 200);
	});
});
