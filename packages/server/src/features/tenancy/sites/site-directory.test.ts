import assert from "node:assert/strict";
import { beforeEach, describe, test } from "node:test";
import type { KyselyPlugin } from "kysely";
import { tables } from "../../../../migrations/metadata/tables/index.ts";
import { sharedAccountsApp } from "../../../../test/support/accounts-app.ts";
import { createSiteDirectory } from "./site-directory.ts";
import { countSiteChange } from "./store.ts";

const SITES = 2000;

/** Counts the rows that are read through it. */
function countRows(): KyselyPlugin & { take(): number } {
	let rows = 0;
	return {
		transformQuery: ({ node }) => node,
		transformResult: async ({ result }) => {
			rows += result.rows.length;
			return result;
		},
		take: () => {
			const taken = rows;
			rows = 0;
			return taken;
		},
	};
}

describe("two thousand sites in memory", () => {
	const app = sharedAccountsApp();
	let organizationId: string;
	const siteId = (index: number) => `site-${String(index).padStart(4, "0")}`;
	beforeEach(async () => {
		await app.site(await app.user("Ann"));
		organizationId = app.sites.get("shop")?.organizationId ?? "";
		const row = { organization_id: organizationId, timezone: "UTC", currency: "EUR", is_active: 1, bot_threshold: 80 };
		for (let from = 0; from < SITES; from += 500) {
			const ids = Array.from({ length: 500 }, (_, index) => siteId(from + index));
			const sites = ids.map((id) => ({ ...row, id, name: id, created_by: null, created_at: 1, updated_at: null }));
			await tables(app.metadata).insertInto("sites").values(sites).execute();
			const domains = ids.map((id) => ({ site_id: id, domain: `${id}.example`, is_active: 1, created_at: 1 }));
			await tables(app.metadata).insertInto("site_domains").values(domains).execute();
		}
	});

	const rename = (id: string) =>
		tables(app.metadata).updateTable("sites").set({ name: "Renamed" }).where("id", "=", id).execute();

	test("of many who ask at once most share a reading, and each finds its change", async () => {
		const counted = countRows();
		const directory = await createSiteDirectory({ clock: app.clock, metadata: app.metadata.withPlugin(counted) });
		counted.take();
		await rename(siteId(3));
		await countSiteChange(app.metadata, [siteId(3)]);
		await Promise.all(Array.from({ length: 100 }, () => directory.refresh()));
		assert.equal(directory.get(siteId(3))?.name, "Renamed");
		assert.ok(counted.take() <= 8);
		directory.stop();
	});

	test("a change of one site reads that site again and no other", async () => {
		const counted = countRows();
		const directory = await createSiteDirectory({ clock: app.clock, metadata: app.metadata.withPlugin(counted) });
		assert.ok(counted.take() > 2 * SITES, "the count sees what is read");
		assert.equal(directory.ofOrganization(organizationId).length, SITES + 1);
		await directory.refresh();
		assert.equal(counted.take(), 0);
		const other = directory.get(siteId(7));
		await rename(siteId(1234));
		await countSiteChange(app.metadata, [siteId(1234)]);
		await directory.refresh();
		// The counts of the topic and of the site, the site, its domain.
		assert.equal(counted.take(), 4);
		assert.equal(directory.get(siteId(1234))?.name, "Renamed");
		assert.deepEqual(directory.get(siteId(1234))?.domains, ["site-1234.example"]);
		assert.equal(directory.get(siteId(7)), other);
		directory.stop();
	});

	test("a change of all sites is read in portions, between which other work is done", async () => {
		const directory = await createSiteDirectory({ clock: app.clock, metadata: app.metadata });
		const ids = Array.from({ length: SITES }, (_, index) => siteId(index));
		await tables(app.metadata).updateTable("sites").set({ name: "Renamed" }).execute();
		await app.metadata.transaction().execute((trx) => countSiteChange(trx, ids));
		let turns = 0;
		let isRead = false;
		const count = () => {
			turns++;
			if (!isRead) setImmediate(count);
		};
		count();
		await directory.refresh();
		isRead = true;
		assert.ok(turns >= SITES / 100, `${turns} turns`);
		assert.ok(ids.every((id) => directory.get(id)?.name === "Renamed"));
		assert.equal(directory.ofOrganization(organizationId).length, SITES + 1);
		directory.stop();
	});
});
