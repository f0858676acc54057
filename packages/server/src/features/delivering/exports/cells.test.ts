import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { pageviewRow } from "../../../../test/support/event-rows.ts";
import { type ExportSite, exportSite } from "../../../../test/support/export-site.ts";
import { insertRows } from "../../../../test/support/oracle-app.ts";
import { testApp } from "../../../../test/support/test-app.ts";

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

let site: ExportSite;
before(async () => {
	site = await exportSite(await testApp());
	const at = (minute: number) => ({
		ts: Date.parse(`${day}T10:${10 + minute}:00Z`),
		site: "shop",
		date: day,
		hour: 10,
	});
	await insertRows(site.app.eventStore, [
		...texts.map(([text], index) => pageviewRow({ ...at(index), entrance: 1, utm_source: text })),
		...texts.map(([text], index) =>
			pageviewRow({
				...at(index),
				kind: "conversion",
				page_view: 0,
				conversion: 1,
				utm_source: "",
				event_type: "order",
				amount: index + 0.25,
				revenue: index + 0.25,
				properties: { note: text, [`key ${text}`]: "value" },
			}),
		),
	]);
});
after(() => site.app.close());

const fileOf = async (body: object, accept?: string) => {
	const headers = { ...site.ann.headers, ...(accept !== undefined && { accept }) };
	const response = await site.call("POST /exports/stream", { ...oneDay, ...body }, { headers });
	assert.equal(response.statusCode, 200, response.body);
	return response;
};

/** The content of a Parquet file as the engine reads it: the types of its columns, and its rows. */
async function readParquet(body: object) {
	const path = join(site.app.config.dataDir, "read.parquet");
	writeFileSync(path, (await fileOf({ ...body, format: "parquet" })).rawPayload);
	const { eventStore } = site.app;
	const file = `file('${path}', 'Parquet')`;
	const columns = await eventStore.query<{ name: string; type: string }>({ sql: `DESCRIBE ${file}` });
	return {
		types: Object.fromEntries(columns.map(({ name, type }) => [name, type])),
		rows: await eventStore.query<Record<string, unknown>>({ sql: `SELECT * FROM ${file}` }),
	};
}

test("in CSV each text is one cell, whatever it holds, and none is a formula", async () => {
	const { body } = await fileOf({ export_type: "sources" });
	const lines = texts.map(([, cell]) => `${cell},1,0,1,0,0,100\r\n`);
	lines[0] = `,1,0,1,${texts.length},157.5,100\r\n`;
	const head = "utm_source,entrances,engaged_entrances,page_views,conversions,revenue,bounce_rate\r\n";
	assert.equal(body, head + lines.join(""));
});

test("properties are one quoted cell of JSON text", async () => {
	const { body } = await fileOf({ export_type: "conversions" });
	const cells = body.split("\r\n").slice(1, -1);
	assert.equal(cells.length, texts.length);
	for (const [index, [text]] of texts.entries()) {
		const cell = cells[index]?.slice(`${day},order,${index + 0.25},"`.length, -1).replaceAll('""', '"') ?? "";
		assert.deepEqual(JSON.parse(cell), { note: text, [`key ${text}`]: "value" });
	}
});

test("JSON and NDJSON are valid and hold the texts themselves", async () => {
	const sources = (await fileOf({ export_type: "sources", format: "json" })).json() as { utm_source: string }[];
	assert.deepEqual(
		sources.map((row) => row.utm_source),
		labels,
	);
	const lines = (await fileOf({ export_type: "conversions" }, "application/x-ndjson")).body.trimEnd().split("\n");
	assert.deepEqual(
		lines.map((line) => JSON.parse(line)),
		texts.map(([text], index) => ({
			date: day,
			conversion_type: "order",
			amount: index + 0.25,
			properties: { note: text, [`key ${text}`]: "value" },
		})),
	);
});

test("Parquet holds the texts themselves, and numbers and days as such", async () => {
	const sources = await readParquet({ export_type: "sources" });
	assert.deepEqual(sources.types, {
		utm_source: "String",
		entrances: "UInt64",
		engaged_entrances: "UInt64",
		page_views: "UInt64",
		conversions: "UInt64",
		revenue: "Decimal(38, 4)",
		bounce_rate: "Float64",
	});
	assert.deepEqual(
		sources.rows.map((row) => row.utm_source),
		labels,
	);
	const conversions = await readParquet({ export_type: "conversions" });
	assert.deepEqual(conversions.types, {
		date: "Date32",
		conversion_type: "String",
		amount: "Decimal(18, 4)",
		properties: "Map(String, String)",
	});
	assert.deepEqual(
		conversions.rows,
		texts.map(([text], index) => ({
			date: day,
			conversion_type: "order",
			amount: index + 0.25,
			properties: { note: text, [`key ${text}`]: "value" },
		})),
	);
	const days = await readParquet({ export_type: "time_series", date_from: "2026-11-09" });
	assert.deepEqual(days.types.date, "Date32");
	assert.deepEqual(
		days.rows.map(({ date, entrances, revenue }) => [date, entrances, revenue]),
		[
			["2026-11-09", 0, 0],
			[day, texts.length, 157.5],
		],
	);
});
