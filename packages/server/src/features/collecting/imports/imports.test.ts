import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { signIn } from "../../../../test/support/accounts.ts";
import { appOnBothEngines } from "../../../../test/support/app-on-both-engines.ts";
import { sendHits } from "../../../../test/support/hits.ts";
import { formOf, importSite } from "../../../../test/support/import-site.ts";
import { testApp } from "../../../../test/support/test-app.ts";

const FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:132.0) Gecko/20100101 Firefox/132.0";
const CHROME =
	"Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36";

/** A line of the combined format. */
const line = (address: string, time: string, request: string, status = 200, referrer = "-", agent = FIREFOX) =>
	`${address} - - [${time}] "${request}" ${status} 512 "${referrer}" "${agent}"`;

const log = [
	line("192.0.2.1", "10/Nov/2026:10:00:00 +0000", "GET /?utm_source=mail&utm_medium=email HTTP/1.1"),
	line("192.0.2.1", "10/Nov/2026:10:00:01 +0000", "GET /style.css HTTP/1.1", 200, "https://shop.example/"),
	line("192.0.2.1", "10/Nov/2026:10:05:00 +0000", "GET /cart HTTP/1.1", 304, "https://www.shop.example/"),
	line("192.0.2.1", "10/Nov/2026:10:06:00 +0000", "POST /cart HTTP/1.1", 200, "https://shop.example/cart"),
	line("192.0.2.1", "10/Nov/2026:11:00:00 +0000", "GET /late HTTP/1.1"),
	line(
		"192.0.2.2",
		"11/Nov/2026:09:00:00 +0100",
		"GET /a%20b.html?q=1 HTTP/1.1",
		200,
		"https://www.google.com/",
		CHROME,
	),
	line("192.0.2.3", "11/Nov/2026:09:00:00 +0000", "GET /gone HTTP/1.1", 404),
	line(
		"192.0.2.4",
		"11/Nov/2026:09:00:00 +0000",
		"GET / HTTP/1.1",
		200,
		"-",
		"Googlebot/2.1 (+http://www.google.com/bot.html)",
	),
	"what is this?",
	line("192.0.2.5", "21/Nov/2027:09:00:00 +0000", "GET /future HTTP/1.1"),
	"",
].join("\n");

const reports = [
	"/stats/overview?start_date=2026-11-01&end_date=2026-11-21",
	"/stats/pages?start_date=2026-11-01&end_date=2026-11-21",
	"/stats/landing-pages?start_date=2026-11-01&end_date=2026-11-21",
	"/stats/sources?start_date=2026-11-01&end_date=2026-11-21",
	"/stats/devices?start_date=2026-11-01&end_date=2026-11-21",
	"/stats/channels?start_date=2026-11-01&end_date=2026-11-21",
	"/stats/geo/countries?start_date=2026-11-01&end_date=2026-11-21",
];

appOnBothEngines("imports", (open) => {
	test("a log is read, reported, imported, left out on demand and taken back without a trace", async (t) => {
		const app = await open();
		t.after(() => app.close());
		const { site, ann, upload, call, report } = await importSite(app);
		await sendHits(app, [{ site, url: "https://shop.example/own" }]);
		const all = async () => Promise.all(reports.map(report));
		const before = await all();
		const sent = await upload(log);
		assert.equal(sent.statusCode, 201, sent.body);
		const { import_id: id, ...made } = sent.json().data;
		assert.deepEqual(made, {
			account_id: site,
			source: "access_log",
			file_name: "access.log",
			file_size_bytes: Buffer.byteLength(log),
			file_sha256: made.file_sha256,
			dry_run: true,
			status: "pending",
			progress_percent: 0,
			report: null,
			error_message: null,
			created_by: ann.userId,
			created_at: "2026-11-21T12:00:00.000Z",
			started_at: null,
			completed_at: null,
			undone_at: null,
		});
		assert.equal((await call(`POST /imports/${id}/run`)).statusCode, 409);
		await app.jobs.runDue();
		const validated = (await call(`GET /imports/${id}`)).json().data;
		assert.equal(validated.status, "validated");
		assert.deepEqual(validated.report, {
			rows_read: 10,
			rows_accepted: 4,
			rows_skipped: 6,
			skip_reasons: [
				{ reason: "not_a_page", count: 3, sample_lines: [2, 4, 7] },
				{ reason: "bot", count: 1, sample_lines: [8] },
				{ reason: "malformed", count: 1, sample_lines: [9] },
				{ reason: "out_of_range", count: 1, sample_lines: [10] },
			],
			date_from: "2026-11-10",
			date_to: "2026-11-11",
			totals: {
				entrances: 3,
				engaged_entrances: 1,
				page_views: 4,
				microconversions: 0,
				conversions: 0,
				revenue: 0,
			},
			by_day: [
				{ date: "2026-11-10", entrances: 2, page_views: 3 },
				{ date: "2026-11-11", entrances: 1, page_views: 1 },
			],
			dimensions_filled: [
				"path",
				"landing_page",
				"referrer_domain",
				"utm_source",
				"utm_medium",
				"device_type",
				"browser",
				"os",
				"hour",
			],
			warnings: [],
		});
		assert.deepEqual(await all(), before);

		assert.equal((await call(`POST /imports/${id}/run`)).json().data.status, "importing");
		await app.jobs.runDue();
		const done = (await call(`GET /imports/${id}`)).json().data;
		assert.deepEqual([done.status, done.dry_run, done.progress_percent], ["completed", false, 100]);
		assert.deepEqual(done.report, validated.report);
		assert.deepEqual(readdirSync(join(app.config.dataDir, "imports")), []);
		const sources = (await report(`${reports[3]}`)) as { data: Record<string, unknown>[] };
		assert.deepEqual(
			sources.data.map((row) => [row["utm_source"], row["entrances"], row["page_views"]]),
			[
				// One of them was collected.
				["(direct)", 2, 2],
				["google", 1, 1],
				["mail", 1, 2],
			],
		);
		const excluded = await Promise.all(reports.map((path) => report(`${path}&imports=exclude`)));
		assert.deepEqual(excluded, before);

		const again = await upload(log, { dry_run: "false" });
		assert.deepEqual([again.statusCode, again.json().error.code], [409, "duplicate_entry"]);
		const removal = await call(`DELETE /imports/${id}`);
		assert.deepEqual([removal.statusCode, removal.json().error.code], [409, "conflict"]);

		const undone = (await call(`POST /imports/${id}/undo`)).json().data;
		assert.deepEqual([undone.status, undone.undone_at], ["undone", "2026-11-21T12:00:00.000Z"]);
		assert.deepEqual(await all(), before);
		assert.equal((await call(`POST /imports/${id}/undo`)).statusCode, 409);
		assert.equal((await upload(log, { dry_run: "false" })).statusCode, 201);
		const audit = await app.inject({ url: "/api/v1/audit/logs?resource_type=import", headers: ann.headers });
		assert.deepEqual(
			audit.json().data.logs.map((entry: { action: string }) => entry.action),
			["import.started", "import.undone", "import.started"],
		);
		assert.equal((await call("GET /imports")).json().data.total, 2);
	});
});
void formOf;
void signIn;
void testApp;
void gzipSync;
