import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { before, test } from "node:test";
import { createSite, signIn } from "../../test/support/accounts.ts";
import { beside, lockedApp, newDirectory } from "../../test/support/backups.ts";
import { cli } from "../../test/support/cli.ts";
import { exportSite } from "../../test/support/export-site.ts";
import { sendHit } from "../../test/support/hits.ts";
import { importSite, log } from "../../test/support/import-site.ts";
import { engineError, refusingInserts } from "../../test/support/model-store.ts";
import { lendEventStore } from "../../test/support/stores-on-shared-engine.ts";
import { testApp } from "../../test/support/test-app.ts";

/** With the sites `shop`, which has events to export, and `log`, which files are imported into. */
const dataDir = newDirectory();
const file = join(dataDir, "access.log");
before(async () => {
	writeFileSync(file, log);
	await using app = await testApp({ dataDir });
	await exportSite(app);
	await importSite(app, { email: "bob@example.com", name: "Log" });
});

const run = (dataDir: string, ...args: readonly string[]) => cli(args, { env: { DATA_DIR: dataDir } });
const exportTo = (out: string, ...more: readonly string[]) =>
	run(dataDir, "export", "--site", "shop", "--out", out, ...more);
const importOf = (path: string, ...more: readonly string[]) =>
	run(dataDir, "import", path, "--site", "log", "--source", "access_log", ...more);

test("every event of a site, and of no other, is written in each format", async () => {
	const [csv, json, parquet] = [join(dataDir, "a.csv"), join(dataDir, "b.ndjson"), join(dataDir, "c.parquet")];
	const { code, out, error } = await exportTo(csv);
	assert.equal(code, 0, error);
	assert.match(out, /^9 events, [\d,]+ bytes in /);
	const lines = readFileSync(csv, "utf8").split("\r\n");
	assert.equal(lines.length, 11);
	assert.match(lines[0] ?? "", /^timestamp,date,hour,session,kind,path,.*,properties,amount,revenue,bot_score,/);
	assert.match(lines[1] ?? "", /^2026-10-01T09:00:00\.000Z,2026-10-01,9,1,conversion,\/,/);
	assert.equal((await exportTo(json, "--format", "ndjson", "--from", "2026-11-21")).code, 0);
	const rows = readFileSync(json, "utf8").trimEnd().split("\n");
	const { timestamp, kind, utm_source: source, revenue } = JSON.parse(rows.at(-1) ?? "");
	assert.equal(rows.length, 4);
	const values = [timestamp, kind, source, revenue];
	assert.deepEqual(values, ["2026-11-21T12:00:00.000Z", "conversion", "=cmd|'/c calc'!A1", -3]);
	assert.equal((await exportTo(parquet, "--format", "parquet")).code, 0);
	assert.equal(readFileSync(parquet).subarray(-4).toString(), "PAR1");
});

test("an impossible export or import prints a line with its reason, and no file appears", async () => {
	const out = join(dataDir, "none.csv");
	const [other, elsewhere] = [join(dataDir, "other.txt"), join(dataDir, "elsewhere.log")];
	writeFileSync(other, "hello\n");
	writeFileSync(elsewhere, log.replaceAll(/^192/gm, "other.example 192"));
	const uncounted =
		/\nNote: No row of the file counts\. The first that is left out: line 1: the host is other\.example/;
	for (const [use, message] of [
		[() => exportTo(out, "--site", "nobody"), /^There is no site nobody/],
		[() => exportTo(out, "--from", "yesterday"), /Enter a date such as/],
		[() => exportTo(out, "--from", "2026-11-21", "--to", "2026-11-20"), /^--from is after --to/],
		[() => exportTo(out, "--format", "xml"), /Allowed choices are csv, json, ndjson, parquet/],
		[() => importOf(join(dataDir, "none.log")), /^There is no file/],
		[() => importOf(file, "--site", "nobody"), /^There is no site nobody/],
		[() => importOf(other), /No line of the beginning is one of an access log/],
		[() => importOf(elsewhere), uncounted],
	] as const) {
		const { code, error, out: told } = await use();
		assert.notEqual(code, 0);
		assert.match(error || told, message);
	}
	assert.equal(existsSync(out), false);
});

test("a file is reported, then imported from a shell, once, and its copy goes", async () => {
	const copies = readdirSync(join(dataDir, "imports")).length;
	const dry = await importOf(file, "--dry-run");
	assert.equal(dry.code, 0, dry.error);
	assert.match(
		dry.out,
		/^Import \S+ is validated\n10 rows read, 4 accepted, 6 skipped\n {2}not_a_page +3 {2}lines 2, 4, 7\n/,
	);
	assert.match(dry.out, /\n {2}malformed +1 {2}lines 9\n {4}line 9: no time such as[\s\S]*No rows were imported/);
	const done = await importOf(file, "--json");
	assert.equal(done.code, 0, done.error);
	const answer = JSON.parse(done.out);
	assert.deepEqual([answer.status, answer.report.totals.page_views, answer.created_by], ["completed", 4, null]);
	const again = await importOf(file);
	assert.equal(again.code, 1);
	assert.match(again.error, /^The same file was already imported/);
	// That of the dry run waits for its rows to be asked for.
	assert.equal(readdirSync(join(dataDir, "imports")).length, copies + 1);
});

test("a service that runs is given the file and imports it up to the last day that is named", async () => {
	// The job of a command is due by the machine's clock.
	await using app = await lockedApp({ dataDir, now: new Date(Date.now() + 60_000).toISOString() });
	const more = join(dataDir, "more.log");
	writeFileSync(more, log.replaceAll("/Nov/2026", "/Oct/2026"));
	const until = ["--to", "2026-10-10", "--json"];
	const printed = await beside(app, ["import", more, "--site", "log", "--source", "access_log", ...until]);
	assert.equal(printed.code, 0, printed.error);
	const { status, report } = JSON.parse(printed.out);
	assert.deepEqual([status, report.rows_read, report.totals.page_views], ["completed", 10, 3]);
});

test("rows that the event store refuses show in /health and in a command, and are taken back by one while the service runs, once", async (t) => {
	const dataDir = newDirectory();
	const events = await lendEventStore();
	let refuses = true;
	const app = await testApp({
		dataDir,
		events,
		wrapEventStore: refusingInserts((rows) =>
			refuses && rows.includes("/refused") ? engineError("CANNOT_PARSE_TEXT") : undefined,
		),
	});
	t.after(() => app.close().then(events.giveBack));
	const site = await createSite(app, await signIn(app));
	const health = async () => (await app.inject({ url: "/health" })).json();
	const stored = async () => {
		const sql = "SELECT path FROM events WHERE page_view = 1 ORDER BY path";
		return (await app.eventStore.query<{ path: string }>({ sql })).map(({ path }) => path).join();
	};
	const none = { code: 0, out: "0 bytes wait for the event store\n", error: "" };
	assert.deepEqual(await run(dataDir, "spool", "status"), none);
	for (const path of ["/one", "/refused", "/two"]) await sendHit(app, { site, url: `https://shop.example${path}` });
	await app.collector?.flush();
	assert.equal(await stored(), "/one,/two");
	const { status, checks } = await health();
	assert.deepEqual([status, checks.queue.status], ["degraded", "unhealthy"]);
	assert.equal(checks.queue.message, "the event store refused 1 rows, in 1 files of spool/refused");
	const [refusedFile] = readdirSync(join(dataDir, "spool", "refused"));
	const refused = JSON.parse((await run(dataDir, "spool", "status", "--json")).out);
	assert.deepEqual(refused, { waitingBytes: 0, refused: [{ file: refusedFile, rows: 1, state: "refused" }] });

	refuses = false;
	const { out } = await run(dataDir, "spool", "retry");
	assert.equal(out, "The service retries 1 file within five seconds, or at its next start.\n");
	const { monotonic } = app.clock;
	t.mock.method(app.clock, "monotonic", () => monotonic() + 5_000);
	await app.collector?.flush();
	assert.equal((await health()).status, "healthy");
	assert.equal(await stored(), "/one,/refused,/two");
	assert.equal((await run(dataDir, "spool", "retry")).out, "There are no refused rows.\n");
});
