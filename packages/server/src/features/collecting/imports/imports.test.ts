import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { gzipSync } from "node:zlib";
import { sendHits } from "../../../../test/support/hits.ts";
import { formOf, importSite, log } from "../../../../test/support/import-site.ts";
import { codeOf } from "../../../../test/support/refusals.ts";
import { type TestApp, testApp } from "../../../../test/support/test-app.ts";

const reports = ["overview", "pages", "landing-pages", "sources", "devices", "channels", "geo/countries"].map(
	(name) => `/stats/${name}?start_date=2026-11-01&end_date=2026-11-21`,
);

let app: TestApp;
before(async () => {
	app = await testApp({ env: { MAX_IMPORT_BYTES: "4096" } });
});
after(() => app.close());
const files = () => readdirSync(join(app.config.dataDir, "imports"));

test("a log is read, reported, imported, left out on demand and taken back without a trace", async () => {
	const { site, ann, upload, call, report } = await importSite(app);
	await sendHits(app, [{ site, url: "https://shop.example/own" }]);
	const all = () => Promise.all(reports.map(report));
	const before = await all();
	const sent = await upload(log);
	assert.equal(sent.statusCode, 201, sent.body);
	const { import_id: id, file_sha256, ...made } = sent.json().data;
	const file = {
		source: "access_log",
		file_name: "access.log",
		file_size_bytes: Buffer.byteLength(log),
		dry_run: true,
	};
	const progress = { status: "pending", progress_percent: 0, report: null, error_message: null };
	const times = { created_at: "2026-11-21T12:00:00.000Z", started_at: null, completed_at: null, undone_at: null };
	assert.deepEqual(made, { account_id: site, ...file, ...progress, created_by: ann.userId, ...times });
	assert.match(file_sha256, /^[0-9a-f]{64}$/);
	assert.equal((await call(`POST /imports/${id}/run`)).statusCode, 409);
	await app.jobs.runDue();
	const validated = (await call(`GET /imports/${id}`)).json().data;
	assert.equal(validated.status, "validated");
	const noTime = "line 9: no time such as [21/Nov/2026:10:15:30 +0100]";
	const future = "line 10: 2027-11-21 is out of range";
	assert.deepEqual(validated.report, {
		...{ rows_read: 10, rows_accepted: 4, rows_skipped: 6, date_from: "2026-11-10", date_to: "2026-11-11" },
		skip_reasons: [
			{ reason: "not_a_page", count: 3, sample_lines: [2, 4, 7], samples: [] },
			{ reason: "bot", count: 1, sample_lines: [8], samples: [] },
			{ reason: "malformed", count: 1, sample_lines: [9], samples: [noTime] },
			{ reason: "out_of_range", count: 1, sample_lines: [10], samples: [future] },
		],
		totals: { entrances: 3, engaged_entrances: 1, page_views: 4, microconversions: 0, conversions: 0, revenue: 0 },
		by_day: [
			{ date: "2026-11-10", entrances: 2, page_views: 3 },
			{ date: "2026-11-11", entrances: 1, page_views: 1 },
		],
		dimensions_filled: [
			...[
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
		],
		warnings: [],
	});
	assert.deepEqual(await all(), before);

	assert.equal((await call(`POST /imports/${id}/run`)).json().data.status, "importing");
	await app.jobs.runDue();
	const done = (await call(`GET /imports/${id}`)).json().data;
	assert.deepEqual([done.status, done.dry_run, done.progress_percent], ["completed", false, 100]);
	assert.deepEqual(done.report, validated.report);
	assert.deepEqual(files(), []);
	const { data } = (await report(`${reports[3]}`)) as { data: Record<string, unknown>[] };
	assert.deepEqual(
		data.map((row) => [row["utm_source"], row["entrances"], row["page_views"]].join(" ")),
		// One of them was collected.
		["(direct) 2 2", "google 1 1", "mail 1 2"],
	);
	assert.deepEqual(await Promise.all(reports.map((path) => report(`${path}&imports=exclude`))), before);

	assert.deepEqual(codeOf(await upload(log, { dry_run: "false" })), [409, "duplicate_entry"]);
	assert.deepEqual(codeOf(await call(`DELETE /imports/${id}`)), [409, "conflict"]);
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

test("what is no import is refused with the field at fault, and leaves no file", async () => {
	const kept = files();
	const { ann, site, upload } = await importSite(app, { email: "bob@example.com", name: "Refusing" });
	const url = `/api/v1/imports?account_id=${site}`;
	const source = "access_log";
	const whole = { bytes: log };
	const refused: readonly (readonly [Record<string, string>, Parameters<typeof formOf>[1], number, string?])[] = [
		[{ source }, undefined, 422, "body.file"],
		[{ source }, { bytes: "" }, 422, "body.file"],
		[{ source }, { bytes: "a,b\n1,2\n" }, 422, "body.file"],
		[{ source }, { bytes: gzipSync(log).subarray(0, 100) }, 422, "body.file"],
		[{ source }, { bytes: log, field: "upload" }, 422, "body.upload"],
		[{}, whole, 422, "body.source"],
		[{ source: "diary" }, whole, 422, "body.source"],
		[{ source, dry_run: "maybe" }, whole, 422, "body.dry_run"],
		[{ source, timezone: "Mars/Olympus" }, whole, 422, "body.timezone"],
		[{ source, date_from: "soon" }, whole, 422, "body.date_from"],
		[{ source, column_map: "{" }, whole, 422, "body.column_map"],
		[{ source, column_map: '{"x":"y"}' }, whole, 422, "body.column_map"],
		[{ source: "ga4_csv", column_map: '{"Tag":"day"}' }, { bytes: "Tag,B\n20261001,1\n" }, 422, "body.column_map"],
		[{ source, date_from: "2026-11-02", date_to: "2026-11-01" }, whole, 400],
		[{ source }, { bytes: log.repeat(10) }, 413],
	];
	for (const [fields, file, status, field] of refused) {
		const { payload, headers } = formOf(fields, file);
		const answer = await app.inject({ method: "POST", url, payload, headers: { ...ann.headers, ...headers } });
		assert.deepEqual([answer.statusCode, answer.json().error.detail?.[0]?.field], [status, field]);
	}
	const payload = "--x\r\nContent-Disposition: form-data";
	const headers = { ...ann.headers, "content-type": "multipart/form-data; boundary=x" };
	assert.equal((await app.inject({ method: "POST", url, payload, headers })).statusCode, 400);
	assert.deepEqual(files(), kept);

	assert.equal((await upload(log)).statusCode, 201);
	assert.doesNotMatch(app.logLines.join(""), /192\.0\.2\./);
});
