import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import type { Tables } from "../../../../migrations/metadata/tables/index.ts";
import { type AccountsApp, onBothEngines, type SignedIn } from "../../../../test/support/accounts-app.ts";
import { auditTrail } from "../../../../test/support/audit-trail.ts";
import { enlist } from "../../../../test/support/enlist.ts";

onBothEngines("organizations", (open) => {
	let app: AccountsApp;
	let ann: SignedIn;
	beforeEach(async () => {
		app = await open();
		ann = await app.user("Ann");
	});
	afterEach(() => app.close());

	const create = (name: string, as = ann) => app.call("POST /organizations", { as, body: { name } });
	const list = async (as: SignedIn) => (await app.call("GET /organizations", { as })).json().data;
	const code = (response: { statusCode: number; json(): { error: { code: string } } }) => [
		response.statusCode,
		response.json().error.code,
	];

	test("whoever creates an organization owns it, and may not create a second", async () => {
		assert.deepEqual(await list(ann), { organizations: [], total: 0, can_create_org: true });
		const response = await create("  Café Zürich  ");
		assert.equal(response.statusCode, 201);
		const { id, ...organization } = response.json().data;
		assert.match(id, /^[0-9a-f-]{36}$/);
		assert.deepEqual(organization, {
			name: "Café Zürich",
			slug: "cafe-zurich",
			is_active: true,
			member_count: 1,
			site_count: 0,
			user_role: "owner",
			plan_tier: "enterprise",
			plan_limits: {
				seats: null,
				sites: null,
				monthly_events: null,
				lifetime_events: null,
				requests_per_minute: 10_000,
			},
			plan_features: ["webhooks", "audit", "ip_allowlist"],
			created_at: "2026-11-21T12:00:00.000Z",
			updated_at: "2026-11-21T12:00:00.000Z",
		});
		assert.deepEqual(await list(ann), {
			organizations: [{ id, ...organization }],
			total: 1,
			can_create_org: false,
		});
		assert.deepEqual(code(await create("Second")), [409, "conflict"]);
		assert.deepEqual(await auditTrail(app, "organization."), [
			{
				action: "organization.created",
				user: ann.id,
				impersonator: null,
				resource: id,
				site: null,
				organization: id,
				details: { name: "Café Zürich", slug: "cafe-zurich" },
			},
		]);
	});

	test("two requests at once make one organization, and equal names get numbered slugs", async () => {
		const both = await Promise.all([create("Acme"), create("Acme")]);
		assert.deepEqual(both.map(({ statusCode }) => statusCode).sort(), [201, 409]);
		const bob = await app.user("Bob");
		const cleo = await app.user("Cleo");
		const others = await Promise.all([create("Acme", bob), create("Acme", cleo)]);
		assert.deepEqual(others.map((response) => response.json().data.slug).sort(), ["acme-2", "acme-3"]);
	});

	test("two first sites at once share one personal organization", async () => {
		await Promise.all([app.site(ann), app.site(ann, { name: "Blog" })]);
		const { organizations } = await list(ann);
		assert.deepEqual(
			organizations.map((one: { slug: string; site_count: number }) => [one.slug, one.site_count]),
			[["ann", 2]],
		);
	});

	test("a personal organization becomes the named one and keeps its sites", async () => {
		await app.site(ann);
		const before = await list(ann);
		assert.deepEqual([before.total, before.can_create_org], [1, true]);
		app.clock.advance(1000);
		const { id, name, slug, site_count, updated_at } = (await create("Acme")).json().data;
		assert.deepEqual([name, slug, site_count, updated_at], ["Acme", "acme", 1, "2026-11-21T12:00:01.000Z"]);
		assert.equal(id, before.organizations[0].id);
		const site = (await app.call("GET /sites/shop", { as: ann })).json().data;
		assert.deepEqual([site.org_name, site.org_slug, site.is_own], ["Acme", "acme", true]);
		assert.equal((await list(ann)).can_create_org, false);
		const [entry] = await auditTrail(app, "organization.updated");
		assert.deepEqual(entry?.details, { name: ["Ann", "Acme"], slug: ["ann", "acme"], is_personal: [1, 0] });
	});

	test("a name has 1 to 255 printable characters", async () => {
		for (const body of [
			{},
			{ name: " " },
			{ name: "x".repeat(256) },
			{ name: "a\nb" },
			{ name: "a\u0000b" },
			{ name: 7 },
		]) {
			const response = await app.call("POST /organizations", { as: ann, body });
			assert.deepEqual([response.statusCode, response.json().error.detail?.[0]?.field], [422, "body.name"]);
		}
	});

	test("an address that is not verified creates none", async () => {
		await app.metadata.withTables<Tables>().updateTable("users").set({ email_verified_at: null }).execute();
		assert.deepEqual(code(await create("Acme")), [403, "email_not_verified"]);
		assert.equal((await list(ann)).can_create_org, false);
	});

	test("an organization of others does not exist, on any route and with any method", async () => {
		await create("Acme");
		const bob = await app.user("Bob");
		await create("Other", bob);
		for (const route of [
			"GET /organizations/acme",
			"PATCH /organizations/acme",
			"DELETE /organizations/acme",
			"GET /organizations/acme/members",
			"POST /organizations/acme/members",
			`PATCH /organizations/acme/members/${ann.id}`,
			`DELETE /organizations/acme/members/${ann.id}`,
			`DELETE /organizations/acme/members/${bob.id}`,
			"GET /organizations/acme/sites",
			`GET /organizations/acme/members/${ann.id}/sites`,
			`POST /organizations/acme/members/${bob.id}/sites`,
			`DELETE /organizations/acme/members/${ann.id}/sites/shop`,
			"GET /organizations/acme/invitations",
			"POST /organizations/acme/invitations",
			"POST /organizations/acme/invitations/1/resend",
			"DELETE /organizations/acme/invitations/1",
		]) {
			const body = route.startsWith("GET") ? {} : { body: { name: "Acme" } };
			const foreign = await app.call(route, { as: bob, ...body });
			const unknown = await app.call(route.replace("/acme", "/nowhere"), { as: bob, ...body });
			assert.deepEqual(foreign.json().error, { code: "not_found", message: "Organization not found" }, route);
			assert.deepEqual(unknown.json().error, foreign.json().error, route);
			assert.equal(foreign.statusCode, 404, route);
		}
		for (const slug of ["a%00b", "ACME", "acme%20", "%27"]) {
			assert.equal((await app.call(`GET /organizations/${slug}`, { as: ann })).statusCode, 404, slug);
		}
	});

	test("each role may do its part", async () => {
		await create("Acme");
		const calls = [
			["GET /organizations/acme"],
			["GET /organizations/acme/members"],
			["GET /organizations/acme/sites"],
			["GET /organizations/acme/invitations"],
			["POST /organizations/acme/invitations", { email: "new@example.com" }],
			["PATCH /organizations/acme", { name: "Acme" }],
			["DELETE /organizations/acme", { name: "wrong" }],
		] as const;
		const expected = {
			member: [200, 200, 200, 403, 403, 403, 403],
			admin: [200, 200, 200, 200, 201, 403, 403],
			owner: [200, 200, 200, 200, 409, 200, 400],
		} as const;
		for (const role of ["member", "admin", "owner"] as const) {
			const user = await app.user(role);
			await enlist(app, "acme", user, role);
			const statuses = [];
			for (const [route, body] of calls) {
				statuses.push((await app.call(route, { as: user, ...(body && { body }) })).statusCode);
			}
			assert.deepEqual(statuses, expected[role], role);
		}
		const member = await app.signIn("member@example.com");
		const refused = await app.call("PATCH /organizations/acme", { as: member, body: { name: "x" } });
		assert.deepEqual(refused.json().error, { code: "forbidden", message: "Required role: owner" });
	});

	test("renaming keeps the slug and is audited", async () => {
		const { id } = (await create("Acme")).json().data;
		app.clock.advance(1000);
		const renamed = await app.call("PATCH /organizations/acme", { as: ann, body: { name: "New", slug: "new" } });
		const { name, slug, updated_at } = renamed.json().data;
		assert.deepEqual([name, slug, updated_at], ["New", "acme", "2026-11-21T12:00:01.000Z"]);
		assert.equal((await app.call("PATCH /organizations/acme", { as: ann, body: {} })).json().data.name, "New");
		assert.equal((await app.call("PATCH /organizations/acme", { as: ann, body: { name: null } })).statusCode, 422);
		const entries = await auditTrail(app, "organization.updated");
		assert.deepEqual(
			entries.map(({ details, organization }) => [details, organization]),
			[[{ name: ["Acme", "New"] }, id]],
		);
	});

	test("a superadmin sees and changes every organization and belongs to none", async () => {
		await create("Acme");
		const root = await app.user("Root", "superadmin");
		const { organizations, can_create_org } = await list(root);
		assert.deepEqual(
			[organizations.length, organizations[0].slug, organizations[0].user_role, can_create_org],
			[1, "acme", null, true],
		);
		const renamed = await app.call("PATCH /organizations/acme", { as: root, body: { name: "New" } });
		assert.equal(renamed.json().data.name, "New");
		assert.equal((await app.call("GET /organizations/acme/members", { as: root })).json().data.total, 1);
	});
});
