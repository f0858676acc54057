import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { gzipSync } from "node:zlib";
import { sendHits } from "../../../../test/support/hits.ts";
import { formOf, importSite, log } from "../../../../test/support/import-site.ts";
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
			{ reason: "not_a_page", count: 3, sample_lines: [2, 4, 7], samples: [] },
			{ reason: "bot", count: 1, sample_lines: [8], samples: [] },
			{
				reason: "malformed",
				count: 1,
				sample_lines: [9],
				samples: ["line 9: no time such as [21/Nov/2026:10:15:30 +0100]"],
			},
			{ reason: "out_of_range", count: 1, sample_lines: [10], samples: ["line 10: 2027-11-21 is out of range"] },
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
	assert.deepEqual(files(), []);
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

test("what is no import is refused with the field at fault, and leaves no file", async () => {
	const kept = files();
	const { ann, site, upload } = await importSite(app, { email: "bob@example.com", name: "Refusing" });
	const send = async (fields: Record<string, string>, file?: Parameters<typeof formOf>[1]) => {
		const { payload, headers } = formOf(fields, file);
		const url = `/api/v1/imports?account_id=${site}`;
		const answer = await app.inject({ method: "POST", url, payload, headers: { ...ann.headers, ...headers } });
		const { error } = answer.json();
		return [answer.statusCode, error.code, error.detail?.[0]?.field];
	};
	const source = "access_log";
	const refusals = [
		[await send({ source }), [422, "validation_error", "body.file"]],
		[await send({ source }, { bytes: "" }), [422, "validation_error", "body.file"]],
		[await send({ source }, { bytes: "a,b\n1,2\n" }), [422, "validation_error", "body.file"]],
		[await send({ source }, { bytes: gzipSync(log).subarray(0, 100) }), [422, "validation_error", "body.file"]],
		[await send({ source }, { bytes: log, field: "upload" }), [422, "validation_error", "body.upload"]],
		[await send({}, { bytes: log }), [422, "validation_error", "body.source"]],
		[await send({ source: "diary" }, { bytes: log }), [422, "validation_error", "body.source"]],
		[await send({ source, dry_run: "maybe" }, { bytes: log }), [422, "validation_error", "body.dry_run"]],
		[await send({ source, timezone: "Mars/Olympus" }, { bytes: log }), [422, "validation_error", "body.timezone"]],
		[await send({ source, date_from: "soon" }, { bytes: log }), [422, "validation_error", "body.date_from"]],
		[await send({ source, column_map: "{" }, { bytes: log }), [422, "validation_error", "body.column_map"]],
		[await send({ source, column_map: '{"x":"y"}' }, { bytes: log }), [422, "validation_error", "body.column_map"]],
		[
			await send({ source, date_from: "2026-11-02", date_to: "2026-11-01" }, { bytes: log }),
			[400, "bad_request", undefined],
		],
		[await send({ source }, { bytes: log.repeat(10) }), [413, "payload_too_large", undefined]],
	] as const;
	for (const [given, expected] of refusals) assert.deepEqual(given, expected);
	const broken = await app.inject({
		method: "POST",
		url: `/api/v1/imports?account_id=${site}`,
		payload: "--x\r\nContent-Disposition: form-data",
		headers: { ...ann.headers, "content-type": "multipart/form-data; boundary=x" },
	});
	assert.equal(broken.statusCode, 400, broken.body);
	assert.deepEqual(files(), kept);

	assert.equal((await upload(log)).statusCode, 201);
	assert.doesNotMatch(app.logLines.join(""), /192\.0\.2\./);
});
