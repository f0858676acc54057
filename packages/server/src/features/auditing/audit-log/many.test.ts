import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Tables } from "../../../../migrations/metadata/tables/index.ts";
import { sharedAccountsApp } from "../../../../test/support/accounts-app.ts";
import { recordAudit, systemActor } from "./index.ts";
import { selectEntries } from "./store.ts";

const ORGANIZATIONS = 600;
/** More than a statement can name one by one. */
const SHUT_SITES = 70_000;

describe("the audit log", () => {
	const app = sharedAccountsApp();

	test("of 600 organizations shows the entries of all, newest first", async () => {
		const agency = await app.user("Agency");
		const ids = Array.from({ length: ORGANIZATIONS }, (_, index) => `customer-${index}`);
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

	test("leaves out the entries of 70,000 sites that an address shuts, and only those", async () => {
		const ann = await app.user("Ann");
		await app.site(ann);
		await app.site(ann, { name: "Blog" });
		for (const [at, siteId] of ["shop", "blog", undefined].entries()) {
			const site = siteId === undefined ? {} : { siteId };
			await recordAudit(app.metadata, systemActor, { action: "site.updated", ...site }, at);
		}
		const organizationIds = [app.sites.get("shop")?.organizationId ?? "", "another"];
		const shutSiteIds = ["shop", ...Array.from({ length: SHUT_SITES }, (_, at) => `shut-${at}`)];
		const filter = { action: "site.updated", shutSiteIds };
		const seenBy = async (view: { readonly organizationIds: readonly string[] | null }) => {
			const page = { limit: 10, offset: 0 };
			const { rows, total } = await selectEntries(app.metadata, { userId: ann.id, ...view }, filter, page);
			return [total, rows.map((row) => row.site_id)];
		};
		assert.deepEqual(await seenBy({ organizationIds: null }), [2, [null, "blog"]]);
		assert.deepEqual(await seenBy({ organizationIds }), [1, ["blog"]]);
	});
});
