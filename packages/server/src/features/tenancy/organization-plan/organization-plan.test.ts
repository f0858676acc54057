import assert from "node:assert/strict";
import { beforeEach, describe, test } from "node:test";
import { sharedAccountsApp, userForEach } from "../../../../test/support/accounts-app.ts";
import { auditTrail } from "../../../../test/support/audit-trail.ts";
import { codeOf, fieldsOf } from "../../../../test/support/refusals.ts";

describe("the plan of an organization", () => {
	const app = sharedAccountsApp();
	const root = userForEach(app, "Root", "superadmin");
	const owner = userForEach(app, "Owner");
	beforeEach(() => app.site(owner, { name: "First" }));

	const put = (plan_tier: unknown, name = "owner") =>
		app.call(`PATCH /admin/organizations/${name}/plan`, { as: root, body: { plan_tier } });
	const create = () => app.call("POST /sites", { as: owner, body: { name: "More" } });

	test("a superadmin sets it, sees the organization and leaves a trace", async () => {
		const { id, slug, user_role, plan_tier, plan_limits, plan_features } = (await put("growth")).json().data;
		assert.deepEqual([slug, user_role, plan_tier, plan_features], ["owner", null, "growth", []]);
		const events = { monthly_events: 5_000_000, lifetime_events: null };
		assert.deepEqual(plan_limits, { seats: 5, sites: 10, ...events, requests_per_minute: 240 });
		assert.equal((await put("growth")).statusCode, 200);
		const trail = (await auditTrail(app, "plan.changed")).filter(({ user }) => user === root.id);
		assert.deepEqual(
			trail.map(({ resource, organization, details }) => [resource, organization, details]),
			[[id, id, { plan_tier: ["enterprise", "growth"] }]],
		);
	});

	test("an unknown plan is 422, an unknown or deleted organization 404", async () => {
		for (const plan of ["gold", null, 7, undefined]) {
			assert.deepEqual(fieldsOf(await put(plan)), [422, "body.plan_tier"]);
		}
		await app.call("DELETE /organizations/owner", { as: owner, body: { name: "Owner" } });
		for (const name of ["nowhere", "owner"])
			assert.deepEqual(codeOf(await put("free", name)), [404, "not_found"], name);
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
