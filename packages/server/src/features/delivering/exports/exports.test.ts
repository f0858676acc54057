import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import type { OutgoingHttpHeaders } from "node:http";
import { join } from "node:path";
import { after, test } from "node:test";
import { pageviewRow } from "../../../../test/support/event-rows.ts";
import { days, exportSite } from "../../../../test/support/export-site.ts";
import { insertRows } from "../../../../test/support/oracle-app.ts";
import { fieldsOf } from "../../../../test/support/refusals.ts";
import { testApp } from "../../../../test/support/test-app.ts";
import { exportTypes } from "./export-types.ts";

const day = "2026-11-10";
const oneDay = { date_from: day, date_to: day };

/** Texts in the order of their bytes, each with its cell in CSV as a label, which NUL is no part of. */
const texts: readonly (readonly [text: string, cell: string])[] = [
	["", ""],
	["\tsum", "'\tsum"],
	["\nline", '"\nline"'],
	["\r=1", `"'\r=1"`],
	[" =1", " =1"],
	["'=1", "'=1"],
	["+34", "'+34"],
	["-1", "'-1"],
	["=1+1", "'=1+1"],
	['=HYPERLINK("http://evil","a")', `"'=HYPERLINK(""http://evil"",""a"")"`],
	["@SUM(A1)", "'@SUM(A1)"],
	["a,b", '"a,b"'],
	["a=b", "a=b"],
	["back\\slash\\n", "back\\slash\\n"],
	["nul\0nul", "nulnul"],
	['say "hi"', '"say ""hi"""'],
	["two\r\nlines", '"two\r\nlines"'],
	["ñ \u2028 日本 🙂", "ñ \u2028 日本 🙂"],
];

const labels = texts.map(([text]) => text.replaceAll("\0", ""));
const orders = texts.map(([text], index) => ({
	date: day,
	conversion_type: "order",
	amount: index + 0.25,
	properties: { note: text, [`key ${text}`]: "value" },
}));
const site = await exportSite(await testApp());
const at = { site: "shop", date: day, hour: 10 } as const;
const sale = { kind: "conversion", page_view: 0, conversion: 1, utm_source: "" } as const;
await insertRows(
	site.app.eventStore,
	orders.flatMap(({ conversion_type: event_type, amount, properties }, index) => {
		const moment = { ...at, ts: Date.parse(`${day}T10:${10 + index}:00Z`) };
		const visit = pageviewRow({ ...moment, entrance: 1, utm_source: properties.note });
		return [visit, pageviewRow({ ...moment, ...sale, event_type, amount, revenue: amount, properties })];
	}),
);
after(() => site.app.close());

/** The file of an export that is streamed. */
const fileOf = async (body: object, accept?: string) => {
	const headers = { ...site.ann.headers, ...(accept !== undefined && { accept }) };
	const response = await site.call("POST /exports/stream", { ...days, ...body }, { headers });
	assert.equal(response.statusCode, 200, response.body);
	return response;
};

const fileHeaders = (headers: OutgoingHttpHeaders) =>
	["content-type", "content-disposition", "cache-control"].map((name) => headers[name]);
const fileOfType = (type: string, ending: string) => [
	type,
	`attachment; filename="conversions_2026-11-19_2026-11-21.${ending}"`,
	"no-store",
];

test("a small export is ready in the answer that creates it, with its link for 24 hours; an estimate makes no job", async () => {
	const body = { export_type: "conversions", ...days };
	const small = { will_use_background_job: false, estimated_duration_seconds: 1 };
	assert.deepEqual((await site.call("POST /exports/estimate", { ...body, export_type: "time_series" })).json(), {
		...{ estimated_rows: 3, estimated_size_bytes: 150, estimated_size_human: "150 B", recommended_format: "csv" },
		...small,
	});
	assert.equal((await site.call("GET /exports")).json().total, 0);
	const { job, estimate, message } = (await site.call("POST /exports", body)).json();
	assert.match(job.download_url, /^http:\/\/127\.0\.0\.1:\d+\/api\/v1\/exports\/download\/[\w-]{43}\?account_id=shop$/);
	assert.deepEqual(
		[job.status, job.estimated_rows, job.actual_rows, job.file_size_bytes, job.file_size_human, job.progress_percent],
		["completed", 2, 2, 141, "141 B", 100],
	);
	assert.deepEqual(
		[job.format, job.filters, job.download_expires_at, job.completed_at, job.created_by, message],
		["csv", {}, "2026-11-22T12:00:00.000Z", "2026-11-21T12:00:00.000Z", site.ann.userId, "The export is ready"],
	);
	assert.deepEqual(estimate, {
		...{ estimated_rows: 2, estimated_size_bytes: 220, estimated_size_human: "220 B", recommended_format: "json" },
		...small,
	});
	assert.deepEqual(await site.job(job.job_id), job);
});

test("the file comes with its type and a name made of type and dates, and needs no credential", async () => {
	const { statusCode, headers } = await site.download(await site.create({ export_type: "conversions" }));
	assert.deepEqual([statusCode, headers["content-length"]], [200, "141"]);
	assert.deepEqual(fileHeaders(headers), fileOfType("text/csv; charset=utf-8", "csv"));
});

test("each type has its own columns; names of countries are told, rows of microconversions have no amount", async () => {
	const contents: Readonly<Record<string, readonly string[]>> = {
		conversions: [
			"date,conversion_type,amount,properties",
			String.raw`2026-11-19,purchase,12.5,"{""sku"":""A,1"",""note"":""say \""hi\""""}"`,
			'2026-11-21,purchase,-3,"{}"',
		],
		microconversions: ["date,conversion_type,properties", String.raw`2026-11-21,signup,"{""plan"":""ünïcode\\""}"`],
		pages: ["path,content_grouping,page_views,entrances,engaged_entrances", "/,Home,3,3,1", "/cart,,1,0,0"],
		countries: [
			"country,country_name,entrances,engaged_entrances,page_views,conversions,revenue,bounce_rate",
			...["ES,Spain,2,1,3,1,12.5,50", "Unknown,Unknown,1,0,1,1,-3,100"],
		],
		landing_pages: [
			"landing_page,content_grouping,entrances,engaged_entrances,bounce_rate,microconversions,conversions,conversion_rate,revenue",
			"/,,3,1,66.67,1,2,66.67,9.5",
		],
		time_series: [
			"date,entrances,engaged_entrances,page_views,microconversions,conversions,revenue,visitors,visit_duration",
			...["2026-11-19,1,1,2,0,1,12.5,1,0", "2026-11-20,0,0,0,0,0,0,0,0", "2026-11-21,2,0,2,1,1,-3,1,0"],
		],
	};
	for (const [export_type, lines] of Object.entries(contents)) {
		assert.deepEqual((await fileOf({ export_type })).body.split("\r\n"), [...lines, ""], export_type);
	}
});

/** Every type in every format, and each once without rows. */
const files = exportTypes.flatMap((export_type, index) =>
	(["csv", "json", "parquet"] as const).flatMap((format, at) =>
		(index % 3 === at ? ["2026-11-21", "2026-01-01"] : ["2026-11-21"]).map(
			(date) => [export_type, format, date] as const,
		),
	),
);

test("every type can be made in every format, also when there is nothing to export", async () => {
	for (const [export_type, format, date] of files) {
		const job = await site.create({ export_type, format, date_from: date, date_to: date });
		assert.equal(job.status, "completed", `${export_type} ${format}: ${job.error_message}`);
		assert.equal(job.actual_rows, job.estimated_rows, `${export_type} ${format}`);
		const { rawPayload, body } = await site.download(job);
		if (format === "json") assert.equal(JSON.parse(body).length, job.actual_rows);
		if (format === "csv") assert.equal(body.split("\r\n").length, Number(job.actual_rows) + 2);
		if (format === "parquet") assert.equal(rawPayload.subarray(-4).toString(), "PAR1");
	}
});

test("filters choose the rows, advanced ones rank first", async () => {
	for (const [export_type, filters, expected] of [
		["sources", { country: "es" }, ["google"]],
		["sources", { device_type: "Mobile" }, ["google"]],
		["sources", { utm_source: "google", advanced_filters: "utm_source:ne:google" }, ["=cmd|'/c calc'!A1"]],
		["sources", { advanced_filters: "country:in:PT|FR" }, []],
		["pages", { content_grouping: "Home" }, ["/"]],
		["conversions", { conversion_type: "refund" }, []],
	] as const) {
		const rows: object[] = (await fileOf({ export_type, format: "json", filters })).json();
		const first = rows.map((row) => Object.values(row)[0]);
		assert.deepEqual(first, expected, JSON.stringify(filters));
	}
});

test("imported rows are in a file unless its filters exclude them", async () => {
	const date = "2026-10-03";
	const visit = { site: "shop", date, hour: 10, ts: Date.parse(`${date}T10:00:00Z`), entrance: 1 } as const;
	const [own, imported] = [
		{ ...visit, utm_source: "own" },
		{ ...visit, utm_source: "imported", import_id: "i1" },
	];
	await insertRows(site.app.eventStore, [pageviewRow(own), pageviewRow(imported)]);
	for (const [imports, expected] of Object.entries({ include: ["imported", "own"], exclude: ["own"] })) {
		const wish = { export_type: "sources", format: "json", date_from: date, date_to: date, filters: { imports } };
		const rows: { utm_source: string }[] = (await fileOf(wish)).json();
		assert.deepEqual(rows.map(({ utm_source }) => utm_source).sort(), expected, imports);
	}
});

test("the list is newest first, paged, without filters, and of one site", async () => {
	for (const format of ["csv", "json", "parquet"]) await site.create({ export_type: "pages", format });
	const list = async (query: string, of = "shop") =>
		(await site.call(`GET /exports?${query}`, undefined, { query: `account_id=${of}` })).json();
	const { exports, total } = await list("limit=2");
	assert.ok(exports.length === 2 && total > 2 && exports[0].id > exports[1].id);
	assert.equal("filters" in exports[0], false);
	assert.deepEqual((await list("limit=1&offset=1")).exports, [exports[1]]);
	assert.deepEqual(await list("limit=2", "empty"), { exports: [], total: 0 });
});

test("a stream answers the file at once, in the format asked for", async () => {
	for (const [format, accept, type, ending] of [
		[undefined, undefined, "text/csv; charset=utf-8", "csv"],
		["json", undefined, "application/json", "json"],
		["json", "application/x-ndjson", "application/x-ndjson", "ndjson"],
		[undefined, "application/x-ndjson", "application/x-ndjson", "ndjson"],
		["csv", "application/x-ndjson", "text/csv; charset=utf-8", "csv"],
	] as const) {
		const { headers } = await fileOf({ export_type: "conversions", format }, accept);
		assert.deepEqual(fileHeaders(headers), fileOfType(type, ending));
	}
});

test("microconversions are exported for two years, conversions as long as they are kept", async () => {
	const rows = ["2024-11-20", "2024-11-21", "2024-11-22"].flatMap((date) => {
		const common = { ts: Date.parse(`${date}T10:00:00Z`), site: "shop", date, hour: 10, page_view: 0 } as const;
		return [
			pageviewRow({ ...common, kind: "microconversion", microconversion: 1, event_type: "signup" }),
			pageviewRow({ ...common, kind: "conversion", conversion: 1, event_type: "purchase" }),
		];
	});
	await insertRows(site.app.eventStore, rows);
	for (const [export_type, date_to, expected] of [
		["microconversions", "2024-11-30", ["2024-11-21", "2024-11-22"]],
		["microconversions", "2024-11-20", []],
		["conversions", "2024-11-30", ["2024-11-20", "2024-11-21", "2024-11-22"]],
	] as const) {
		const body = { export_type, date_from: "2024-11-01", date_to, format: "json" };
		const { estimated_rows } = (await site.call("POST /exports/estimate", body)).json();
		const exported: { date: string }[] = (await fileOf(body)).json();
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
		const stream: { amount: number }[] = (await fileOf(body)).json();
		const { job } = (await site.call("POST /exports", body)).json();
		assert.deepEqual(
			[estimate.estimated_rows, stream.map(({ amount }) => amount), job.status, job.actual_rows],
			[amounts.length, amounts, "completed", amounts.length],
			export_type,
		);
	}
	const [total] = (await fileOf({ ...day, export_type: "time_series" })).json();
	assert.deepEqual([total.conversions, total.microconversions, total.revenue], [20_001, 20_000, 5002.5]);
});

/** The content of a Parquet file as the engine reads it: the types of its columns, and its rows. */
async function readParquet(body: object) {
	const path = join(site.app.config.dataDir, "read.parquet");
	writeFileSync(path, (await fileOf({ ...oneDay, ...body, format: "parquet" })).rawPayload);
	const { eventStore } = site.app;
	const file = `file('${path}', 'Parquet')`;
	const columns = await eventStore.query<{ name: string; type: string }>({ sql: `DESCRIBE ${file}` });
	return {
		types: columns.map(({ name, type }) => `${name} ${type}`),
		rows: await eventStore.query<Record<string, unknown>>({ sql: `SELECT * FROM ${file}` }),
	};
}

test("in CSV each text is one cell, whatever it holds, and none is a formula; properties are one quoted cell of JSON", async () => {
	const { body } = await fileOf({ ...oneDay, export_type: "sources" });
	const lines = texts.map(([, cell]) => `${cell},1,0,1,0,0,100\r\n`);
	lines[0] = `,1,0,1,${texts.length},157.5,100\r\n`;
	const head = "utm_source,entrances,engaged_entrances,page_views,conversions,revenue,bounce_rate\r\n";
	assert.equal(body, head + lines.join(""));
	const cells = (await fileOf({ ...oneDay, export_type: "conversions" })).body.split("\r\n").slice(1, -1);
	assert.deepEqual(
		cells.map((cell, index) =>
			JSON.parse(cell.slice(`${day},order,${index + 0.25},"`.length, -1).replaceAll('""', '"')),
		),
		orders.map(({ properties }) => properties),
	);
});

test("JSON, NDJSON and Parquet hold the texts themselves, Parquet numbers and days as such", async () => {
	const sourcesOf = (rows: Record<string, unknown>[]) => rows.map((row) => row.utm_source);
	assert.deepEqual(sourcesOf((await fileOf({ ...oneDay, export_type: "sources", format: "json" })).json()), labels);
	const lines = await fileOf({ ...oneDay, export_type: "conversions" }, "application/x-ndjson");
	assert.deepEqual(
		lines.body
			.trimEnd()
			.split("\n")
			.map((line) => JSON.parse(line)),
		orders,
	);
	const sources = await readParquet({ export_type: "sources" });
	assert.deepEqual(sources.types, [
		...["utm_source String", "entrances UInt64", "engaged_entrances UInt64", "page_views UInt64"],
		...["conversions UInt64", "revenue Decimal(38, 4)", "bounce_rate Float64"],
	]);
	assert.deepEqual(sourcesOf(sources.rows), labels);
	const conversions = await readParquet({ export_type: "conversions" });
	const types = ["date Date32", "conversion_type String", "amount Decimal(18, 4)", "properties Map(String, String)"];
	assert.deepEqual(conversions, { types, rows: orders });
	const series = await readParquet({ export_type: "time_series", date_from: "2026-11-09" });
	assert.equal(series.types[0], "date Date32");
	const days = series.rows.map(({ date, entrances, revenue }) => `${date}: ${entrances}, ${revenue}`);
	assert.deepEqual(days, ["2026-11-09: 0, 0", `${day}: ${texts.length}, 157.5`]);
});

/** What the schema of the body does not tell. */
const wrong: readonly (readonly [body: object, status: number, ...fields: readonly string[]])[] = [
	[{ date_from: "2026-11-21", date_to: "2026-11-20" }, 400],
	// More than 730 days.
	[{ date_from: "2024-01-01", date_to: "2026-11-20" }, 400],
	[{ filters: { country: "Spain" } }, 422, "body.filters.country"],
	[{ filters: { device_type: "tv" } }, 422, "body.filters.device_type"],
	[{ filters: { advanced_filters: "nonsense" } }, 422, "body.filters.advanced_filters"],
];
test("a wrong request is rejected by all three routes without creating a job", async () => {
	const total = async () => (await site.call("GET /exports")).json().total;
	const before = await total();
	for (const [body, status, ...fields] of wrong) {
		for (const route of ["POST /exports", "POST /exports/estimate", "POST /exports/stream"]) {
			const refused = fieldsOf(await site.call(route, { export_type: "pages", ...days, ...body }));
			assert.deepEqual(refused, [status, ...fields], `${route} ${JSON.stringify(body).slice(0, 90)}`);
		}
	}
	assert.equal(await total(), before);
});

test("every route refuses site_id, also beside account_id, and names a missing account_id", async () => {
	const id = "00000000-0000-4000-8000-000000000000";
	for (const route of [
		...["POST /exports", "POST /exports/estimate", "POST /exports/stream", "GET /exports"],
		...[`GET /exports/${id}`, `DELETE /exports/${id}`, `GET /exports/download/${"x".repeat(43)}`],
	]) {
		const body = route.startsWith("POST") ? { export_type: "pages", ...days } : undefined;
		for (const query of ["site_id=shop", "site_id=shop&account_id=shop", ""]) {
			const [status, ...fields] = fieldsOf(await site.call(route, body, { query }));
			assert.equal(status, 422, route);
			assert.ok(fields.includes(query === "" ? "query.account_id" : "query.site_id"), `${route}?${query}: ${fields}`);
		}
	}
});
