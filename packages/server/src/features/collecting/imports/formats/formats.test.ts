import assert from "node:assert/strict";
import { Readable } from "node:stream";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { array, nat, property, assert as propertyHolds } from "fast-check";
import { exportedFile, plausibleArchive, plausibleFiles } from "../../../../../test/support/import-files.ts";
import { log } from "../../../../../test/support/import-site.ts";
import { zipFile } from "../../../../../test/support/zip-file.ts";
import { coupleShares } from "./couple-shares.ts";
import type { ImportDimension, ImportedItem, ImportedSum, ImportFile, ImportFormat } from "./format.ts";
import { UnreadableFile } from "./format.ts";
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
const dayOf = ({ at }: ImportedSum) => (typeof at === "number" ? new Date(at).toJSON().slice(0, 10) : at.date);

/** Skipped lines by reason. */
function skippedOf(items: readonly ImportedItem[]): Record<string, number[]> {
	const lines: Record<string, number[]> = {};
	for (const item of items) {
		if (item.kind === "skipped") lines[item.reason] = [...(lines[item.reason] ?? []), item.line];
	}
	return lines;
}

/** A measure by the values of a dimension, with zeros left out: of all days, or of one of October. */
function by(
	items: readonly ImportedItem[],
	measure: keyof ImportedSum["measures"],
	dimension: ImportDimension,
	day?: number,
): Record<string, number> {
	const totals: Record<string, number> = {};
	for (const sum of sumsOf(items)) {
		const value = sum.measures[measure] ?? 0;
		if (value === 0 || (day !== undefined && dayOf(sum) !== `2026-10-0${day}`)) continue;
		const label = sum.dimensions[dimension] ?? "";
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
	const [first, , referral, mail] = sumsOf(items);
	const google = { utm_source: "google", utm_medium: "organic", utm_campaign: "", country: "ES", device: "mobile" };
	const visits = { entrances: 1024, engaged: 512, page_views: 2310, visit_seconds: 43520 };
	assert.deepEqual([first?.line, first?.at, first?.dimensions], [9, { date: "2026-10-01", hour: undefined }, google]);
	assert.deepEqual(first?.measures, { ...visits, conversions: 10, revenue: 1204.5 });
	assert.equal(totals(items)["visit_seconds"], 43520 + 10800 + 410 + 6040 + 3000);
	assert.deepEqual(by(items, "entrances", "country", 2), { "": 41, TR: 100 });
	const unset = { utm_campaign: "", country: "" };
	assert.deepEqual(referral?.dimensions, { referrer: "news.example.org", ...unset, device: "tablet" });
	assert.equal(mail?.dimensions.utm_campaign, 'Autumn, "early"\nreaders');
});

test("what would count twice is left out: visits in a table of pages, a measure of a day in several tables", async () => {
	const pages = await read(ga4, exportedFile("ga4-pages.csv"));
	assert.deepEqual(totals(pages), { page_views: 730 });
	assert.deepEqual(by(pages, "page_views", "path", 1), { "/": 300, "/shop?sort=price": 120 });
	assert.deepEqual(skippedOf(pages), { unknown_metric: [10], repeated: [10, 10, 14] });
	const snapshot = await read(ga4, exportedFile("ga4-snapshot.csv"));
	assert.deepEqual(totals(snapshot), { entrances: 60, page_views: 150 });
	// Days without a date are counted from the head's.
	const days = ["2026-10-01", "2026-10-02", "2026-10-03"];
	assert.deepEqual(sumsOf(snapshot).map(dayOf), [...days, ...days]);
	assert.deepEqual([Object.keys(skippedOf(snapshot)), skippedOf(snapshot)["repeated"]?.length], [["repeated"], 5]);
});

test("Spanish names, semicolons and decimal commas are understood; other names and labels by a column map", async () => {
	const items = await read(ga4, exportedFile("ga4-spanish.csv"));
	assert.deepEqual(totals(items), { entrances: 1036, page_views: 2340, revenue: 1204.5 });
	assert.deepEqual(by(items, "entrances", "country", 2), { US: 12 });
	const own = "Tag,Besuche,Seite\n20261001,7,/a\n";
	await assert.rejects(read(ga4, own), /date column and one metric; it has Tag, Besuche, Seite/);
	const mapped = await read(ga4, own, { Tag: "date", Besuche: "entrances", Seite: "landing_path" });
	assert.deepEqual(by(mapped, "entrances", "landing_path", 1), { "/a": 7 });
	const labels = "date,label,nb_visits,nb_hits\n2026-10-01,/shop,10,30\n2026-10-01,/about,5,6\n";
	const pages = await read(matomo, labels, { label: "path" });
	assert.deepEqual(
		[totals(pages), by(pages, "page_views", "path")],
		[{ page_views: 36 }, { "/shop": 30, "/about": 6 }],
	);
});

test("files that are no tables are refused with what is wrong", async () => {
	await assert.rejects(read(ga4, ""), /no table/);
	await assert.rejects(read(ga4, Buffer.from([0x50, 0x4b, 3, 4, 0, 0, 0, 0])), /no text/);
	await assert.rejects(read(matomo, `date,nb_visits\n2026-10-01,"7\n${"x".repeat(300_000)}`), /quote/);
	await assert.rejects(read(umami, "session_id,created_at\n"), /visit_id, url_path, event_type is not there/);
});

test("Matomo's reports are read from UTF-16", async () => {
	const sums = { visitors: 160, entrances: 215, page_views: 780, engaged: 72 + 45, visit_seconds: 11001 };
	assert.deepEqual(totals(await read(matomo, exportedFile("matomo-visits-summary.csv"))), sums);
	const countries = await read(matomo, exportedFile("matomo-countries.csv"));
	assert.deepEqual(by(countries, "entrances", "country", 1), { ES: 80, PT: 40 });
	assert.deepEqual(by(countries, "engaged", "country", 1), { ES: 50, PT: 22 });
});

test("Umami's lines become visits by their ids, in whatever order they come", async () => {
	const items = await read(umami, exportedFile("umami-events.csv"));
	const sums = { page_views: 6, entrances: 4, engaged: 2, visit_seconds: 120 + 300, microconversions: 1 };
	assert.deepEqual(totals(items), sums);
	assert.deepEqual(by(items, "entrances", "landing_path", 2), { "/": 1 });
	assert.deepEqual(by(items, "entrances", "os", 1), { macOS: 2, iOS: 1 });
	assert.deepEqual(by(items, "entrances", "browser", 1), { Chrome: 2, Safari: 1 });
	assert.deepEqual(skippedOf(items), { malformed: [9, 10, 11, 12] });
	const sale = sumsOf(items).find(({ dimensions }) => dimensions.path === "/sale");
	assert.equal(sale?.at, Date.parse("2026-10-01T23:30:00Z"));
});

test("an archive of Plausible counts each visit once, and each of its tables comes out", async () => {
	const items = await read(plausible, plausibleArchive());
	const visits = { entrances: 140, engaged: 90, visitors: 110, visit_seconds: 8001 };
	assert.deepEqual(totals(items), { ...visits, page_views: 340, microconversions: 15 });
	for (const [measure, dimension, expected] of [
		["entrances", "referrer", { "google.com": 60, "": 40 }],
		["entrances", "utm_source", { "": 60, "(direct)": 30, newsletter: 10 }],
		["entrances", "landing_path", { "/": 70, "/shop": 30 }],
		// Five visits of this day have no country in the export.
		["entrances", "country", { ES: 65, FR: 30, "": 5 }],
		["entrances", "device", { Mobile: 60, Laptop: 30, Desktop: 10 }],
		["entrances", "browser", { Chrome: 75, Safari: 25 }],
		["entrances", "os", { Android: 60, macOS: 40 }],
		["page_views", "path", { "/": 120, "/shop": 100, "/about, us": 30 }],
		["page_views", "device", { Mobile: 140, Laptop: 80, Desktop: 30 }],
		["engaged", "device", { Mobile: 30, Laptop: 22, Desktop: 8 }],
		["visit_seconds", "browser", { Chrome: 4500, Safari: 1500 }],
	] as const)
		assert.deepEqual(by(items, measure, dimension, 1), expected, `${measure} ${dimension}`);
	// The second day's devices tell of four visits too many.
	assert.deepEqual(by(items, "entrances", "device", 2), { Mobile: 40 });
	assert.deepEqual(skippedOf(items), { repeated: [1, 5], malformed: [5] });
	assert.ok(sumsOf(items).every(({ measures }) => (measures.engaged ?? 0) <= (measures.entrances ?? 0)));
});

test("names in an archive are no paths, and what it claims is not believed", async () => {
	const inFolder = plausibleFiles().map((file) => ({ ...file, name: `export/${file.name}` }));
	assert.equal(totals(await read(plausible, zipFile(inFolder)))["entrances"], 140);
	const upwards = [{ name: "../../imported_visitors.csv", content: "date,visits\n" }];
	await assert.rejects(read(plausible, zipFile(upwards)), /zip archive/);
	await assert.rejects(read(plausible, "date,visits\n2026-10-01,7\n"), /zip archive/);
	await assert.rejects(read(plausible, zipFile([{ name: "notes.csv", content: "a" }])), /imported_visitors/);
	const visitors = { name: "imported_visitors.csv", content: `date,visits\n${"2026-10-01,7\n".repeat(100_000)}` };
	const claiming = (claims: number) => read(plausible, zipFile([{ ...visitors, claims }]));
	await assert.rejects(claiming(3 * 1024 ** 3), /more than 1 GiB/);
	await assert.rejects(claiming(2000), /imported_visitors.csv cannot be read/);
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
