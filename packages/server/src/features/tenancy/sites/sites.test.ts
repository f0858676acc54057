import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Tables } from "../../../../migrations/metadata/tables/index.ts";
import { sharedAccountsApp, userForEach } from "../../../../test/support/accounts-app.ts";
import { codeOf, fieldsOf } from "../../../../test/support/refusals.ts";
import { countSiteChange } from "./store.ts";

describe("sites", () => {
	const app = sharedAccountsApp();
	const ann = userForEach(app, "Ann");

	const create = (body: object, as = ann) => app.call("POST /sites", { as, body });
	const patch = (body: object, as = ann) => app.call("PATCH /sites/shop", { as, body });

	test("a site belongs to its creator's personal organization", async () => {
		const response = await create({
			name: "Café Zürich",
			domains: ["https://www.Example.com/", "example.com", "bücher.example"],
			timezone: "europe/zurich",
			currency: "chf",
		});
		assert.equal(response.statusCode, 201);
		const site = {
			id: "cafe-zurich",
			name: "Café Zürich",
			domains: ["example.com", "xn--bcher-kva.example"],
			timezone: "Europe/Zurich",
			currency: "CHF",
			is_active: true,
			bot_threshold: 80,
			data_retention_months: null,
			data_retention_pending: null,
			purge_at: null,
			lens_tier: "guard",
			created_at: "2026-11-21T12:00:00.000Z",
			updated_at: null,
			created_by: ann.id,
			user_count: 1,
		};
		assert.deepEqual(response.json().data, site);
		const detail = await app.call("GET /sites/cafe-zurich", { as: ann });
		assert.deepEqual(detail.json().data, {
			...site,
			role: "owner",
			is_own: true,
			organization_role: "owner",
			org_name: "Ann",
			org_slug: "ann",
			owner_email: "ann@example.com",
			plan_features: ["webhooks", "audit", "ip_allowlist"],
		});
		const list = await app.call("GET /sites", { as: ann });
		assert.deepEqual(list.json().data, { sites: [{ ...site, role: "owner" }], total: 1, ip_filtered_accounts: [] });
	});

	test("what is left out gets its default, in the creator's own personal organization", async () => {
		await app.site(ann);
		const bob = await app.user("Bob");
		const { id, domains, timezone, currency } = (await create({ name: "Shop" }, bob)).json().data;
		assert.deepEqual([id, domains, timezone, currency], ["shop-2", [], "UTC", "EUR"]);
		const detail = await app.call("GET /sites/shop-2", { as: bob });
		assert.deepEqual([detail.json().data.org_slug, detail.json().data.is_own], ["bob", true]);
	});

	test("faulty input names its field", async () => {
		const cases = [
			[{}, "body.name"],
			[{ name: " " }, "body.name"],
			[{ name: "a\u0000b" }, "body.name"],
			[{ name: "x".repeat(256) }, "body.name"],
			[{ name: "x", timezone: "x".repeat(65) }, "body.timezone"],
			[{ name: "x", currency: "EURO" }, "body.currency"],
			[{ name: "x", domains: "example.com" }, "body.domains"],
			[{ name: "x", domains: Array.from({ length: 51 }, (_, i) => `d${i}.example`) }, "body.domains"],
			[{ name: "x", org_id: "7" }, "body.org_id"],
		] as const;
		for (const [body, field] of cases) {
			const response = await create(body);
			assert.deepEqual(fieldsOf(response), [422, field]);
		}
		for (const timezone of ["Mars/Olympus", "", " "])
			assert.deepEqual(codeOf(await create({ name: "x", timezone })), [400, "invalid_timezone"]);
		assert.deepEqual(codeOf(await create({ name: "x", domains: ["127.0.0.1"] })), [400, "invalid_domain"]);
		assert.equal((await app.call("GET /sites", { as: ann })).json().data.total, 0);
		for (const id of ["nowhere", "0123456789abcdef01234567", "a%00b"]) {
			assert.deepEqual(codeOf(await app.call(`GET /sites/${id}`, { as: ann })), [404, "account_not_found"], id);
		}
	});

	test("an organization that the caller does not belong to does not exist", async () => {
		assert.deepEqual(codeOf(await create({ name: "x", org_id: "0b8f6a1e-0000-4000-8000-000000000000" })), [
			404,
			"not_found",
		]);
		await app.site(ann);
		const orgId = app.sites.get("shop")?.organizationId;
		const bob = await app.user("Bob");
		assert.deepEqual(codeOf(await create({ name: "x", org_id: orgId }, bob)), [404, "not_found"]);
		assert.equal((await create({ name: "Second", org_id: orgId })).statusCode, 201);
	});

	test("a superadmin reaches every site and owns none of them", async () => {
		await app.site(ann);
		const root = await app.user("Root", "superadmin");
		assert.equal((await app.call("GET /sites", { as: root })).json().data.total, 1);
		const { is_own: isOwn } = (await app.call("GET /sites/shop", { as: root })).json().data;
		assert.equal(isOwn, false);
		assert.deepEqual((await app.call("GET /users/me", { as: root })).json().data.account_ids, ["shop"]);
	});

	test("settings change one by one, and the directory knows at once", async () => {
		await app.site(ann, { domains: ["example.com"] });
		app.clock.advance(1000);
		const response = await patch({ name: "New", timezone: "America/Lima", currency: "pen", bot_threshold: 60 });
		const { name, timezone, currency, bot_threshold, updated_at, id } = response.json().data;
		assert.deepEqual(
			{ id, name, timezone, currency, bot_threshold, updated_at },
			{
				id: "shop",
				name: "New",
				timezone: "America/Lima",
				currency: "PEN",
				bot_threshold: 60,
				updated_at: "2026-11-21T12:00:01.000Z",
			},
		);
		assert.deepEqual(app.sites.get("shop"), {
			id: "shop",
			organizationId: app.sites.get("shop")?.organizationId,
			name: "New",
			timezone: "America/Lima",
			currency: "PEN",
			isActive: true,
			botThreshold: 60,
			domains: ["example.com"],
			utmMappings: [],
			blockedAddresses: undefined,
			forgottenVisits: [],
			lifetimeEventLimit: null,
		});
		for (const body of [{ name: null }, { name: "" }, { bot_threshold: 0 }, { bot_threshold: "5" }, { is_active: 1 }]) {
			assert.equal((await patch(body)).statusCode, 422, JSON.stringify(body));
		}
		assert.deepEqual(codeOf(await patch({ timezone: "Nowhere/City" })), [400, "invalid_timezone"]);
		assert.equal((await patch({ unknown: 1 })).statusCode, 200);
	});

	test("a deleted site is inactive, readable, and can come back", async () => {
		await app.site(ann);
		const deleted = await app.call("DELETE /sites/shop", { as: ann });
		assert.deepEqual(deleted.json().data, { deleted: true, site_id: "shop" });
		assert.equal(app.sites.get("shop")?.isActive, false);
		assert.equal((await app.call("GET /sites", { as: ann })).json().data.total, 0);
		assert.equal((await app.call("GET /sites?include_inactive=true", { as: ann })).json().data.total, 1);
		assert.equal((await app.call("GET /sites/shop", { as: ann })).json().data.is_active, false);
		assert.equal((await patch({ is_active: true })).json().data.is_active, true);
		assert.equal(app.sites.get("shop")?.isActive, true);
	});

	test("a plan's number of active sites is kept", async () => {
		await app.site(ann);
		await app.site(ann, { name: "Second" });
		await app.metadata.withTables<Tables>().updateTable("organizations").set({ plan_tier: "free" }).execute();
		await countSiteChange(app.metadata, ["shop"]);
		await app.sites.refresh();
		assert.equal(app.sites.get("shop")?.lifetimeEventLimit, 1_000_000);
		assert.deepEqual(codeOf(await create({ name: "Third" })), [429, "quota_exceeded"]);
		await app.call("DELETE /sites/shop", { as: ann });
		assert.deepEqual(codeOf(await patch({ is_active: true })), [429, "quota_exceeded"]);
	});

	test("the time zones that can be chosen", async () => {
		const { timezones, total } = (await app.call("GET /sites/config/timezones", { as: ann })).json().data;
		assert.equal(total, timezones.length);
		const find = (name: string) => timezones.find(({ timezone }: { timezone: string }) => timezone === name);
		assert.deepEqual(find("Europe/Madrid"), {
			timezone: "Europe/Madrid",
			country_code: "ES",
			country_name: "Spain",
		});
		assert.equal(find("UTC").country_code, "Unknown");
	});
});
