import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, test } from "node:test";
import { tables } from "../../../../migrations/metadata/tables/index.ts";
import { askToDelete, finishDeletions, removeFilesAtOnce } from "../../../../test/support/deletions.ts";
import { sendHits } from "../../../../test/support/hits.ts";
import {
	FIREFOX,
	formOf,
	type ImportSite,
	importApp,
	line,
	log,
	logTime,
} from "../../../../test/support/import-site.ts";
import { codeOf } from "../../../../test/support/refusals.ts";
import { words } from "../../../../test/support/words.ts";
import { ServiceError } from "../../../platform/errors/service-error.ts";
import type { EventInsert } from "../../../platform/event-store/event-store.ts";

/** Called before and after an insert of an import. */
let beforeInsert: (insert: EventInsert) => Promise<unknown>;
let afterInsert: (insert: EventInsert) => Promise<unknown>;
const { app, newSite } = importApp({
	env: { RATE_LIMIT_ENABLED: "true", MAX_IMPORT_BYTES: "16MB" },
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
/** Each test has a site of its own. */
let own: ImportSite;
beforeEach(async () => {
	beforeInsert = async () => {};
	afterInsert = async () => {};
	own = await newSite();
});

const stateOf = async (id: string) => (await own.call(`GET /imports/${id}`)).json().data;
const start = async (bytes: string): Promise<string> =>
	(await own.upload(bytes, { dry_run: "false" })).json().data.import_id;
const visits = async (month: string) => {
	const { data } = await own.report(`/stats/overview?start_date=${month}-01&end_date=${month}-21`);
	return [data.traffic.entrances, data.traffic.page_views];
};
const files = () => readdirSync(join(app.config.dataDir, "imports"));
const ga4 = { source: "ga4_csv" };
/** A log of so many page views, one a second, of 250 visitors. */
const longLog = (views: number) =>
	Array.from({ length: views }, (_, n) => {
		const time = logTime(Date.parse("2026-10-05T00:00:00Z") + n * 1000);
		return line(`192.0.2.${n % 250}`, time, `GET /page-${n % 97} HTTP/1.1`);
	}).join("\n");

const reports = ["overview", "pages", "sources", "landing-pages", "geo/countries"].map(
	(name) => `/stats/${name}?start_date=2026-11-01&end_date=2026-11-21`,
);

test("a log is read, reported, imported, left out on demand and taken back without a trace", async () => {
	const { site, ann, upload, call, report } = own;
	await sendHits(app, [{ site, url: "https://shop.example/own" }]);
	const all = () => Promise.all(reports.map(report));
	const before = await all();
	const file = [
		`${log}${line("192.0.2.8", "21/Nov/2026:10:00:00 +0000", "GET /overlap HTTP/1.1")}`,
		line("192.0.2.8", "31/Oct/2026:10:00:00 +0000", "GET /early HTTP/1.1"),
		`{"when":"2026-11-11T23:30:00","ip":"192.0.2.7","method":"GET","path":"/late","status":200,"agent":"${FIREFOX}"}`,
	].join("\n");
	const sent = await upload(file, {
		...{ date_from: "2026-11-01", timezone: "America/New_York", column_map: '{"when":"time"}' },
	});
	assert.equal(sent.statusCode, 201, sent.body);
	const { import_id: id, file_sha256, ...made } = sent.json().data;
	assert.deepEqual(made, {
		...{ account_id: site, source: "access_log", file_name: "access.log", file_size_bytes: Buffer.byteLength(file) },
		...{ dry_run: true, status: "pending", progress_percent: 0, report: null, error_message: null },
		...{ created_by: ann.userId, created_at: "2026-11-21T12:00:00.000Z" },
		...{ started_at: null, completed_at: null, undone_at: null },
	});
	assert.match(file_sha256, /^[0-9a-f]{64}$/);
	assert.equal((await call(`POST /imports/${id}/run`)).statusCode, 409);
	await app.jobs.runDue();
	const validated = (await call(`GET /imports/${id}`)).json().data;
	assert.equal(validated.status, "validated");
	const noTime = "line 9: no time such as [21/Nov/2026:10:15:30 +0100]";
	const outside = ["line 10: 2027-11-21 is out of range", "line 12: 2026-10-31 is out of range"];
	const overlap = "line 11: the site has hits of its own on 2026-11-21";
	assert.deepEqual(validated.report, {
		...{ rows_read: 13, rows_accepted: 5, rows_skipped: 8, date_from: "2026-11-10", date_to: "2026-11-12" },
		skip_reasons: [
			{ reason: "not_a_page", count: 3, sample_lines: [2, 4, 7], samples: [] },
			{ reason: "out_of_range", count: 2, sample_lines: [10, 12], samples: outside },
			{ reason: "bot", count: 1, sample_lines: [8], samples: [] },
			{ reason: "malformed", count: 1, sample_lines: [9], samples: [noTime] },
			{ reason: "overlap", count: 1, sample_lines: [11], samples: [overlap] },
		],
		totals: { entrances: 4, engaged_entrances: 1, page_views: 5, microconversions: 0, conversions: 0, revenue: 0 },
		by_day: [
			{ date: "2026-11-10", entrances: 2, page_views: 3 },
			{ date: "2026-11-11", entrances: 1, page_views: 1 },
			{ date: "2026-11-12", entrances: 1, page_views: 1 },
		],
		dimensions_filled: words("path landing_page referrer_domain utm_source utm_medium device_type browser os hour"),
		warnings: [],
	});
	assert.deepEqual(await all(), before);

	assert.equal((await call(`POST /imports/${id}/run`)).json().data.status, "importing");
	await app.jobs.runDue();
	const done = (await call(`GET /imports/${id}`)).json().data;
	assert.deepEqual([done.status, done.dry_run, done.progress_percent], ["completed", false, 100]);
	assert.deepEqual(done.report, validated.report);
	assert.deepEqual(files(), []);
	const { data } = await report(`${reports[2]}`);
	assert.deepEqual(
		data.map((row: Record<string, unknown>) => `${row["utm_source"]} ${row["entrances"]} ${row["page_views"]}`),
		// One of them was collected.
		["(direct) 3 3", "google 1 1", "mail 1 2"],
	);
	assert.deepEqual(await Promise.all(reports.map((path) => report(`${path}&imports=exclude`))), before);

	assert.deepEqual(codeOf(await upload(file, { dry_run: "false" })), [409, "duplicate_entry"]);
	assert.deepEqual(codeOf(await call(`DELETE /imports/${id}`)), [409, "conflict"]);
	const undone = (await call(`POST /imports/${id}/undo`)).json().data;
	assert.deepEqual([undone.status, undone.undone_at], ["undone", "2026-11-21T12:00:00.000Z"]);
	assert.deepEqual(await all(), before);
	assert.equal((await call(`POST /imports/${id}/undo`)).statusCode, 409);
	assert.equal((await own.import(file)).status, "completed");
	const audit = await app.inject({ url: "/api/v1/audit/logs?resource_type=import", headers: ann.headers });
	const found = audit.json().data.logs.map((entry: { action: string }) => entry.action);
	assert.deepEqual(found, ["import.started", "import.undone", "import.started"]);
	assert.equal((await call("GET /imports")).json().data.total, 2);
});

test("an upload that is no import is refused with the field at fault, and leaves no file", async () => {
	const source = "access_log";
	const whole = { bytes: log };
	const refused: readonly (readonly [Record<string, string>, Parameters<typeof formOf>[1], number, string?])[] = [
		[{ source }, undefined, 422, "body.file"],
		[{ source }, { bytes: log, field: "upload" }, 422, "body.upload"],
		[{ source }, { bytes: '192.0.2.1 - - [2026-11-10T10:00:00Z] "GET / HTTP/1.1" 200 5' }, 422, "body.file"],
		[{}, whole, 422, "body.source"],
		[{ source: "diary" }, whole, 422, "body.source"],
		[{ source, dry_run: "maybe" }, whole, 422, "body.dry_run"],
		[{ source, timezone: "Mars/Olympus" }, whole, 422, "body.timezone"],
		[{ source, date_from: "soon" }, whole, 422, "body.date_from"],
		[{ source, column_map: "{" }, whole, 422, "body.column_map"],
		[{ source, column_map: '{"x":"y"}' }, whole, 422, "body.column_map"],
		[{ ...ga4, column_map: '{"Tag":"day"}' }, { bytes: "Tag,B\n20261001,1\n" }, 422, "body.column_map"],
		[{ source, date_from: "2026-11-02", date_to: "2026-11-01" }, whole, 400],
		[{ source }, { bytes: Buffer.alloc(17_000_000, `${log}\n`) }, 413],
	];
	const request = { method: "POST", url: `/api/v1/imports?account_id=${own.site}` } as const;
	for (const [fields, file, status, field] of refused) {
		const { payload, headers } = formOf(fields, file);
		const answer = await app.inject({ ...request, payload, headers: { ...own.ann.headers, ...headers } });
		assert.deepEqual([answer.statusCode, answer.json().error.detail?.[0]?.field], [status, field]);
	}
	const headers = { ...own.ann.headers, "content-type": "multipart/form-data; boundary=x" };
	const broken = await app.inject({ ...request, payload: "--x\r\nContent-Disposition: form-data", headers });
	assert.equal(broken.statusCode, 400);
	assert.deepEqual(files(), []);
	assert.equal((await own.import(log)).status, "completed");
	assert.doesNotMatch(app.logLines.join(""), /192\.0\.2\./);
});

test("times of a file of Umami are in UTC where its upload names no zone", async () => {
	const site = await newSite("Europe/Paris");
	const file = "session_id,visit_id,url_path,event_type,created_at\n1,1,/,1,2026-10-01 22:40:00\n";
	assert.equal((await site.import(file, { source: "umami_csv" })).report["date_from"], "2026-10-02");
});

test("rows are sent by the year, long ones in parts, which a repetition makes alike", async () => {
	const sizes: number[] = [];
	beforeInsert = async ({ tsv }) => sizes.push(tsv.length);
	const days = [2024, 2025, 2026].map((year) => `${year}-01-01,1\n`).join("");
	assert.equal((await own.import(`date,sessions\n${days}`, ga4)).status, "completed");
	assert.equal(sizes.length, 3);
	sizes.length = 0;
	beforeInsert = async ({ tsv }) => {
		if (sizes.push(tsv.length) === 2) throw new ServiceError("database_unavailable");
	};
	const row = `2026-11-01,1${`,${"é".repeat(250)}`.repeat(4)}\n`;
	const head = "date,sessions,session campaign,session manual term,session manual ad content,landing page\n";
	const { import_id: id } = await own.import(head + row.repeat(3500), ga4);
	app.clock.advance(600_000);
	await app.jobs.runDue();
	assert.equal((await stateOf(id)).status, "completed");
	assert.deepEqual(sizes.slice(2, 4), sizes.slice(0, 2));
	assert.ok(sizes.length > 4 && Math.max(...sizes) < 3_300_000, String(sizes));
	assert.equal((await visits("2026-11"))[0], 3500);
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
	const first = await own.import(longLog(40_100));
	assert.equal(first.status, "importing");
	const broken = sent.at(-1);
	app.clock.advance(600_000);
	await app.jobs.runDue();
	const done = await stateOf(first.import_id);
	assert.equal(done.status, "completed");
	const twice = sent.filter((token, at) => sent.indexOf(token) < at);
	assert.deepEqual(twice, [broken], "the first batch was not sent again, the second was");
	assert.ok(sent.some((token) => /-2-2026$/.test(token)));
	assert.deepEqual(await visits("2026-10"), [done.report.totals.entrances, 40_100]);
});

test("cancelling while rows are written takes back what was written", async () => {
	const two = "date,sessions\n2026-10-05,1\n2025-10-05,1\n";
	const id = (await own.upload(two, { ...ga4, dry_run: "false" })).json().data.import_id;
	const remove = async () => (await own.call(`DELETE /imports/${id}`)).statusCode;
	afterInsert = async () => {
		afterInsert = async () => {};
		assert.equal(await remove(), 204);
	};
	await app.jobs.runDue();
	app.clock.advance(120_000);
	await app.jobs.runDue();
	assert.equal((await stateOf(id)).status, "cancelled");
	for (const month of ["2026-10", "2025-10"]) assert.deepEqual(await visits(month), [0, 0]);
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
	const found = String(failed["error_message"]);
	assert.match(found, /^The months of all imports of a site are at most 600, .*: undo imports/);
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
