import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type AccountsApp, onBothEngines, type SignedIn } from "../../../../test/support/accounts-app.ts";
import { recordAudit, systemActor } from "./index.ts";
import { selectEntries } from "./store.ts";

/** More than a statement can name one by one, on either engine. */
const COUNT = 70_000;

onBothEngines("the audit log of somebody whose address shuts very many sites", (open) => {
	let app: AccountsApp;
	let ann: SignedIn;
	before(async () => {
		app = await open();
		ann = await app.user("Ann");
		await app.site(ann);
		await app.site(ann, { name: "Blog" });
		for (const [at, siteId] of ["shop", "blog", undefined].entries()) {
			const site = siteId === undefined ? {} : { siteId };
			await recordAudit(app.metadata, systemActor, { action: "site.updated", ...site }, at);
		}
	});
	after(() => app.close());

	test("leaves out the entries of these, and only those", async () => {
		const organizationIds = [app.sites.get("shop")?.organizationId ?? "", "another"];
		const shutSiteIds = ["shop", ...Array.from({ length: COUNT }, (_, at) => `shut-${at}`)];
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
