import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { after, before, beforeEach, test } from "node:test";
import { tables } from "../../../../migrations/metadata/tables/index.ts";
import { askToDelete, finishDeletions, removeFilesAtOnce } from "../../../../test/support/deletions.ts";
import { CHROME, FIREFOX, type ImportSite, importSite, line, log } from "../../../../test/support/import-site.ts";
import { type TestApp, testApp } from "../../../../test/support/test-app.ts";
import { ServiceError } from "../../../platform/errors/service-error.ts";

/** A log of so many page views, one a second, of 500 visitors. */
const longLog = (views: number) =>
	Array.from({ length: views }, (_, n) => {
		const time = new Date(Date.parse("2026-10-05T00:00:00Z") + n * 1000).toUTCString();
		const stamp = `${time.slice(5, 7)}/${time.slice(8, 11)}/${time.slice(12, 16)}:${time.slice(17, 25)} +0000`;
		return line(`192.0.2.${n % 250}`, stamp, `GET /page-${n % 97} HTTP/1.1`, 200, "-", n % 2 === 0 ? FIREFOX : CHROME);
	}).join("\n");

let app: TestApp;
/** Each test has a site of its own. */
let own: ImportSite;
let sites = 0;
/** Called after an insert of an import went into the store, with its token: import, batch, year, and part when there are several. */
let onInsert: (token: string) => Promise<unknown> = async () => {};
before(async () => {
	app = await testApp({
		wrapEventStore: (store) => ({
			...store,
			insert: async (insert) => {
				await store.insert(insert);
				if (insert.deduplicationToken.startsWith("import-")) await onInsert(insert.deduplicationToken);
			},
		}),
	});
});
beforeEach(async () => {
	sites += 1;
	onInsert = async () => {};
	own = await importSite(app, { email: `ann-${sites}@example.com`, name: `Shop ${sites}` });
});
after(() => app.close());

const views = async (range: string) => {
	const { data } = (await own.report(`/stats/overview?${range}`)) as { data: { traffic: Record<string, number> } };
	return data.traffic;
};
const october = "start_date=2026-10-01&end_date=2026-10-31";
const files = () => readdirSync(join(app.config.dataDir, "imports"));

test("an import that is broken off, with a batch stored and not noted, goes on and doubles nothing", async () => {
	const sent: string[] = [];
	onInsert = async (token) => {
		const isRepeated = sent.includes(token);
		sent.push(token);
		if (token.endsWith("-1-2026") && !isRepeated) throw new ServiceError("database_unavailable");
	};
	const { import: importLog, call } = own;
	const text = longLog(41_000);
	const first = await importLog(text);
	assert.equal(first.status, "importing");
	const broken = sent.at(-1);
	app.clock.advance(600_000);
	await app.jobs.runDue();
	const done = (await call(`GET /imports/${first.import_id}`)).json().data;
	assert.equal(done.status, "completed");
	const twice = sent.filter((token, at) => sent.indexOf(token) < at);
	assert.deepEqual(twice, [broken], "the first batch was not sent again, the second was");
	assert.ok(sent.some((token) => /-2-2026$/.test(token)));
	assert.equal(done.report.totals.page_views, 41_000);
	const { entrances, page_views } = await views(october);
	assert.deepEqual([entrances, page_views], [done.report.totals.entrances, 41_000]);
});

test("cancelling while rows are written takes back what was written", async () => {
	const { upload, call } = own;
	const sent = (await upload(longLog(21_000), { dry_run: "false" })).json().data;
	onInsert = async () => {
		onInsert = async () => {};
		assert.equal((await call(`DELETE /imports/${sent.import_id}`)).statusCode, 204);
	};
	await app.jobs.runDue();
	app.clock.advance(120_000);
	await app.jobs.runDue();
	assert.equal((await call(`GET /imports/${sent.import_id}`)).json().data.status, "cancelled");
	assert.equal((await views(october))["page_views"], 0);
	assert.equal((await call(`DELETE /imports/${sent.import_id}`)).statusCode, 204);
	assert.equal((await call(`GET /imports/${sent.import_id}`)).statusCode, 404);
});

test("deleting days of a site takes them out of rows and reports of imports, and ends what may bring them back", async () => {
	const { ann, site, upload, call, import: importLog, report } = own;
	const { import_id: id } = await importLog(log);
	const waiting = (await upload(`${log}\n`)).json().data.import_id;
	await app.jobs.runDue();
	await removeFilesAtOnce(app);
	await askToDelete(app, ann, site, { to: "2026-11-10" });
	await finishDeletions(app);
	const kept = (await call(`GET /imports/${id}`)).json().data;
	assert.deepEqual(kept.report.by_day, [{ date: "2026-11-11", entrances: 1, page_views: 1 }]);
	assert.deepEqual(kept.report.totals.page_views, 1);
	assert.equal((await call(`GET /imports/${waiting}`)).json().data.status, "cancelled");
	assert.deepEqual(files(), []);
	const pages = (await report("/stats/pages?start_date=2026-11-01&end_date=2026-11-20")) as {
		data: { path: string }[];
	};
	assert.deepEqual(
		pages.data.map(({ path }) => path),
		["/a%20b.html"],
	);
});

test("a dry run that nobody runs is cancelled after a week, and its file goes", async () => {
	const { upload } = own;
	const { import_id: id } = (await upload(log)).json().data;
	await app.jobs.runDue();
	assert.equal(files().length, 1);
	app.clock.advance(8 * 86_400_000);
	await app.jobs.runDue();
	const row = (await tables(app.metadata).selectFrom("imports").selectAll().where("import_id", "=", id).execute())[0];
	assert.deepEqual([row?.status, row?.stored_name], ["cancelled", null]);
	assert.deepEqual(files(), []);
});
