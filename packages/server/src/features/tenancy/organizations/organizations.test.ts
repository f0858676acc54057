import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Tables } from "../../../../migrations/metadata/tables/index.ts";
import { type SignedIn, sharedAccountsApp, userForEach } from "../../../../test/support/accounts-app.ts";
import { auditTrail } from "../../../../test/support/audit-trail.ts";
import { enlist } from "../../../../test/support/enlist.ts";
import { codeOf, fieldsOf } from "../../../../test/support/refusals.ts";

describe("organizations", () => {
	const app = sharedAccountsApp();
	const ann = userForEach(app, "Ann");

	const create = (name: string, as = ann) => app.call("POST /organizations", { as, body: { name } });
	const list = async (as: SignedIn) => (await app.call("GET /organizations", { as })).json().data;

	const keyOf = async (as: SignedIn, body: object = {}) => {
		const scopes = ["stats:read", "sites:read", "accounts:read"];
		const response = await app.call("POST /api-tokens", { as, body: { name: "k", scopes, ...body } });
		return { headers: { "x-api-key": response.json().data.token as string } };
	};

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
		assert.deepEqual(codeOf(await create("Second")), [409, "conflict"]);
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
			assert.deepEqual(fieldsOf(response), [422, "body.name"]);
		}
	});

	test("an address that is not verified creates none", async () => {
		await app.metadata.withTables<Tables>().updateTable("users").set({ email_verified_at: null }).execute();
		assert.deepEqual(codeOf(await create("Acme")), [403, "email_not_verified"]);
		assert.equal((await list(ann)).can_create_org, false);
	});

	test("an unknown organization and one of others get one answer", async () => {
		await create("Acme");
		const bob = await app.user("Bob");
		for (const slug of ["acme", "nowhere", "a%00b", "ACME", "acme%20", "%27"]) {
			const response = await app.call(`GET /organizations/${slug}`, { as: bob });
			assert.deepEqual(response.json().error, { code: "not_found", message: "Organization not found" }, slug);
			assert.equal(response.statusCode, 404, slug);
		}
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

	test("a key that is restricted to sites opens the organizations of those sites only", async () => {
		await app.site(ann);
		await app.site(ann, { name: "Blog" });
		await create("Acme");
		const bob = await app.user("Bob");
		await create("Other", bob);
		await enlist(app, "other", ann, "admin");
		await app.site(bob, { name: "Far" });
		const key = await keyOf(ann, { account_ids: ["shop"] });
		const seen = (await app.call("GET /organizations", { as: key })).json().data.organizations;
		assert.deepEqual(
			seen.map(({ slug }: { slug: string }) => slug),
			["acme"],
		);
		assert.equal((await app.call("GET /organizations/other", { as: key })).statusCode, 404);
		const sites = (await app.call("GET /organizations/acme/sites", { as: key })).json().data.sites;
		assert.deepEqual(
			sites.map(({ id }: { id: string }) => id),
			["shop"],
		);
		assert.equal((await list(ann)).total, 2);
	});

	test("deleting needs the exact name, and ends sites, keys, roles and invitations at once", async () => {
		await app.site(ann);
		await create("Acme");
		const bob = await app.user("Bob");
		await enlist(app, "acme", bob, "admin");
		const cleo = await app.user("Cleo");
		await app.site(cleo, { name: "Far" });
		await enlist(app, "acme", cleo, "member");
		await app.call(`POST /organizations/acme/members/${cleo.id}/sites`, { as: ann, body: { site_ids: ["shop"] } });
		const keys = {
			all: await keyOf(ann),
			admin: await keyOf(bob, { account_ids: ["shop"] }),
			both: await keyOf(cleo, { account_ids: ["shop", "far"] }),
			wide: await keyOf(cleo),
		};
		const invited = await app.call("POST /organizations/acme/invitations", {
			as: ann,
			body: { email: "new@example.com" },
		});
		const link = new URL(invited.json().data.invitation_link);
		const remove = (name: string) => app.call("DELETE /organizations/acme", { as: ann, body: { name } });
		for (const wrong of ["acme", "Acme ltd", ""]) assert.deepEqual(codeOf(await remove(wrong)), [400, "bad_request"]);
		assert.equal(app.sites.get("shop")?.isActive, true);

		const done = await remove("Acme");
		assert.deepEqual([done.statusCode, done.json().data], [200, { message: "Organization deleted" }]);
		assert.equal(app.sites.get("shop")?.isActive, false);
		for (const user of [ann, bob, cleo]) {
			assert.equal((await app.call("GET /organizations/acme", { as: user })).statusCode, 404);
			assert.equal((await app.call("GET /sites/shop", { as: user })).statusCode, 403);
			const all = (await app.call("GET /sites?include_inactive=true", { as: user })).json().data.sites;
			assert.ok(!all.some(({ id }: { id: string }) => id === "shop"));
		}
		const sites = async (as: { headers: Record<string, string> }) => {
			const response = await app.call("GET /sites", { as });
			return response.statusCode === 200
				? response.json().data.sites.map(({ id }: { id: string }) => id)
				: response.statusCode;
		};
		assert.deepEqual(
			[await sites(keys.all), await sites(keys.admin), await sites(keys.both), await sites(keys.wide)],
			[401, 401, ["far"], ["far"]],
		);
		assert.equal((await app.call(`GET /invitations/${link.searchParams.get("token")}`)).statusCode, 404);
		const root = await app.user("Root", "superadmin");
		const seen = (await app.call("GET /organizations/acme", { as: root })).json().data;
		assert.deepEqual([seen.is_active, seen.site_count, seen.member_count], [false, 0, 3]);
		assert.equal((await auditTrail(app, "organization.deleted")).length, 1);

		assert.equal((await list(ann)).can_create_org, true);
		assert.equal((await create("Acme")).json().data.slug, "acme-2");
		assert.equal((await app.call("GET /sites?include_inactive=true", { as: ann })).json().data.total, 0);
	});
});
