import assert from "node:assert/strict";
import { test } from "node:test";
import { accountsApp } from "../../../../test/support/accounts-app.ts";
import { listDomains } from "./domains-store.ts";
import { listSites, membersOfSites } from "./store.ts";

test("more sites than one statement can name are read, in the order of few", async () => {
	const app = await accountsApp();
	try {
		const ann = await app.user("Ann");
		await app.site(ann);
		app.clock.advance(1000);
		await app.site(ann, { name: "Blog" });
		const ids = ["shop", ...Array.from({ length: 40_000 }, (_, at) => `unknown-${at}`), "blog"];
		const sites = await listSites(app.metadata, { ids, includeInactive: false });
		assert.deepEqual(
			sites.map(({ id }) => id),
			["blog", "shop"],
		);
		const siteIds = (rows: readonly { readonly site_id: string }[]) => rows.map(({ site_id: id }) => id);
		const few = await listDomains(app.metadata, ["shop", "blog"]);
		assert.deepEqual(siteIds(await listDomains(app.metadata, ids)), siteIds(few));
		assert.deepEqual(await membersOfSites(app.metadata, []), []);
	} finally {
		await app.close();
	}
});
