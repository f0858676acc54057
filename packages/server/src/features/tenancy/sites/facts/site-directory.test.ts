import assert from "node:assert/strict";
import { after, afterEach, beforeEach, test } from "node:test";
import type { KyselyPlugin } from "kysely";
import { tables } from "../../../../../migrations/metadata/tables/index.ts";
import { accountsApp } from "../../../../../test/support/accounts-app.ts";
import { countSiteChange, listSites } from "../store.ts";
import { createSiteDirectory } from "./site-directory.ts";

const SITES = 2000;

let directory: Awaited<ReturnType<typeof createSiteDirectory>>;
/** Rows that the directory has read. */
let read = 0;
const take = () => {
	const taken = read;
	read = 0;
	return taken;
};
const counter: KyselyPlugin = {
	transformQuery: ({ node }) => node,
	transformResult: async ({ result }) => {
		read += result.rows.length;
		return result;
	},
};
const siteId = (index: number) => `site-${String(index).padStart(4, "0")}`;
const app = await accountsApp();
await app.site(await app.user("Ann"));
const organizationId = app.sites.get("shop")?.organizationId ?? "";
const settings = {
	timezone: "UTC",
	currency: "EUR",
	is_active: 1,
	bot_threshold: 80,
	automatic_events: "[]",
	goals: "[]",
};
const row = { organization_id: organizationId, ...settings, created_by: null, created_at: 1, updated_at: null };
const ids = Array.from({ length: SITES }, (_, index) => siteId(index));
const sites = ids.map((id) => ({ ...row, id, name: id }));
await tables(app.metadata).insertInto("sites").values(sites).execute();
const domains = ids.map((id) => ({ site_id: id, domain: `${id}.example`, is_active: 1, created_at: 1 }));
await tables(app.metadata).insertInto("site_domains").values(domains).execute();
after(() => app.close());
beforeEach(async () => {
	read = 0;
	directory = await createSiteDirectory({ clock: app.clock, metadata: app.metadata.withPlugin(counter) });
});
afterEach(() => directory.stop());

const rename = async (id: string) => {
	await tables(app.metadata).updateTable("sites").set({ name: "Renamed" }).where("id", "=", id).execute();
	await countSiteChange(app.metadata, [id]);
};

test("of many who ask at once most share a reading, and each finds its change", async () => {
	take();
	await rename(siteId(3));
	await Promise.all(Array.from({ length: 100 }, () => directory.refresh()));
	assert.equal(directory.get(siteId(3))?.name, "Renamed");
	assert.ok(take() <= 8);
});

test("a change of one site reads that site again and no other", async () => {
	assert.ok(take() > 2 * SITES, "the count sees what is read");
	assert.equal(directory.ofOrganization(organizationId).length, SITES + 1);
	await directory.refresh();
	assert.equal(take(), 0);
	const other = directory.get(siteId(7));
	await rename(siteId(1234));
	await directory.refresh();
	// The counts of the topic and of the site, the site, its domain.
	assert.equal(take(), 4);
	const { name, domains } = directory.get(siteId(1234)) ?? {};
	assert.deepEqual([name, domains], ["Renamed", ["site-1234.example"]]);
	assert.equal(directory.get(siteId(7)), other);
});

test("a change of all sites is read in portions, between which other work is done", async () => {
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
});

test("more sites than one statement can name are read, in the order of few", async () => {
	const few = ["shop", siteId(1)];
	const ids = ["shop", ...Array.from({ length: 40_000 }, (_, at) => `unknown-${at}`), siteId(1)];
	const sites = await listSites(app.metadata, { ids, includeInactive: false });
	assert.deepEqual(sites, await listSites(app.metadata, { ids: few, includeInactive: false }));
	assert.equal(sites.length, 2);
});
