import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { beside, lockedApp } from "../../test/support/backups.ts";
import { cli } from "../../test/support/cli.ts";
import { importSite, log } from "../../test/support/import-site.ts";
import { testApp } from "../../test/support/test-app.ts";

let dataDir: string;
let file: string;
before(async () => {
	dataDir = mkdtempSync(join(tmpdir(), "footfall-cli-import-"));
	file = join(dataDir, "access.log");
	writeFileSync(file, log);
	const app = await testApp({ dataDir });
	await importSite(app);
	await app.close();
});
after(() => rmSync(dataDir, { recursive: true, force: true }));

const run = (...args: readonly string[]) => cli(["import", ...args], { env: { DATA_DIR: dataDir } });

test("a file is reported, then imported from a shell, once, and its copy goes", async () => {
	const options = ["--site", "shop", "--source", "access_log"];
	const dry = await run(file, ...options, "--dry-run");
	assert.equal(dry.code, 0, dry.error);
	assert.match(
		dry.out,
		/^Import \S+ is validated\n10 rows read, 4 count, 6 left out\n {2}not_a_page +3 {2}lines 2, 4, 7\n/,
	);
	assert.match(dry.out, /\n {2}malformed +1 {2}lines 9\n {4}line 9: no time such as/);
	assert.match(dry.out, /No row was written/);
	const done = await run(file, ...options, "--json");
	assert.equal(done.code, 0, done.error);
	const answer = JSON.parse(done.out);
	assert.deepEqual([answer.status, answer.report.totals.page_views, answer.created_by], ["completed", 4, null]);
	const again = await run(file, ...options);
	assert.equal(again.code, 1);
	assert.match(again.error, /^The same file is imported already/);
	// That of the dry run waits for its rows to be asked for.
	assert.equal(readdirSync(join(dataDir, "imports")).length, 1);
});

test("a file that is not there, an unknown site and a file of another kind are said in a line", async () => {
	const other = join(dataDir, "other.txt");
	writeFileSync(other, "hello\n");
	for (const [args, message] of [
		[[join(dataDir, "none.log"), "--site", "shop"], /^There is no file/],
		[[file, "--site", "nobody"], /^There is no site nobody/],
		[[other, "--site", "shop"], /No line of the beginning is one of an access log/],
	] as const) {
		const { code, error } = await run(...args, "--source", "access_log");
		assert.equal(code, 1, error);
		assert.match(error, message);
	}
});

test("a file of which no row counts ends the command with a fault and its reason", async () => {
	const elsewhere = join(dataDir, "elsewhere.log");
	writeFileSync(elsewhere, log.replaceAll(/^192/gm, "other.example 192"));
	for (const more of [["--dry-run"], []]) {
		const { code, out } = await run(elsewhere, "--site", "shop", "--source", "access_log", ...more);
		assert.equal(code, 1);
		assert.match(
			out,
			/\nNote: No row of the file counts\. The first that is left out: line 1: the host is other\.example/,
		);
	}
});

test("a service that runs is given the file and imports it", async (t) => {
	const app = await lockedApp({ dataDir, now: new Date(Date.now() + 60_000).toISOString() });
	t.after(() => app.close());
	const more = join(dataDir, "more.log");
	writeFileSync(more, log.replaceAll("/Nov/2026", "/Oct/2026"));
	const args = ["import", more, "--site", "shop", "--source", "access_log", "--json"];
	const { code, out, error } = await beside(app, args);
	assert.equal(code, 0, error);
	const { status, report } = JSON.parse(out);
	assert.deepEqual([status, report.rows_read, report.totals.page_views], ["completed", 10, 4]);
});
