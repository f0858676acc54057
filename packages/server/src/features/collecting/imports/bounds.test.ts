import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { after, before, beforeEach, test } from "node:test";
import { gzipSync } from "node:zlib";
import { tables } from "../../../../migrations/metadata/tables/index.ts";
import { askToDelete, finishDeletions, removeFilesAtOnce } from "../../../../test/support/deletions.ts";
import { CHROME, FIREFOX, type ImportSite, importSite, line, log } from "../../../../test/support/import-site.ts";
import { codeOf } from "../../../../test/support/refusals.ts";
import { type TestApp, testApp } from "../../../../test/support/test-app.ts";
import { zipFile } from "../../../../test/support/zip-file.ts";
import { ServiceError } from "../../../platform/errors/service-error.ts";
import type { EventInsert } from "../../../platform/event-store/event-store.ts";

let app: TestApp;
/** Each test has a site of its own. */
let own: ImportSite;
let sites = 0;
/** Called before and after an insert of an import. */
let beforeInsert: (insert: EventInsert) => Promise<unknown>;
let afterInsert: (insert: EventInsert) => Promise<unknown>;
before(async () => {
	app = await testApp({
		env: { RATE_LIMIT_ENABLED: "true", IMPORT_MEMORY: "64MB" },
		wrapEventStore: (store) => ({
			...store,
			insert: async (insert) => {
				const isImport = insert.deduplicationToken.startsWith("import-");
				if (isImport) await beforeInsert(insert);
				await store.insert(insert);
				if (isImport) await afterInsert(insert);
			},
		}),
	});
});
const newSite = () => importSite(app, { email: `ann-${++sites}@example.com`, name: `Shop ${sites}` });
beforeEach(async () => {
	beforeInsert = async () => {};
	afterInsert = async () => {};
	own = await newSite();
});
after(() => app.close());

const stateOf = async (id: string) => (await own.call(`GET /imports/${id}`)).json().data;
const start = async (bytes: string): Promise<string> =>
	(await own.upload(bytes, { dry_run: "false" })).json().data.import_id;
const visits = async (month: string) => {
	const { data } = (await own.report(`/stats/overview?start_date=${month}-01&end_date=${month}-21`)) as {
		data: { traffic: Record<string, number> };
	};
	return [data.traffic["entrances"], data.traffic["page_views"]];
};
const files = () => readdirSync(join(app.config.dataDir, "imports"));
const ga4 = { source: "ga4_csv" };
/** A log of so many page views, one a second, of 500 visitors. */
const longLog = (views: number) =>
	Array.from({ length: views }, (_, n) => {
		const time = new Date(Date.parse("2026-10-05T00:00:00Z") + n * 1000).toUTCString();
		const stamp = `${time.slice(5, 7)}/${time.slice(8, 11)}/${time.slice(12, 16)}:${time.slice(17, 25)} +0000`;
		return line(`192.0.2.${n % 250}`, stamp, `GET /page-${n % 97} HTTP/1.1`, 200, "-", n % 2 === 0 ? FIREFOX : CHROME);
	}).join("\n");

test("a file that is unlike any that a tool writes is refused by its beginning, and leaves no file", async () => {
	const wide = `date,visits${",".repeat(300)}\n2026-01-01,1\n`;
	const packed = (byte: string) => gzipSync(Buffer.alloc(100_000_000, byte), { level: 1 });
	for (const [message, source, bytes] of [
		[/too long/, "ga4_csv", Buffer.alloc(20_000_000, ",")],
		[/too long/, "matomo_csv", `"${"x,\n".repeat(200_000)}`],
		[/too long/, "umami_csv", `${"a,".repeat(200_000)}"\n${'",,"\n'.repeat(100_000)}`],
		[/more than 256 columns/, "umami_csv", wide],
		[/more than 256 columns/, "plausible_zip", zipFile([{ name: "imported_visitors.csv", content: wide }])],
		[/beginning, is empty/, "access_log", packed("\n")],
		[/longer than 16 MB/, "access_log", packed("y")],
	] as const) {
		const answer = await own.upload(bytes, { source });
		assert.equal(answer.statusCode, 422, answer.body);
		const [fault] = answer.json().error.detail;
		assert.equal(fault.field, "body.file");
		assert.match(fault.message, message);
	}
	assert.deepEqual(files(), []);
});

test("a file that takes too much memory fails its import with a reason, and the service goes on", async () => {
	const paths = Array.from({ length: 1500 }, (_, n) => `GET /${n}${"x".repeat(60_000)} HTTP/1.1`);
	const large = gzipSync(paths.map((path) => line("192.0.2.1", "10/Nov/2026:10:00:00 +0000", path)).join("\n"));
	const { status, error_message } = await own.import(large);
	assert.equal(status, "failed");
	assert.match(String(error_message), /more than 64 MB of memory/);
	assert.equal((await own.import(log)).status, "completed");
});

test("rows are sent by the year, long ones in parts, which a repetition makes alike", async () => {
	const sizes: number[] = [];
	beforeInsert = async ({ tsv }) => sizes.push(tsv.length);
	const days = Array.from({ length: 12 }, (_, n) => `${2015 + n}-01-01,1\n`).join("");
	assert.equal((await own.import(`date,sessions\n${days}`, ga4)).status, "completed");
	assert.equal(sizes.length, 12);
	sizes.length = 0;
	beforeInsert = async ({ tsv }) => {
		if (sizes.push(tsv.length) === 2) throw new ServiceError("database_unavailable");
	};
	const row = `2026-11-01,1${`,${"é".repeat(250)}`.repeat(4)}\n`;
	const head = "date,sessions,session campaign,session manual term,session manual ad content,landing page\n";
	const { import_id: id } = await own.import(head + row.repeat(5000), ga4);
	app.clock.advance(600_000);
	await app.jobs.runDue();
	assert.equal((await stateOf(id)).status, "completed");
	assert.deepEqual(sizes.slice(2, 4), sizes.slice(0, 2));
	assert.ok(sizes.length > 4 && Math.max(...sizes) < 3_300_000, String(sizes));
	assert.equal((await visits("2026-11"))[0], 5000);
});

test("each organization has its turn: an import that takes long delays those of others no more than its own", async () => {
	const imports = [await start(`${log}\n`), await start(log)];
	const other = await newSite();
	await other.upload(log, { dry_run: "false" });
	const others = Promise.withResolvers<void>();
	beforeInsert = async ({ tsv }) => {
		if (Buffer.from(tsv.subarray(0, 100)).toString().startsWith(other.site)) return others.resolve();
		await others.promise;
		beforeInsert = async () => {};
		const states = await Promise.all(imports.map(stateOf));
		assert.deepEqual(states.map(({ status }) => status).sort(), ["importing", "pending"]);
	};
	await app.jobs.runDue();
	assert.equal((await stateOf(imports[1] ?? "")).status, "completed");
});

test("an import that is broken off, with a batch stored and not noted, goes on and doubles nothing", async () => {
	const sent: string[] = [];
	afterInsert = async ({ deduplicationToken: token }) => {
		const isRepeated = sent.includes(token);
		sent.push(token);
		if (token.endsWith("-1-2026") && !isRepeated) throw new ServiceError("database_unavailable");
	};
	const first = await own.import(longLog(41_000));
	assert.equal(first.status, "importing");
	const broken = sent.at(-1);
	app.clock.advance(600_000);
	await app.jobs.runDue();
	const done = await stateOf(first.import_id);
	assert.equal(done.status, "completed");
	const twice = sent.filter((token, at) => sent.indexOf(token) < at);
	assert.deepEqual(twice, [broken], "the first batch was not sent again, the second was");
	assert.ok(sent.some((token) => /-2-2026$/.test(token)));
	assert.deepEqual(await visits("2026-10"), [done.report.totals.entrances, 41_000]);
});

test("cancelling while rows are written takes back what was written", async () => {
	const id = await start(longLog(21_000));
	const remove = async () => (await own.call(`DELETE /imports/${id}`)).statusCode;
	afterInsert = async () => {
		afterInsert = async () => {};
		assert.equal(await remove(), 204);
	};
	await app.jobs.runDue();
	app.clock.advance(120_000);
	await app.jobs.runDue();
	assert.equal((await stateOf(id)).status, "cancelled");
	assert.deepEqual(await visits("2026-10"), [0, 0]);
	assert.equal(await remove(), 204);
	assert.equal((await own.call(`GET /imports/${id}`)).statusCode, 404);
});

test("deleting days of a site takes them out of rows and reports of imports, and ends what may bring them back", async () => {
	const { import_id: id } = await own.import(log);
	const waiting = (await own.upload(`${log}\n`)).json().data.import_id;
	await app.jobs.runDue();
	await removeFilesAtOnce(app);
	await askToDelete(app, own.ann, own.site, { to: "2026-11-10" });
	await finishDeletions(app);
	const { report } = await stateOf(id);
	assert.deepEqual(report.by_day, [{ date: "2026-11-11", entrances: 1, page_views: 1 }]);
	assert.equal(report.totals.page_views, 1);
	assert.equal((await stateOf(waiting)).status, "cancelled");
	assert.deepEqual(files(), []);
	assert.deepEqual(await visits("2026-11"), [1, 1]);
});

test("a dry run that nobody runs is cancelled after a week, and its file goes", async () => {
	const { import_id: id } = (await own.upload(log)).json().data;
	await app.jobs.runDue();
	assert.equal(files().length, 1);
	app.clock.advance(8 * 86_400_000);
	await app.jobs.runDue();
	const [row] = await tables(app.metadata).selectFrom("imports").selectAll().where("import_id", "=", id).execute();
	assert.deepEqual([row?.status, row?.stored_name], ["cancelled", null]);
	assert.deepEqual(files(), []);
});

/** Inserts a copy of an import as one of a site, with so many partitions. */
async function kept(site_id: string, partitions: number, status: "completed" | "validated" = "completed") {
	const imports = tables(app.metadata);
	const { id: _, ...row } = await imports.selectFrom("imports").selectAll().executeTakeFirstOrThrow();
	const import_id = crypto.randomUUID();
	const own = { import_id, site_id, file_sha256: import_id, stored_name: null, dry_run: 0, partitions, status };
	await imports
		.insertInto("imports")
		.values({ ...row, ...own })
		.execute();
	return import_id;
}

test("a site has ten uploads and unfinished imports at a time, counted before their files are read, an organization sixty an hour", async () => {
	await (await newSite()).upload(log);
	for (let n = 0; n < 9; n++) await kept(own.site, 0, "validated");
	const sent = await Promise.all([own.upload(`${log}a`), own.upload(`${log}b`)]);
	assert.deepEqual(sent.map(({ statusCode }) => statusCode).sort(), [201, 409]);
	for (let n = 2; n < 60; n++) assert.equal((await own.call("POST /imports")).statusCode, 422);
	assert.equal((await own.upload(log)).statusCode, 429);
});

test("a site has fifty imports and six hundred months of them, all sites twenty thousand", async () => {
	const two = "date,sessions\n2026-10-01,1\n2026-11-01,1\n";
	const dry = (await own.upload(two, ga4)).json().data.import_id;
	const run = () => own.call(`POST /imports/${dry}/run`);
	const undo = async (id: string) => (await own.call(`POST /imports/${id}/undo`)).statusCode;
	const full = [429, "quota_exceeded"];
	await app.jobs.runDue();
	const old = await kept(own.site, 599);
	assert.deepEqual(codeOf(await run()), full);
	const failed = await own.import(`${two}\n`, ga4);
	assert.equal(failed.status, "failed");
	assert.match(
		String(failed["error_message"]),
		/^The months of all imports of a site are at most 600, .*: undo imports/,
	);
	assert.equal(await undo(old), 200);
	const elsewhere = await kept((await newSite()).site, 19_999);
	assert.deepEqual(codeOf(await run()), full);
	await tables(app.metadata).deleteFrom("imports").where("import_id", "=", elsewhere).execute();
	assert.equal((await run()).statusCode, 200);
	await app.jobs.runDue();
	for (let n = 0; n < 49; n++) await kept(own.site, 1);
	assert.deepEqual(codeOf(await own.upload(log, { dry_run: "false" })), full);
	assert.equal(await undo(dry), 200);
	assert.equal((await own.upload(log, { dry_run: "false" })).statusCode, 201);
});
