import assert from "node:assert/strict";
import { after, test } from "node:test";
import { accessPeople } from "../../../../test/support/access-people.ts";
import { accessTargets, targetEnv } from "../../../../test/support/access-targets.ts";
import { metadataSnapshot } from "../../../../test/support/metadata-snapshot.ts";
import { ownTables } from "../../../../test/support/own-tables.ts";
import { testApp } from "../../../../test/support/test-app.ts";
import { findSite } from "../sites/index.ts";
import { purgeSite, tablesOfSites } from "./purge-site.ts";

const app = await testApp({ env: targetEnv });
after(() => app.close());
const everybody = await accessPeople(app);

test("every table that names sites is known to it, but for the audit log", async () => {
	const tables = await ownTables(app.metadata);
	const naming = tables.filter(({ columns }) => columns.some(({ name }) => name === "site_id"));
	assert.deepEqual(naming.map(({ name }) => name).sort(), [...tablesOfSites, "audit_log"].sort());
});

test("nothing that a site can have is left, and nothing else goes", async () => {
	const headers = everybody.sessions["org owner"];
	const place = { site: "shop", organization: "org-owner", userId: everybody.ids.member };
	await accessTargets(app, { headers, ...place });
	const rows = async () => {
		const without = ["setting_versions", "audit_log", "jobs", "collector_progress", "processes"];
		const snapshot = await metadataSnapshot(app.metadata, without);
		return Object.entries(snapshot).flatMap(([table, all]) => all.map((row) => `${table} ${row}`));
	};
	const before = await rows();
	const site = await findSite(app.metadata, "shop");
	assert.ok(site);
	await app.metadata.transaction().execute((trx) => purgeSite(trx, site, app.clock.now()));
	const left = await rows();
	const remains = left.filter((row) => row.includes('"shop"'));
	const gone = before.filter((row) => !left.includes(row));
	const ofOthers = gone.filter((row) => /^users|^organization|"other"/.test(row));
	assert.deepEqual([remains, ofOthers], [[], []]);
});
