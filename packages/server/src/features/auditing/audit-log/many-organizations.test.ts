import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Tables } from "../../../../migrations/metadata/tables/index.ts";
import { type AccountsApp, onBothEngines, type SignedIn } from "../../../../test/support/accounts-app.ts";
import { recordAudit, systemActor } from "./index.ts";

const COUNT = 600;

onBothEngines("the audit log of somebody with many organizations", (open) => {
	let app: AccountsApp;
	let agency: SignedIn;
	before(async () => {
		app = await open();
		agency = await app.user("Agency");
	});
	after(() => app.close());

	test("shows the entries of all of them, newest first", async () => {
		const ids = Array.from({ length: COUNT }, (_, index) => `customer-${index}`);
		const facts = { is_personal: 0, is_active: 1, plan_tier: "enterprise", created_at: 0, updated_at: 0 } as const;
		const db = app.metadata.withTables<Tables>();
		await db
			.insertInto("organizations")
			.values(ids.map((id) => ({ id, slug: id, name: id, ...facts })))
			.execute();
		const member = { user_id: agency.id, role: "admin", created_at: 0 } as const;
		await db
			.insertInto("organization_members")
			.values(ids.map((id) => ({ organization_id: id, ...member })))
			.execute();
		for (const [at, id] of ["customer-0", "customer-599", "customer-300"].entries()) {
			const entry = { action: "organization.updated", organizationId: id, resourceId: id } as const;
			await recordAudit(app.metadata, systemActor, entry, at);
		}
		const answer = await app.call("GET /audit/logs?action=organization.updated", { as: agency });
		assert.equal(answer.statusCode, 200, answer.body);
		const { logs, total } = answer.json().data;
		assert.equal(total, 3);
		assert.deepEqual(
			logs.map((log: { resource_id: string }) => log.resource_id),
			["customer-300", "customer-599", "customer-0"],
		);
	});
});
