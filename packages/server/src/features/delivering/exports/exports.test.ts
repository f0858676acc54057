import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { pageviewRow } from "../../../../test/support/event-rows.ts";
import { days, type ExportSite, exportSite } from "../../../../test/support/export-site.ts";
import { insertRows } from "../../../../test/support/oracle-app.ts";
import { testApp } from "../../../../test/support/test-app.ts";
import { exportTypes } from "./export-types.ts";

let site: ExportSite;
before(async () => {
	site = await exportSite(await testApp());
});
after(() => site.app.close());

const csvOf = async (body: object): Promise<string> => (await site.download(await site.create(body))).body;

test("a small export is ready in the answer that creates it, with its link for 24 hours", async () => {
	const response = await site.call("POST /exports", { export_type: "conversions", ...days });
	const { job, estimate, message } = response.json();
	const { id, job_id, download_url, ...rest } = job;
	assert.equal(typeof id, "number");
	assert.match(download_url, /^http:\/\/127\.0\.0\.1:\d+\/api\/v1\/exports\/download\/[\w-]{43}\?account_id=shop$/);
	assert.deepEqual(rest, {
		site_id: "shop",
		export_type: "conversions",
		format: "csv",
		date_from: "2026-11-19",
		date_to: "2026-11-21",
		filters: {},
		status: "completed",
		estimated_rows: 2,
		actual_rows: 2,
		file_size_bytes: 141,
		file_size_human: "141 B",
		progress_percent: 100,
		download_expires_at: "2026-11-22T12:00:00.000Z",
		started_at: "2026-11-21T12:00:00.000Z",
		completed_at: "2026-11-21T12:00:00.000Z",
		created_at: "2026-11-21T12:00:00.000Z",
		error_message: null,
		created_by: site.ann.userId,
	});
	assert.deepEqual(estimate, {
		estimated_rows: 2,
		estimated_size_bytes: 220,
		estimated_size_human: "220 B",
		recommended_format: "json",
		will_use_background_job: false,
		estimated_duration_seconds: 1,
	});
	assert.equal(message, "The export is ready");
	assert.deepEqual(await site.job(job_id), job);
});

test("the file comes with its type and a name made of type and dates, and needs no credential", async () => {
	const response = await site.download(await site.create({ export_type: "conversions" }));
	assert.equal(response.statusCode, 200);
	assert.equal(response.headers["content-type"], "text/csv; charset=utf-8");
	assert.equal(response.headers["content-disposition"], 'attachment; filename="conversions_2026-11-19_2026-11-21.csv"');
	assert.equal(response.headers["cache-control"], "no-store");
	assert.equal(response.headers["content-length"], "141");
});

test("conversions: a row each, oldest first, properties as JSON", async () => {
	assert.equal(
		await csvOf({ export_type: "conversions" }),
		'date,conversion_type,amount,properties\r\n2026-11-19,purchase,12.5,"{""sku"":""A,1"",""note"":""say \\""hi\\""""}"\r\n2026-11-21,purchase,-3,"{}"\r\n',
	);
	assert.equal(
		await csvOf({ export_type: "conversions", format: "json" }),
		'[\n{"date":"2026-11-19","conversion_type":"purchase","amount":12.5,"properties":{"sku":"A,1","note":"say \\"hi\\""}},\n{"date":"2026-11-21","conversion_type":"purchase","amount":-3,"properties":{}}\n]\n',
	);
});

test("microconversions have no amount", async () => {
	assert.equal(
		await csvOf({ export_type: "microconversions" }),
		'date,conversion_type,properties\r\n2026-11-21,signup,"{""plan"":""ünïcode\\\\""}"\r\n',
	);
	assert.deepEqual(JSON.parse(await csvOf({ export_type: "microconversions", format: "json" })), [
		{ date: "2026-11-21", conversion_type: "signup", properties: { plan: "ünïcode\\" } },
	]);
});

test("a text that a spreadsheet would run gets an apostrophe; a comma and a quote are quoted; JSON keeps them as they are", async () => {
	const head = "entrances,engaged_entrances,page_views,conversions,revenue,bounce_rate";
	assert.equal(
		await csvOf({ export_type: "sources" }),
		`utm_source,${head}\r\ngoogle,2,1,3,1,12.5,50\r\n'=cmd|'/c calc'!A1,1,0,1,1,-3,100\r\n`,
	);
	assert.equal(
		await csvOf({ export_type: "mediums" }),
		`utm_medium,${head}\r\norganic,2,1,3,1,12.5,50\r\n"a,b",1,0,1,1,-3,100\r\n`,
	);
	assert.equal(
		await csvOf({ export_type: "browsers" }),
		`browser,${head}\r\nFirefox,2,1,3,1,12.5,50\r\n"The ""best""",1,0,1,1,-3,100\r\n`,
	);
	assert.deepEqual(JSON.parse(await csvOf({ export_type: "sources", format: "json" }))[1], {
		utm_source: "=cmd|'/c calc'!A1",
		entrances: 1,
		engaged_entrances: 0,
		page_views: 1,
		conversions: 1,
		revenue: -3,
		bounce_rate: 100,
	});
});

test("pages, countries, landing pages and days have their own columns", async () => {
	assert.equal(
		await csvOf({ export_type: "pages" }),
		"path,content_grouping,page_views,entrances,engaged_entrances\r\n/,Home,3,3,1\r\n/cart,,1,0,0\r\n",
	);
	assert.equal(
		await csvOf({ export_type: "countries" }),
		"country,country_name,entrances,engaged_entrances,page_views,conversions,revenue,bounce_rate\r\nES,Spain,2,1,3,1,12.5,50\r\nUnknown,Unknown,1,0,1,1,-3,100\r\n",
	);
	assert.equal(
		await csvOf({ export_type: "landing_pages" }),
		"landing_page,content_grouping,entrances,engaged_entrances,bounce_rate,microconversions,conversions,conversion_rate,revenue\r\n/,,3,1,66.67,1,2,66.67,9.5\r\n",
	);
	assert.equal(
		await csvOf({ export_type: "time_series" }),
		"date,entrances,engaged_entrances,page_views,microconversions,conversions,revenue,visitors,visit_duration\r\n2026-11-19,1,1,2,0,1,12.5,1,0\r\n2026-11-20,0,0,0,0,0,0,0,0\r\n2026-11-21,2,0,2,1,1,-3,1,0\r\n",
	);
});

test("every type can be made in every format, also when there is nothing to export", async () => {
	for (const export_type of exportTypes) {
		for (const format of ["csv", "json", "parquet"]) {
			for (const date of ["2026-11-21", "2026-01-01"]) {
				const job = await site.create({ export_type, format, date_from: date, date_to: date });
				assert.equal(job.status, "completed", `${export_type} ${format}: ${job.error_message}`);
				assert.equal(job.actual_rows, job.estimated_rows, `${export_type} ${format}`);
				const { rawPayload, body } = await site.download(job);
				if (format === "json") assert.equal(JSON.parse(body).length, job.actual_rows);
				if (format === "csv") assert.equal(body.split("\r\n").length, Number(job.actual_rows) + 2);
				if (format === "parquet") {
					assert.equal(rawPayload.subarray(0, 4).toString() + rawPayload.subarray(-4).toString(), "PAR1PAR1");
				}
			}
		}
	}
});

test("filters choose the rows, advanced ones rank first", async () => {
	const sources = async (filters: object) =>
		JSON.parse(await csvOf({ export_type: "sources", format: "json", filters })).map(
			(row: { utm_source: string }) => row.utm_source,
		);
	assert.deepEqual(await sources({ country: "es" }), ["google"]);
	assert.deepEqual(await sources({ device_type: "Mobile" }), ["google"]);
	assert.deepEqual(await sources({ utm_source: "google", advanced_filters: "utm_source:ne:google" }), [
		"=cmd|'/c calc'!A1",
	]);
	assert.deepEqual(await sources({ advanced_filters: "country:in:PT|FR" }), []);
	const pages = await csvOf({ export_type: "pages", filters: { content_grouping: "Home" } });
	assert.deepEqual(pages.split("\r\n").slice(1, -1), ["/,Home,3,3,1"]);
	const typed = await csvOf({ export_type: "conversions", filters: { conversion_type: "refund" } });
	assert.equal(typed, "date,conversion_type,amount,properties\r\n");
});

test("the list is newest first, paged, without filters", async () => {
	const app = await site.call("GET /exports?limit=2");
	const { exports, total } = app.json();
	assert.equal(exports.length, 2);
	assert.ok(total > 10);
	assert.ok(exports[0].id > exports[1].id);
	assert.equal("filters" in exports[0], false);
	const next = (await site.call("GET /exports?limit=1&offset=1")).json();
	assert.deepEqual(next.exports[0], exports[1]);
	assert.equal((await site.call("GET /exports?limit=101")).json().error.detail[0].field, "query.limit");
	assert.equal((await site.call("GET /exports?limit=0")).statusCode, 422);
	assert.deepEqual((await site.call("GET /exports", undefined, { query: "account_id=empty" })).json(), {
		exports: [],
		total: 0,
	});
});

test("an estimate makes no job", async () => {
	const before = (await site.call("GET /exports")).json().total;
	const response = await site.call("POST /exports/estimate", { export_type: "time_series", ...days });
	assert.deepEqual(response.json(), {
		estimated_rows: 3,
		estimated_size_bytes: 150,
		estimated_size_human: "150 B",
		recommended_format: "csv",
		will_use_background_job: false,
		estimated_duration_seconds: 1,
	});
	assert.equal((await site.call("GET /exports")).json().total, before);
});

test("a stream answers the file at once, in the format asked for", async () => {
	const stream = (body: object, accept?: string) =>
		site.call(
			"POST /exports/stream",
			{ export_type: "conversions", ...days, ...body },
			{ headers: { ...site.ann.headers, ...(accept && { accept }) } },
		);
	const csv = await stream({});
	assert.equal(csv.headers["content-type"], "text/csv; charset=utf-8");
	assert.equal(csv.headers["content-disposition"], 'attachment; filename="conversions_2026-11-19_2026-11-21.csv"');
	assert.equal(csv.headers["cache-control"], "no-store");
	assert.match(csv.body, /^date,conversion_type,amount,properties\r\n2026-11-19,purchase,12\.5,/);
	const json = await stream({ format: "json" });
	assert.equal(json.headers["content-type"], "application/json");
	assert.equal(json.json().length, 2);
	for (const lines of [
		await stream({ format: "json" }, "application/x-ndjson"),
		await stream({}, "application/x-ndjson"),
	]) {
		assert.equal(lines.headers["content-type"], "application/x-ndjson");
		assert.equal(
			lines.headers["content-disposition"],
			'attachment; filename="conversions_2026-11-19_2026-11-21.ndjson"',
		);
		assert.deepEqual(
			lines.body
				.trimEnd()
				.split("\n")
				.map((line) => JSON.parse(line).amount),
			[12.5, -3],
		);
	}
	assert.equal(
		(await stream({ format: "csv" }, "application/x-ndjson")).headers["content-type"],
		"text/csv; charset=utf-8",
	);
});

test("microconversions are exported for two years, conversions as long as they are kept", async () => {
	const { app } = site;
	const rows = ["2024-11-20", "2024-11-21", "2024-11-22"].flatMap((date) => {
		const common = { ts: Date.parse(`${date}T10:00:00Z`), site: "shop", date, hour: 10, page_view: 0 } as const;
		return [
			pageviewRow({ ...common, kind: "microconversion", microconversion: 1, event_type: "signup" }),
			pageviewRow({ ...common, kind: "conversion", conversion: 1, event_type: "purchase" }),
		];
	});
	await insertRows(app.eventStore, rows);
	for (const [export_type, date_to, expected] of [
		["microconversions", "2024-11-30", ["2024-11-21", "2024-11-22"]],
		["microconversions", "2024-11-20", []],
		["conversions", "2024-11-30", ["2024-11-20", "2024-11-21", "2024-11-22"]],
	] as const) {
		const body = { export_type, date_from: "2024-11-01", date_to, format: "json" };
		const { estimated_rows } = (await site.call("POST /exports/estimate", body)).json();
		const exported: { date: string }[] = (await site.call("POST /exports/stream", body)).json();
		assert.deepEqual([exported.map(({ date }) => date), estimated_rows], [expected, expected.length]);
	}
});

test("exports of single events leave out imported sums: stream, estimate, job and threshold; sums by day count them", async () => {
	const sum = {
		...pageviewRow({ ts: Date.parse("2025-11-20T00:00:00Z"), site: "shop", page_view: 0, import_id: "import-1" }),
		session: "0",
		event_type: "lead",
	};
	await insertRows(site.app.eventStore, [
		{ ...sum, kind: "conversion", conversion: 20_000, amount: 5000.5, revenue: 5000.5 },
		{ ...sum, kind: "microconversion", microconversion: 20_000 },
		{ ...sum, session: "7", kind: "conversion", conversion: 1, amount: 2, revenue: 2 },
	]);
	const day = { date_from: "2025-11-20", date_to: "2025-11-20", format: "json" };
	for (const [export_type, amounts] of Object.entries({ conversions: [2], microconversions: [] })) {
		const body = { ...day, export_type };
		const estimate = (await site.call("POST /exports/estimate", body)).json();
		const stream: { amount: number }[] = (await site.call("POST /exports/stream", body)).json();
		const { job } = (await site.call("POST /exports", body)).json();
		assert.deepEqual(
			[estimate.estimated_rows, stream.map(({ amount }) => amount), job.status, job.actual_rows],
			[amounts.length, amounts, "completed", amounts.length],
			export_type,
		);
	}
	const [total] = JSON.parse(await csvOf({ ...day, export_type: "time_series" }));
	assert.deepEqual([total.conversions, total.microconversions, total.revenue], [20_001, 20_000, 5002.5]);
});
