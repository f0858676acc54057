import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { cli } from "../../test/support/cli.ts";
import { exportSite } from "../../test/support/export-site.ts";
import { testApp } from "../../test/support/test-app.ts";

let dataDir: string;
before(async () => {
	dataDir = mkdtempSync(join(tmpdir(), "footfall-cli-export-"));
	const app = await testApp({ dataDir });
	await exportSite(app);
	await app.close();
});
after(() => rmSync(dataDir, { recursive: true, force: true }));

const run = (...args: readonly string[]) => cli(["export", ...args], { env: { DATA_DIR: dataDir } });

test("every event of a site, and of no other, is written in each format", async () => {
	const csv = join(dataDir, "shop.csv");
	const { code, out, error } = await run("--site", "shop", "--out", csv);
	assert.equal(code, 0, error);
	assert.match(out, /^9 events, [\d,]+ bytes in /);
	const lines = readFileSync(csv, "utf8").split("\r\n");
	assert.equal(lines.length, 11);
	assert.match(lines[0] ?? "", /^timestamp,date,hour,session,kind,path,.*,properties,amount,revenue,bot_score,/);
	assert.match(lines[1] ?? "", /^2026-10-01T09:00:00\.000Z,2026-10-01,9,1,conversion,\/,/);
	const json = join(dataDir, "shop.ndjson");
	assert.equal((await run("--site", "shop", "--format", "ndjson", "--from", "2026-11-21", "--out", json)).code, 0);
	const rows = readFileSync(json, "utf8")
		.trimEnd()
		.split("\n")
		.map((line) => JSON.parse(line));
	assert.deepEqual(
		rows.map((row) => [row.timestamp, row.kind, row.utm_source, row.revenue]),
		[
			["2026-11-21T10:00:00.000Z", "pageview", "google", 0],
			["2026-11-21T10:00:00.000Z", "pageview", "=cmd|'/c calc'!A1", 0],
			["2026-11-21T11:00:00.000Z", "microconversion", "=cmd|'/c calc'!A1", 0],
			["2026-11-21T12:00:00.000Z", "conversion", "=cmd|'/c calc'!A1", -3],
		],
	);
	const parquet = join(dataDir, "shop.parquet");
	assert.equal((await run("--site", "shop", "--format", "parquet", "--out", parquet)).code, 0);
	assert.equal(readFileSync(parquet).subarray(-4).toString(), "PAR1");
});

test("an unknown site, a bad day and a bad format are said in a line, and no file appears", async () => {
	const out = join(dataDir, "none.csv");
	for (const [args, message] of [
		[["--site", "nobody", "--out", out], /^There is no site nobody/],
		[["--site", "shop", "--out", out, "--from", "yesterday"], /A date such as/],
		[["--site", "shop", "--out", out, "--from", "2026-11-21", "--to", "2026-11-20"], /^--from is after --to/],
		[["--site", "shop", "--out", out, "--format", "xml"], /Allowed choices are csv, json, ndjson, parquet/],
	] as const) {
		const { code, error } = await run(...args);
		assert.notEqual(code, 0);
		assert.match(error, message);
		assert.equal(existsSync(out), false);
	}
});
