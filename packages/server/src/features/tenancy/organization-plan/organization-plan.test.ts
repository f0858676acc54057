import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { type AccountsApp, onBothEngines, type SignedIn } from "../../../../test/support/accounts-app.ts";
import { auditTrail } from "../../../../test/support/audit-trail.ts";
import { planAllows, planOf, planTiers, requireFeature } from "../organizations/index.ts";

onBothEngines("the plan of an organization", (open) => {
	let app: AccountsApp;
	let owner: SignedIn;
	let root: SignedIn;
	let run = 0;
	let slug: string;

	before(async () => {
		app = await open();
		root = await app.user("Root", "superadmin");
	});
	beforeEach(async () => {
		run += 1;
		owner = await app.user(`Owner${run}`);
		await app.site(owner, { name: `First ${run}` });
		slug = `owner${run}`;
	});
	after(() => app.close());

	const put = (plan_tier: unknown, as = root, name = slug) =>
		app.call(`PATCH /admin/organizations/${name}/plan`, { as, body: { plan_tier } });
	const create = () => app.call("POST /sites", { as: owner, body: { name: "More" } });

	test("a superadmin sets it, sees the organization and leaves a trace", async () => {
		const answer = await put("growth");
		assert.equal(answer.statusCode, 200, answer.body);
		const { id, created_at, updated_at, ...organization } = answer.json().data;
		assert.deepEqual(organization, {
			name: `Owner${run}`,
			slug,
			is_active: true,
			member_count: 1,
			site_count: 1,
			user_role: null,
			plan_tier: "growth",
			plan_limits: {
				seats: 5,
				sites: 10,
				monthly_events: 5_000_000,
				lifetime_events: null,
				requests_per_minute: 240,
			},
			plan_features: [],
		});
		const entries = await auditTrail(app, "plan.changed");
		assert.deepEqual(entries.at(-1), {
			action: "plan.changed",
			user: root.id,
			impersonator: null,
			resource: id,
			site: null,
			organization: id,
			details: { plan_tier: ["enterprise", "growth"] },
		});
		const count = entries.length;
		assert.equal((await put("growth")).statusCode, 200);
		assert.equal((await auditTrail(app, "plan.changed")).length, count);
	});

	test("owners, strangers and those without a session do not set it", async () => {
		const answer = await put("free", owner);
		assert.deepEqual([answer.statusCode, answer.json().error.message], [403, "Required scope: superadmin"]);
		const anonymous = await app.call(`PATCH /admin/organizations/${slug}/plan`, { body: { plan_tier: "free" } });
		assert.equal(anonymous.statusCode, 401);
		const body = { name: "root", scopes: ["accounts:read"], account_ids: [`first-${run}`] };
		const key = (await app.call("POST /api-tokens", { as: root, body })).json().data.token;
		const headers = { "x-api-key": key };
		const byKey = await app.call(`PATCH /admin/organizations/${slug}/plan`, { headers, body: { plan_tier: "free" } });
		assert.equal(byKey.statusCode, 403);
		const shown = await app.call(`GET /organizations/${slug}`, { as: owner });
		assert.equal(shown.json().data.plan_tier, "enterprise");
	});

	test("an unknown plan is 422, an unknown organization 404", async () => {
		for (const plan of ["gold", null, 7]) {
			const answer = await put(plan);
			assert.deepEqual([answer.statusCode, answer.json().error.detail[0].field], [422, "body.plan_tier"]);
		}
		const missing = await app.call(`PATCH /admin/organizations/${slug}/plan`, { as: root, body: {} });
		assert.deepEqual([missing.statusCode, missing.json().error.detail[0].field], [422, "body.plan_tier"]);
		const unknown = await put("free", root, "nowhere");
		assert.deepEqual([unknown.statusCode, unknown.json().error.code], [404, "not_found"]);
	});

	test("a deleted organization has no plan to change", async () => {
		await app.call(`DELETE /organizations/${slug}`, { as: owner, body: { name: `Owner${run}` } });
		assert.equal((await put("free")).statusCode, 404);
	});

	test("it holds at once: for the next site, and for the collector", async () => {
		await put("free");
		const refused = await create();
		assert.deepEqual([refused.statusCode, refused.json().error.code], [429, "quota_exceeded"]);
		assert.equal(refused.json().error.message, "The plan allows 1 active site");
		// From 21 November, noon, to 1 December.
		assert.equal(refused.headers["retry-after"], String(9.5 * 86_400));
		assert.equal(app.sites.get(`first-${run}`)?.lifetimeEventLimit, 1_000_000);
		await put("growth");
		assert.equal(app.sites.get(`first-${run}`)?.lifetimeEventLimit, null);
		assert.equal((await create()).statusCode, 201);
	});

	test("what there is beyond a smaller plan stays, and nothing is added", async () => {
		const second = await app.site(owner, { name: "Second" });
		await put("free");
		assert.equal((await app.call(`GET /sites/${second}`, { as: owner })).json().data.is_active, true);
		assert.equal((await create()).statusCode, 429);
	});

	test("of two sites created at once the plan's last place takes one", async () => {
		await put("growth");
		for (let at = 0; at < 8; at++) await app.site(owner, { name: "More" });
		const answers = await Promise.all([create(), create()]);
		assert.deepEqual(answers.map(({ statusCode }) => statusCode).sort(), [201, 429]);
	});
});

test("every plan allows what is promised", () => {
	const facts = planTiers.map((tier) => {
		const { requestsPerMinute, seats, sites, monthlyEvents, lifetimeEvents, exports, features } = planOf(tier);
		const events = [monthlyEvents, lifetimeEvents];
		return [tier, requestsPerMinute, seats, sites, ...events, exports.concurrent, exports.rows, features.join(" ")];
	});
	assert.deepEqual(facts, [
		["free", 240, 2, 1, null, 1_000_000, 1, 10_000, ""],
		["growth", 240, 5, 10, 5_000_000, null, 1, 100_000, ""],
		["scale", 480, 15, 30, 15_000_000, null, 3, 1_000_000, "webhooks audit"],
		["enterprise", 10_000, null, null, null, null, 10, null, "webhooks audit ip_allowlist"],
	]);
});

test("a feature that the plan lacks is forbidden", () => {
	assert.equal(planAllows("scale", "audit"), true);
	assert.equal(planAllows("scale", "ip_allowlist"), false);
	requireFeature("enterprise", "ip_allowlist");
	assert.throws(() => requireFeature("growth", "webhooks"), { code: "forbidden" });
});
