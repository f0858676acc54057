import assert from "node:assert/strict";
import { Readable } from "node:stream";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { array, nat, property, assert as propertyHolds } from "fast-check";
import { exportedFile, plausibleArchive, plausibleFiles } from "../../../../../test/support/import-files.ts";
import { log } from "../../../../../test/support/import-site.ts";
import { zipFile } from "../../../../../test/support/zip-file.ts";
import { coupleShares } from "./couple-shares.ts";
import {
	type ImportDimension,
	type ImportedItem,
	type ImportedSum,
	type ImportFile,
	type ImportFormat,
	UnreadableFile,
} from "./format.ts";
import { ga4 } from "./ga4.ts";
import { importFormats } from "./index.ts";
import { matomo } from "./matomo.ts";
import { plausible } from "./plausible.ts";
import { umami } from "./umami.ts";

const context = { timezone: "UTC", columnMap: {} };

const fileOf = (content: Buffer | string, chunk = 700): ImportFile => {
	const bytes = Buffer.from(content);
	const chunks = Array.from({ length: Math.ceil(bytes.length / chunk) }, (_, at) =>
		bytes.subarray(at * chunk, (at + 1) * chunk),
	);
	return { name: "export", bytes: bytes.length, open: async () => Readable.from(chunks, { objectMode: false }) };
};

async function read(format: ImportFormat, content: Buffer | string, columnMap: Record<string, string> = {}) {
	const file = fileOf(content);
	await format.check(file, { ...context, columnMap });
	const items: ImportedItem[] = [];
	for await (const some of format.read(file, { ...context, columnMap })) items.push(...some);
	return items;
}

const sumsOf = (items: readonly ImportedItem[]) => items.filter((item): item is ImportedSum => item.kind === "sum");

/** Skipped lines by reason. */
function skippedOf(items: readonly ImportedItem[]): Record<string, number[]> {
	const lines: Record<string, number[]> = {};
	for (const item of items) {
		if (item.kind === "skipped") lines[item.reason] = [...(lines[item.reason] ?? []), item.line];
	}
	return lines;
}

/** A measure of a day by the values of a dimension, with zeros left out. */
function by(
	items: readonly ImportedItem[],
	of: { readonly date: string; readonly measure: keyof ImportedSum["measures"]; readonly dimension: ImportDimension },
): Record<string, number> {
	const totals: Record<string, number> = {};
	for (const { at, dimensions, measures } of sumsOf(items)) {
		const date = typeof at === "number" ? new Date(at).toJSON().slice(0, 10) : at.date;
		const value = measures[of.measure] ?? 0;
		if (date !== of.date || value === 0) continue;
		const label = dimensions[of.dimension] ?? "";
		totals[label] = (totals[label] ?? 0) + value;
	}
	return totals;
}

function totals(items: readonly ImportedItem[]): Record<string, number> {
	const sums: Record<string, number> = {};
	for (const { measures } of sumsOf(items)) {
		for (const [name, value] of Object.entries(measures)) sums[name] = (sums[name] ?? 0) + value;
	}
	return sums;
}

test("an exploration of GA4 is read with its head, its grand total, thousands, quotes and placeholders", async () => {
	const items = await read(ga4, exportedFile("ga4-traffic-acquisition.csv"));
	assert.deepEqual(sumsOf(items).map(({ at, dimensions, measures, line }) => ({ at, dimensions, measures, line }))[0], {
		line: 9,
		at: { date: "2026-10-01", hour: undefined },
		dimensions: {
			utm_source: "google",
			utm_medium: "organic",
			utm_campaign: "",
			country: "ES",
			device: "mobile",
		},
		measures: {
			entrances: 1024,
			engaged: 512,
			page_views: 2310,
			visit_seconds: 43520,
			conversions: 10,
			revenue: 1204.5,
		},
	});
	assert.deepEqual(totals(items), {
		entrances: 1385,
		engaged: 753,
		page_views: 3485,
		visit_seconds: 43520 + 10800 + 410 + 6040 + 3000,
		conversions: 19,
		revenue: 742.25,
	});
	assert.deepEqual(by(items, { date: "2026-10-02", measure: "entrances", dimension: "country" }), { "": 41, TR: 100 });
	const [, , referral, mail] = sumsOf(items);
	assert.deepEqual(referral?.dimensions, {
		referrer: "news.example.org",
		utm_campaign: "",
		country: "",
		device: "tablet",
	});
	assert.equal(mail?.dimensions.utm_campaign, 'Autumn, "early"\nreaders');
	// The grand total and the users, who cannot be added up over sources; a day that is none; the group.
	assert.deepEqual(skippedOf(items), { unknown_metric: [7], repeated: [7, 8], malformed: [15] });
});

test("visits in a table of pages are left out, as each page would count them again", async () => {
	const items = await read(ga4, exportedFile("ga4-pages.csv"));
	assert.deepEqual(totals(items), { page_views: 730 });
	assert.deepEqual(by(items, { date: "2026-10-01", measure: "page_views", dimension: "path" }), {
		"/": 300,
		"/shop?sort=price": 120,
	});
	assert.deepEqual(skippedOf(items), { unknown_metric: [10], repeated: [10, 10, 14] });
});

test("of several tables in a file each measure of a day counts once, and days without a date are counted from the head's", async () => {
	const items = await read(ga4, exportedFile("ga4-snapshot.csv"));
	assert.deepEqual(totals(items), { entrances: 60, page_views: 150 });
	assert.deepEqual(
		sumsOf(items).map(({ at }) => (typeof at === "number" ? "" : at.date)),
		["2026-10-01", "2026-10-02", "2026-10-03", "2026-10-01", "2026-10-02", "2026-10-03"],
	);
	assert.deepEqual(Object.keys(skippedOf(items)), ["repeated"]);
	assert.equal(skippedOf(items).repeated?.length, 5);
});

test("Spanish names, semicolons and decimal commas are understood; other names by a column map", async () => {
	const items = await read(ga4, exportedFile("ga4-spanish.csv"));
	assert.deepEqual(totals(items), { entrances: 1036, page_views: 2340, revenue: 1204.5 });
	assert.deepEqual(by(items, { date: "2026-10-02", measure: "entrances", dimension: "country" }), { US: 12 });
	const own = "Tag,Besuche,Seite\n20261001,7,/a\n";
	await assert.rejects(read(ga4, own), /date column and one metric; it has Tag, Besuche, Seite/);
	const mapped = await read(ga4, own, { Tag: "date", Besuche: "entrances", Seite: "landing_path" });
	assert.deepEqual(by(mapped, { date: "2026-10-01", measure: "entrances", dimension: "landing_path" }), { "/a": 7 });
	await assert.rejects(read(ga4, own, { Tag: "day" }), { field: "column_map" });
});

test("files that are no tables are refused with what is wrong", async () => {
	await assert.rejects(read(ga4, ""), /no table/);
	await assert.rejects(read(ga4, Buffer.from([0x50, 0x4b, 3, 4, 0, 0, 0, 0])), /no text/);
	await assert.rejects(read(matomo, `date,nb_visits\n2026-10-01,"7\n${"x".repeat(300_000)}`), /quote/);
	await assert.rejects(read(umami, "session_id,created_at\n"), /visit_id, url_path, event_type is not there/);
});

test("Matomo's reports are read from UTF-16, and by a column map where a label is meant", async () => {
	const items = await read(matomo, exportedFile("matomo-visits-summary.csv"));
	assert.deepEqual(totals(items), {
		visitors: 160,
		entrances: 215,
		page_views: 780,
		engaged: 72 + 45,
		visit_seconds: 11001,
	});
	const countries = await read(matomo, exportedFile("matomo-countries.csv"));
	assert.deepEqual(by(countries, { date: "2026-10-01", measure: "entrances", dimension: "country" }), {
		ES: 80,
		PT: 40,
	});
	assert.deepEqual(by(countries, { date: "2026-10-01", measure: "engaged", dimension: "country" }), { ES: 50, PT: 22 });
	const pages = "date,label,nb_visits,nb_hits\n2026-10-01,/shop,10,30\n2026-10-01,/about,5,6\n";
	const mapped = await read(matomo, pages, { label: "path" });
	assert.deepEqual(totals(mapped), { page_views: 36 });
	assert.deepEqual(by(mapped, { date: "2026-10-01", measure: "page_views", dimension: "path" }), {
		"/shop": 30,
		"/about": 6,
	});
});

test("Umami's lines become visits by their ids, in whatever order they come", async () => {
	const items = await read(umami, exportedFile("umami-events.csv"));
	assert.deepEqual(totals(items), {
		page_views: 6,
		entrances: 4,
		engaged: 2,
		visit_seconds: 120 + 300,
		microconversions: 1,
	});
	const day = { date: "2026-10-02", measure: "entrances" } as const;
	assert.deepEqual(by(items, { ...day, dimension: "landing_path" }), { "/": 1 });
	const first = { date: "2026-10-01", measure: "entrances" } as const;
	assert.deepEqual(by(items, { ...first, dimension: "os" }), { macOS: 2, iOS: 1 });
	assert.deepEqual(by(items, { ...first, dimension: "browser" }), { Chrome: 2, Safari: 1 });
	assert.deepEqual(skippedOf(items), { malformed: [9, 10, 11, 12] });
	const sale = sumsOf(items).find(({ dimensions }) => dimensions.path === "/sale");
	assert.equal(sale?.at, Date.parse("2026-10-01T23:30:00Z"));
});

test("an archive of Plausible counts each visit once, and each of its tables comes out", async () => {
	const items = await read(plausible, plausibleArchive());
	assert.deepEqual(totals(items), {
		entrances: 140,
		engaged: 90,
		visitors: 110,
		page_views: 340,
		visit_seconds: 8001,
		microconversions: 15,
	});
	const visits = { date: "2026-10-01", measure: "entrances" } as const;
	assert.deepEqual(by(items, { ...visits, dimension: "referrer" }), { "google.com": 60, "": 40 });
	assert.deepEqual(by(items, { ...visits, dimension: "utm_source" }), { "": 60, "(direct)": 30, newsletter: 10 });
	assert.deepEqual(by(items, { ...visits, dimension: "landing_path" }), { "/": 70, "/shop": 30 });
	// Five visits of this day have no country in the export.
	assert.deepEqual(by(items, { ...visits, dimension: "country" }), { ES: 65, FR: 30, "": 5 });
	assert.deepEqual(by(items, { ...visits, dimension: "device" }), { Mobile: 60, Laptop: 30, Desktop: 10 });
	assert.deepEqual(by(items, { ...visits, dimension: "browser" }), { Chrome: 75, Safari: 25 });
	assert.deepEqual(by(items, { ...visits, dimension: "os" }), { Android: 60, macOS: 40 });
	const views = { date: "2026-10-01", measure: "page_views" } as const;
	assert.deepEqual(by(items, { ...views, dimension: "path" }), { "/": 120, "/shop": 100, "/about, us": 30 });
	assert.deepEqual(by(items, { ...views, dimension: "device" }), { Mobile: 140, Laptop: 80, Desktop: 30 });
	const engaged = { date: "2026-10-01", measure: "engaged" } as const;
	assert.deepEqual(by(items, { ...engaged, dimension: "device" }), { Mobile: 30, Laptop: 22, Desktop: 8 });
	const seconds = { date: "2026-10-01", measure: "visit_seconds" } as const;
	assert.deepEqual(by(items, { ...seconds, dimension: "browser" }), { Chrome: 4500, Safari: 1500 });
	// The second day's devices tell of four visits too many.
	assert.deepEqual(by(items, { ...visits, date: "2026-10-02", dimension: "device" }), { Mobile: 40 });
	assert.deepEqual(skippedOf(items), { repeated: [1, 5], malformed: [5] });
	assert.ok(sumsOf(items).every(({ measures }) => (measures.engaged ?? 0) <= (measures.entrances ?? 0)));
});

test("names in an archive are no paths, and what it claims is not believed", async () => {
	const [first, ...rest] = plausibleFiles();
	assert.ok(first !== undefined);
	const inFolder = [first, ...rest].map((file) => ({ ...file, name: `export/${file.name}` }));
	assert.equal(totals(await read(plausible, zipFile(inFolder))).entrances, 140);
	const upwards = [{ name: "../../imported_visitors.csv", content: "date,visits\n" }];
	await assert.rejects(read(plausible, zipFile(upwards)), /zip archive/);
	await assert.rejects(read(plausible, "date,visits\n2026-10-01,7\n"), /zip archive/);
	await assert.rejects(read(plausible, zipFile([{ name: "notes.csv", content: "a" }])), /imported_visitors/);
	const visitors = { name: "imported_visitors.csv", content: `date,visits\n${"2026-10-01,7\n".repeat(100_000)}` };
	const huge = { ...visitors, claims: 3 * 1024 ** 3 };
	await assert.rejects(read(plausible, zipFile([huge])), /more than 1 GiB/);
	await assert.rejects(
		read(plausible, zipFile([{ ...visitors, claims: 2000 }])),
		/imported_visitors.csv cannot be read/,
	);
});

test("coupled shares fill the whole and give each table its own counts", () => {
	const table = array(nat(50), { maxLength: 6 });
	propertyHolds(
		property(nat(200), array(table, { minLength: 1, maxLength: 4 }), (whole, tables) => {
			const shares = tables.map((counts, of) => counts.map((count, at) => ({ label: { of, at }, count })));
			const cells = coupleShares(whole, shares);
			assert.equal(
				cells.reduce((sum, { count }) => sum + count, 0),
				whole,
			);
			assert.ok(cells.every(({ count }) => count > 0));
			assert.ok(cells.length <= tables.flat().length + 1);
			for (const [of, counts] of tables.entries()) {
				const told = counts.reduce((sum, count) => sum + count, 0);
				for (const [at, count] of counts.entries()) {
					const of1 = cells.filter(({ labels }) => labels.some((label) => label.of === of && label.at === at));
					const got = of1.reduce((sum, cell) => sum + cell.count, 0);
					if (told <= whole) assert.equal(got, count);
					else assert.ok(Math.abs(got - (count * whole) / told) < 1);
				}
			}
		}),
	);
});

const legacy = JSON.stringify({ at: { date: "2026-11-01" }, dimensions: {}, measures: { page_views: 1 } });
const samples: Readonly<Record<keyof typeof importFormats, Buffer | string>> = {
	ga4_csv: exportedFile("ga4-pages.csv"),
	plausible_zip: plausibleArchive(),
	umami_csv: exportedFile("umami-events.csv"),
	matomo_csv: exportedFile("matomo-countries.csv"),
	access_log: gzipSync(log),
	legacy_service: `{}\n${legacy}\n${legacy}\n`,
};

for (const [source, content] of Object.entries(samples)) {
	test(`${source}: a file that is read to its first rows, to a fault or not at all stays open nowhere`, async () => {
		const format = importFormats[source as keyof typeof samples];
		assert.ok(format);
		const opened: Readable[] = [];
		const file = (bytes: Buffer | string): ImportFile => {
			const plain = fileOf(bytes);
			const open = async () => {
				const stream = await plain.open();
				opened.push(stream);
				return stream;
			};
			return { ...plain, open };
		};
		await format.check(file(content), context);
		for await (const _ of format.read(file(content), context)) break;
		const broken = Buffer.concat([Buffer.from(content).subarray(0, 300), Buffer.alloc(40_000)]);
		const readAll = async () => {
			await format.check(file(broken), context);
			for await (const _ of format.read(file(broken), context));
		};
		await readAll().catch((error: unknown) => assert.ok(error instanceof UnreadableFile, String(error)));
		assert.ok(opened.length >= 2);
		// One that nothing closes would be waited for in vain.
		await Promise.all(opened.map((stream) => stream.closed || new Promise((resolve) => stream.once("close", resolve))));
	});
}
