import assert from "node:assert/strict";
import { beforeEach, describe, test } from "node:test";
import { sharedAccountsApp, userForEach } from "../../../../test/support/accounts-app.ts";
import { auditTrail } from "../../../../test/support/audit-trail.ts";
import { codeOf, fieldsOf } from "../../../../test/support/refusals.ts";
import { planAllows, planOf, planTiers, requireFeature } from "../organizations/index.ts";

describe("the plan of an organization", () => {
	const app = sharedAccountsApp();
	const root = userForEach(app, "Root", "superadmin");
	const owner = userForEach(app, "Owner");
	beforeEach(() => app.site(owner, { name: "First" }));

	const put = (plan_tier: unknown, as = root, name = "owner") =>
		app.call(`PATCH /admin/organizations/${name}/plan`, { as, body: { plan_tier } });
	const create = () => app.call("POST /sites", { as: owner, body: { name: "More" } });

	test("a superadmin sets it, sees the organization and leaves a trace", async () => {
		const answer = await put("growth");
		assert.equal(answer.statusCode, 200, answer.body);
		const { id, created_at, updated_at, ...organization } = answer.json().data;
		assert.deepEqual(organization, {
			name: "Owner",
			slug: "owner",
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

	test("an unknown plan is 422, an unknown or deleted organization 404", async () => {
		for (const plan of ["gold", null, 7]) {
			const answer = await put(plan);
			assert.deepEqual(fieldsOf(answer), [422, "body.plan_tier"]);
		}
		const missing = await app.call("PATCH /admin/organizations/owner/plan", { as: root, body: {} });
		assert.deepEqual(fieldsOf(missing), [422, "body.plan_tier"]);
		await app.call("DELETE /organizations/owner", { as: owner, body: { name: "Owner" } });
		for (const name of ["nowhere", "owner"]) {
			const unknown = await put("free", root, name);
			assert.deepEqual(codeOf(unknown), [404, "not_found"], name);
		}
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
