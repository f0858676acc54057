import assert from "node:assert/strict";
import { test } from "node:test";
import { sharedAccountsApp } from "../../../../test/support/accounts-app.ts";
import { metadataSnapshot } from "../../../../test/support/metadata-snapshot.ts";
import { ownTables } from "../../../../test/support/own-tables.ts";
import { tablesOfOrganizations } from "./purge-organizations.ts";

const DAY_MS = 86_400_000;
const app = sharedAccountsApp();

test("every table that names organizations is known to the purge, but for sites and the audit log", async () => {
	const tables = await ownTables(app.metadata);
	const naming = tables.filter(({ columns }) => columns.some(({ name }) => name === "organization_id"));
	assert.deepEqual(naming.map(({ name }) => name).sort(), [...tablesOfOrganizations, "audit_log", "sites"].sort());
});

test("an organization is removed with its rows two years after its deletion, and no other one", async () => {
	const ann = await app.user("Ann");
	await app.site(ann);
	await app.site(await app.user("Other"));
	const made = await app.call("POST /organizations", { as: ann, body: { name: "Acme" } });
	const { id } = made.json().data;
	const naming = async () =>
		Object.entries(await metadataSnapshot(app.metadata, ["audit_log", "jobs"])).flatMap(([table, rows]) =>
			rows.filter((row) => row.includes(id)).map(() => table),
		);
	await app.call("DELETE /organizations/acme", { as: ann, body: { name: "Acme" } });
	for (const days of [31, 698]) {
		app.clock.advance(days * DAY_MS);
		await app.jobs.runDue();
	}
	assert.deepEqual(await naming(), ["organization_members", "organizations"]);
	app.clock.advance(3 * DAY_MS);
	await app.jobs.runDue();
	const { organizations, sites } = await metadataSnapshot(app.metadata);
	assert.deepEqual([await naming(), organizations?.length, sites?.length], [[], 1, 1]);
});
