import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { after, before, beforeEach, test } from "node:test";
import { gzipSync } from "node:zlib";
import { type NewRow, tables } from "../../../../migrations/metadata/tables/index.ts";
import { type ImportSite, importSite, line, log } from "../../../../test/support/import-site.ts";
import { type TestApp, testApp } from "../../../../test/support/test-app.ts";
import { zipFile } from "../../../../test/support/zip-file.ts";
import { ServiceError } from "../../../platform/errors/service-error.ts";

let app: TestApp;
/** Each test has a site of its own. */
let own: ImportSite;
let sites = 0;
/** Called before an insert of an import. */
let onInsert: (tsv: Uint8Array) => Promise<unknown> = async () => {};
before(async () => {
	app = await testApp({
		env: { RATE_LIMIT_ENABLED: "true", IMPORT_MEMORY: "64MB" },
		wrapEventStore: (store) => ({
			...store,
			insert: async (insert) => {
				if (insert.deduplicationToken.startsWith("import-")) await onInsert(insert.tsv);
				await store.insert(insert);
			},
		}),
	});
});
const newSite = () => importSite(app, { email: `ann-${++sites}@example.com`, name: `Shop ${sites}` });
beforeEach(async () => {
	onInsert = async () => {};
	own = await newSite();
});
after(() => app.close());

const stateOf = async (site: ImportSite, id: string) => (await site.call(`GET /imports/${id}`)).json().data;
const ga4 = { source: "ga4_csv" };
const zeros = (bytes: number, byte: number) => Buffer.alloc(bytes, byte);

test("a file that is unlike any that a tool writes is refused by its beginning, and leaves no file", async () => {
	const wide = `date,visits${",".repeat(300)}\n2026-01-01,1\n`;
	const files: readonly (readonly [RegExp, Record<string, string>, string | Uint8Array])[] = [
		[/too long/, ga4, zeros(20_000_000, 0x2c)],
		[/too long/, { source: "matomo_csv" }, `"${"x,\n".repeat(200_000)}`],
		[/too long/, { source: "umami_csv" }, `${"a,".repeat(200_000)}"\n${'",,"\n'.repeat(100_000)}`],
		[/more than 256 columns/, { source: "umami_csv" }, wide],
		[/more than 256 columns/, { source: "plausible_zip" }, zipFile([{ name: "imported_visitors.csv", content: wide }])],
		[/beginning, is empty/, {}, gzipSync(zeros(100_000_000, 0x0a), { level: 1 })],
		[/longer than 16 MB/, {}, gzipSync(zeros(100_000_000, 0x79), { level: 1 })],
	];
	for (const [message, fields, bytes] of files) {
		const answer = await own.upload(bytes, fields);
		assert.equal(answer.statusCode, 422, answer.body);
		const [fault] = answer.json().error.detail;
		assert.equal(fault.field, "body.file");
		assert.match(fault.message, message);
	}
	assert.deepEqual(readdirSync(join(app.config.dataDir, "imports")), []);
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
	const bytes: number[] = [];
	onInsert = async (tsv) => bytes.push(tsv.length);
	const days = Array.from({ length: 12 }, (_, n) => `${2015 + n}-01-01,1\n`).join("");
	assert.equal((await own.import(`date,sessions\n${days}`, ga4)).status, "completed");
	assert.equal(bytes.length, 12);
	bytes.length = 0;
	onInsert = async (tsv) => {
		if (bytes.push(tsv.length) === 2) throw new ServiceError("database_unavailable");
	};
	const text = "é".repeat(250);
	const row = `2026-11-01,1,${[text, text, text, text].join(",")}\n`;
	const head = "date,sessions,session campaign,session manual term,session manual ad content,landing page\n";
	const { import_id: id } = await own.import(head + row.repeat(5000), ga4);
	app.clock.advance(600_000);
	await app.jobs.runDue();
	assert.equal((await stateOf(own, id)).status, "completed");
	assert.deepEqual(bytes.slice(2, 4), bytes.slice(0, 2));
	assert.ok(bytes.length > 4 && Math.max(...bytes) < 3_300_000, String(bytes));
	const { data } = (await own.report("/stats/overview?start_date=2026-11-01&end_date=2026-11-01")) as {
		data: { traffic: { entrances: number } };
	};
	assert.equal(data.traffic.entrances, 5000);
});

test("each organization has its turn: an import that takes long delays those of others no more than its own", async () => {
	const second = await own.upload(`${log}\n`, { dry_run: "false" }).then((answer) => answer.json().data.import_id);
	const first = await own.upload(log, { dry_run: "false" }).then((answer) => answer.json().data.import_id);
	const other = await newSite();
	await other.upload(log, { dry_run: "false" });
	const others = Promise.withResolvers<void>();
	onInsert = async (tsv) => {
		if (Buffer.from(tsv.subarray(0, 100)).toString().startsWith(other.site)) return others.resolve();
		await others.promise;
		const states = [await stateOf(own, first), await stateOf(own, second)].map(({ status }) => status).sort();
		onInsert = async () => {};
		assert.deepEqual(states, ["importing", "pending"]);
	};
	await app.jobs.runDue();
	assert.equal((await stateOf(own, first)).status, "completed");
});

test("a site has ten uploads and unfinished imports at a time, counted before their files are read, an organization sixty an hour", async () => {
	for (let n = 0; n < 9; n++) await kept(own, 0, "validated");
	const sent = await Promise.all([own.upload(`${log}a`), own.upload(`${log}b`)]);
	assert.deepEqual(sent.map(({ statusCode }) => statusCode).sort(), [201, 409]);
	for (let n = 2; n < 60; n++) assert.equal((await own.call("POST /imports")).statusCode, 422);
	assert.equal((await own.upload(log)).statusCode, 429);
});

/** Inserts an earlier import with so many partitions. */
async function kept(
	{ site }: Pick<ImportSite, "site">,
	partitions: number,
	status: "completed" | "validated" = "completed",
): Promise<string> {
	const id = crypto.randomUUID();
	const nothing = { stored_name: null, date_from: null, date_to: null, attempt: null, plan: null, salt: null };
	const times = { created_at: 0, started_at: 0, completed_at: 0, undone_at: null };
	const row: NewRow<"imports"> = {
		...nothing,
		...times,
		import_id: id,
		site_id: site,
		source: "access_log",
		file_name: "old.log",
		file_size_bytes: 1,
		file_sha256: id,
		dry_run: 0,
		timezone: "UTC",
		column_map: "{}",
		status,
		progress_percent: 100,
		batches_done: 1,
		partitions,
		report: null,
		error_message: null,
		created_by: null,
	};
	await tables(app.metadata).insertInto("imports").values(row).execute();
	return id;
}

test("a site has fifty imports and six hundred months of them, all sites twenty thousand", async () => {
	const start = () => own.upload(log, { dry_run: "false" });
	const refusal = { code: "quota_exceeded", status: 429 };
	const refused = ({ statusCode, json }: Awaited<ReturnType<typeof start>>) => ({
		code: json().error.code,
		status: statusCode,
	});
	const two = "date,sessions\n2026-10-01,1\n2026-11-01,1\n";
	const dry = (await own.upload(two, ga4)).json().data.import_id;
	await app.jobs.runDue();
	const old = await kept(own, 599);
	assert.deepEqual(refused(await own.call(`POST /imports/${dry}/run`)), refusal);
	const failed = await own.import(`${two}\n`, ga4);
	assert.deepEqual(
		[failed.status, failed.error_message],
		[
			"failed",
			"The months of all imports of a site are at most 600, and these are more: undo imports that you no longer need",
		],
	);
	assert.equal((await own.call(`POST /imports/${old}/undo`)).statusCode, 200);
	const elsewhere = await kept(await newSite(), 19_999);
	assert.deepEqual(refused(await own.call(`POST /imports/${dry}/run`)), refusal);
	await tables(app.metadata).deleteFrom("imports").where("import_id", "=", elsewhere).execute();
	assert.equal((await own.call(`POST /imports/${dry}/run`)).statusCode, 200);
	await app.jobs.runDue();
	for (let n = 0; n < 49; n++) await kept(own, 1);
	assert.deepEqual(refused(await start()), refusal);
	assert.equal((await own.call(`POST /imports/${dry}/undo`)).statusCode, 200);
	assert.equal((await start()).statusCode, 201);
});
