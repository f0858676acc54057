import assert from "node:assert/strict";
import { beforeEach, describe, test } from "node:test";
import { tables } from "../../../../migrations/metadata/tables/index.ts";
import { sharedAccountsApp, userForEach } from "../../../../test/support/accounts-app.ts";
import { auditTrail } from "../../../../test/support/audit-trail.ts";
import { metadataSnapshot } from "../../../../test/support/metadata-snapshot.ts";
import { ownTables } from "../../../../test/support/own-tables.ts";
import { codeOf } from "../../../../test/support/refusals.ts";
import { tablesOfOrganizations } from "./delete-organization.ts";
import { organizationMembers } from "./store.ts";

const DAY_MS = 86_400_000;

interface As {
	readonly headers: Readonly<Record<string, string>>;
}

const app = sharedAccountsApp();

describe("organizations", () => {
	const ann = userForEach(app, "Ann");

	const create = (name: string, as: As = ann) => app.call("POST /organizations", { as, body: { name } });
	const rename = (body: object, as: As = ann) => app.call("PATCH /organizations/acme", { as, body });
	const remove = (name: string) => app.call("DELETE /organizations/acme", { as: ann, body: { name } });
	const enlist = (organizationId: string, user: { readonly id: number }, role: "admin" | "member") =>
		organizationMembers.insert(app.metadata, {
			organization_id: organizationId,
			user_id: user.id,
			role,
			created_at: app.clock.now(),
		});
	const list = async (as: As = ann) => (await app.call("GET /organizations", { as })).json().data;
	/** Ids of the sites that are listed, or the status of a refusal. */
	const sites = async (as: As, route = "GET /sites") => {
		const answer = await app.call(route, { as });
		return answer.json().data?.sites.map(({ id }: { id: string }) => id) ?? answer.statusCode;
	};
	const keyOf = async (as: As, ...account_ids: readonly string[]) => {
		const scopes = ["stats:read", "sites:read", "accounts:read"];
		const body = { name: "k", scopes, ...(account_ids.length > 0 && { account_ids }) };
		const response = await app.call("POST /api-tokens", { as, body });
		return { headers: { "x-api-key": response.json().data.token as string } };
	};

	test("a user who creates an organization owns it, and may not create a second", async () => {
		assert.deepEqual(await list(), { organizations: [], total: 0, can_create_org: true });
		const response = await create("  Café Zürich  ");
		assert.equal(response.statusCode, 201);
		const { id, ...organization } = response.json().data;
		assert.match(id, /^[0-9a-f-]{36}$/);
		const limits = { seats: null, sites: null, monthly_events: null, lifetime_events: null };
		assert.deepEqual(organization, {
			...{ name: "Café Zürich", slug: "cafe-zurich", is_active: true, member_count: 1, site_count: 0 },
			...{ user_role: "owner", plan_tier: "enterprise", plan_features: ["webhooks", "audit", "ip_allowlist"] },
			plan_limits: { ...limits, requests_per_minute: 10_000 },
			...{ created_at: "2026-11-21T12:00:00.000Z", updated_at: "2026-11-21T12:00:00.000Z" },
		});
		assert.deepEqual(await list(), { organizations: [{ id, ...organization }], total: 1, can_create_org: false });
		assert.deepEqual(codeOf(await create("Second")), [409, "conflict"]);
		const [{ user, organization: of, details } = {}, ...more] = await auditTrail(app, "organization.created");
		const recorded = [ann.id, id, { name: "Café Zürich", slug: "cafe-zurich" }];
		assert.deepEqual([user, of, details, more], [...recorded, []]);
	});

	test("a personal organization becomes the named one and keeps its sites", async () => {
		await app.site(ann);
		const before = await list();
		assert.deepEqual([before.total, before.can_create_org], [1, true]);
		app.clock.advance(1000);
		const { id, name, slug, site_count, updated_at } = (await create("Acme")).json().data;
		assert.deepEqual([name, slug, site_count, updated_at], ["Acme", "acme", 1, "2026-11-21T12:00:01.000Z"]);
		assert.equal(id, before.organizations[0].id);
		const site = (await app.call("GET /sites/shop", { as: ann })).json().data;
		assert.deepEqual([site.org_name, site.org_slug, site.is_own], ["Acme", "acme", true]);
		assert.equal((await list()).can_create_org, false);
		const [entry] = await auditTrail(app, "organization.updated");
		assert.deepEqual(entry?.details, { name: ["Ann", "Acme"], slug: ["ann", "acme"], is_personal: [1, 0] });
	});

	test("a user whose address is not verified creates none", async () => {
		await tables(app.metadata).updateTable("users").set({ email_verified_at: null }).execute();
		assert.deepEqual(codeOf(await create("Acme")), [403, "email_not_verified"]);
		assert.equal((await list()).can_create_org, false);
	});

	test("renaming keeps the slug and is audited; a superadmin may do it and belongs to none", async () => {
		await create("Acme");
		app.clock.advance(1000);
		const { name, slug, updated_at } = (await rename({ name: "New", slug: "new" })).json().data;
		assert.deepEqual([name, slug, updated_at], ["New", "acme", "2026-11-21T12:00:01.000Z"]);
		assert.equal((await rename({})).json().data.name, "New");
		const root = await app.user("Root", "superadmin");
		const { organizations, can_create_org } = await list(root);
		const [{ slug: seen, user_role }, ...more] = organizations;
		assert.deepEqual([seen, user_role, more, can_create_org], ["acme", null, [], true]);
		assert.equal((await rename({ name: "Newer" }, root)).json().data.name, "Newer");
		assert.equal((await app.call("GET /organizations/acme/members", { as: root })).json().data.total, 1);
		const changes = (await auditTrail(app, "organization.updated")).map(({ details }) => details);
		assert.deepEqual(changes, [{ name: ["Acme", "New"] }, { name: ["New", "Newer"] }]);
	});

	test("a key that is restricted to sites opens the organizations of those sites only", async () => {
		await app.site(ann);
		await app.site(ann, { name: "Blog" });
		await create("Acme");
		const bob = await app.user("Bob");
		await enlist((await create("Other", bob)).json().data.id, ann, "admin");
		await app.site(bob, { name: "Far" });
		const key = await keyOf(ann, "shop");
		const seen = (await list(key)).organizations.map(({ slug }: { slug: string }) => slug);
		assert.deepEqual([seen, (await list()).total], [["acme"], 2]);
		assert.equal((await app.call("GET /organizations/other", { as: key })).statusCode, 404);
		assert.deepEqual(await sites(key, "GET /organizations/acme/sites"), ["shop"]);
	});

	test("deleting needs the exact name, and ends sites, keys, roles and invitations at once", async () => {
		await app.site(ann);
		const { id } = (await create("Acme")).json().data;
		const [bob, cleo] = [await app.user("Bob"), await app.user("Cleo")];
		await enlist(id, bob, "admin");
		await app.site(cleo, { name: "Far" });
		await enlist(id, cleo, "member");
		await app.call(`POST /organizations/acme/members/${cleo.id}/sites`, { as: ann, body: { site_ids: ["shop"] } });
		const keys = [await keyOf(ann), await keyOf(bob, "shop"), await keyOf(cleo, "shop", "far"), await keyOf(cleo)];
		const body = { email: "new@example.com" };
		const invited = await app.call("POST /organizations/acme/invitations", { as: ann, body });
		const link = new URL(invited.json().data.invitation_link);
		for (const wrong of ["acme", "Acme ltd", ""]) assert.deepEqual(codeOf(await remove(wrong)), [400, "bad_request"]);
		assert.equal(app.sites.get("shop")?.isActive, true);

		assert.deepEqual((await remove("Acme")).json().data, { message: "Organization deleted" });
		assert.equal(app.sites.get("shop")?.isActive, false);
		for (const as of [ann, bob, cleo]) {
			assert.equal((await app.call("GET /organizations/acme", { as })).statusCode, 404);
			assert.equal((await app.call("GET /sites/shop", { as })).statusCode, 403);
			assert.ok(!(await sites(as, "GET /sites?include_inactive=true")).includes("shop"));
		}
		assert.deepEqual(await Promise.all(keys.map((key) => sites(key))), [401, 401, ["far"], ["far"]]);
		assert.equal((await app.call(`GET /invitations/${link.searchParams.get("token")}`)).statusCode, 404);
		const root = await app.user("Root", "superadmin");
		const seen = (await app.call("GET /organizations/acme", { as: root })).json().data;
		assert.deepEqual([seen.is_active, seen.site_count, seen.member_count], [false, 0, 3]);

		assert.equal((await list()).can_create_org, true);
		assert.equal((await create("Acme")).json().data.slug, "acme-2");
		assert.deepEqual(await sites(ann, "GET /sites?include_inactive=true"), []);
	});

	test("every table that names organizations is known to the purge, but for sites and the audit log", async () => {
		const naming = (await ownTables(app.metadata)).filter(({ columns }) =>
			columns.some(({ name }) => name === "organization_id"),
		);
		assert.deepEqual(naming.map(({ name }) => name).sort(), [...tablesOfOrganizations, "audit_log", "sites"].sort());
	});

	test("an organization is removed with its rows two years after its deletion, and no other one", async () => {
		await app.site(ann);
		await app.site(await app.user("Other"));
		const { id } = (await create("Acme")).json().data;
		const naming = async () =>
			Object.entries(await metadataSnapshot(app.metadata, ["audit_log", "jobs"])).flatMap(([table, rows]) =>
				rows.filter((row) => row.includes(id)).map(() => table),
			);
		const pass = async (days: number) => {
			app.clock.advance(days * DAY_MS);
			await app.jobs.runDue();
		};
		await remove("Acme");
		await pass(31);
		await pass(698);
		assert.deepEqual(await naming(), ["organization_members", "organizations"]);
		await pass(3);
		const { organizations, sites: left } = await metadataSnapshot(app.metadata);
		assert.deepEqual([await naming(), organizations?.length, left?.length], [[], 1, 1]);
	});
});

describe("the plan of an organization", () => {
	const root = userForEach(app, "Root", "superadmin");
	const owner = userForEach(app, "Owner");
	beforeEach(() => app.site(owner, { name: "First" }));

	const put = (plan_tier: string, name = "owner") =>
		app.call(`PATCH /admin/organizations/${name}/plan`, { as: root, body: { plan_tier } });
	const create = () => app.call("POST /sites", { as: owner, body: { name: "More" } });

	test("a superadmin sets it, sees the organization and leaves a trace", async () => {
		const { id, slug, user_role, plan_tier, plan_limits, plan_features } = (await put("growth")).json().data;
		assert.deepEqual([slug, user_role, plan_tier, plan_features], ["owner", null, "growth", []]);
		const events = { monthly_events: 5_000_000, lifetime_events: null };
		assert.deepEqual(plan_limits, { seats: 5, sites: 10, ...events, requests_per_minute: 240 });
		assert.equal((await put("growth")).statusCode, 200);
		const [{ resource, organization, details } = {}, ...more] = await auditTrail(app, "plan.changed");
		assert.deepEqual([resource, organization, details, more], [id, id, { plan_tier: ["enterprise", "growth"] }, []]);
	});

	test("an unknown or deleted organization is 404", async () => {
		await app.call("DELETE /organizations/owner", { as: owner, body: { name: "Owner" } });
		for (const name of ["nowhere", "owner"]) assert.deepEqual(codeOf(await put("free", name)), [404, "not_found"]);
	});

	test("it holds at once: for the next site, and for the collector", async () => {
		const second = await app.site(owner, { name: "Second" });
		await put("free");
		assert.equal((await app.call(`GET /sites/${second}`, { as: owner })).json().data.is_active, true);
		const refused = await create();
		assert.deepEqual(codeOf(refused), [429, "quota_exceeded"]);
		assert.equal(refused.json().error.message, "The plan allows 1 active site");
		// From 21 November, noon, to 1 December.
		assert.equal(refused.headers["retry-after"], String(9.5 * 86_400));
		assert.equal(app.sites.get("first")?.lifetimeEventLimit, 1_000_000);
		await put("growth");
		assert.equal(app.sites.get("first")?.lifetimeEventLimit, null);
		assert.equal((await create()).statusCode, 201);
	});
});
