import assert from "node:assert/strict";
import type { Readable } from "node:stream";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { array, nat, property, assert as propertyHolds } from "fast-check";
import { exportedFile, plausibleArchive, plausibleFiles } from "../../../../../test/support/import-files.ts";
import { fileOf, leftOut, readImport, totalsOf } from "../../../../../test/support/import-rows.ts";
import { CHROME, line, log } from "../../../../../test/support/import-site.ts";
import { zipFile } from "../../../../../test/support/zip-file.ts";
import { findBuiltInReferrer } from "../../../../analytics/attribution/built-in-referrers.ts";
import { type ImportFile, type ImportSource, UnreadableFile } from "./format.ts";
import { importFormats } from "./index.ts";
import { coupleShares } from "./plausible-day.ts";

const wide = `date,visits${",".repeat(300)}\n2026-01-01,1\n`;
const packed = (byte: string) => gzipSync(Buffer.alloc(20_000_000, byte), { level: 1 });
const w3c =
	"#Version: 1.0\n#Fields: date time c-ip cs-method cs-uri-stem sc-status\n2026-09-14 07:30:01 203.0.113.83 GET / 200\n";
const common = (path: string) => `203.0.113.40 - - [14/Sep/2026:09:00:05 +0200] "GET ${path} HTTP/1.1" 200 7301`;
const iso = `203.0.113.83 - - [2026-09-14T09:30:01+02:00] "GET /looms HTTP/1.1" 200 7301 "-" "${CHROME}"`;
const other = `[14/Sep/2026:09:30:01 +0200] - 200 200 - GET https shop.example "/" [Client 203.0.113.83] "${CHROME}" "-"`;
const workbook = zipFile([{ name: "xl/workbook.xml", content: "" }]);
const zipped = zipFile([{ name: "logs/access.log", content: iso }]);

/** Files that are none of their source, and what the refusal says of them. */
const foreign: readonly (readonly [source: ImportSource, file: string | Buffer, message: RegExp])[] = [
	["access_log", "", /empty/],
	["ga4_csv", "", /no table/],
	["access_log", packed("\n"), /beginning, is empty/],
	["access_log", packed("y"), /longer than 16 MB/],
	["access_log", gzipSync(log).subarray(0, 100), /./],
	["access_log", "a,b\n1,2\n", /begins with “a,b”/],
	["access_log", w3c, /is a log in the W3C extended format, begins with “#Version: 1\.0”/],
	["access_log", iso, /line 1 has no time such as .*begins with “203\.0\.113\.83 - - \[2026-09-14T09/],
	["access_log", gzipSync(iso), /is packed with gzip, begins with “203\.0\.113\.83 - -/],
	["access_log", other, /begins with “\[14\/Sep\/2026:09:30:01 \+0200\] - 200/],
	["access_log", [common("/"), common("/a.css")].join("\n"), /no referrer and user agent/],
	["access_log", [common("/a.css"), common("/")].join("\n"), /\(the common format\)/],
	["access_log", "[\n{\n", /a JSON array, not an object a line/],
	["access_log", zipped, /zip archive with access\.log/],
	["access_log", Buffer.from("\xfd7zXZ\0\0\0", "latin1"), /The file is an xz file/],
	["access_log", Buffer.from(`\ufeff${iso}`, "utf16le"), /The file is a text in UTF-16/],
	["ga4_csv", Buffer.alloc(7_000_000, ","), /too long/],
	["ga4_csv", zipped, /zip archive with access\.log/],
	["ga4_csv", gzipSync("Date,Sessions\n"), /is packed with gzip, begins with “Date,Sessions”/],
	["ga4_csv", `${iso}\n`, /begins with “203/],
	["matomo_csv", `"${"x,\n".repeat(200_000)}`, /too long/],
	["matomo_csv", `date,nb_visits\n2026-10-01,"7\n${"x".repeat(300_000)}`, /quote/],
	["matomo_csv", workbook, /an Excel workbook: save its table as CSV/],
	["umami_csv", `${"a,".repeat(200_000)}"\n${'",,"\n'.repeat(100_000)}`, /too long/],
	["umami_csv", wide, /more than 256 columns/],
	["umami_csv", "<!doctype html>\n<p>Sign in</p>", /is XML or HTML, begins with “<!doctype html>”/],
	["umami_csv", "session_id,created_at\n", /visit_id, url_path, event_type is not there/],
	["umami_csv", "Tag,Besuche\n", /needs the columns created_at.*begins with “Tag,Besuche”/],
	["plausible_zip", zipFile([{ name: "imported_visitors.csv", content: wide }]), /more than 256 columns/],
	["plausible_zip", "date,visits\n", /begins with “date,visits”/],
];

test("a file that is none of its source is refused with what it is and how it begins", async () => {
	for (const [source, file, message] of foreign) {
		const isRefusal = (error: unknown) => error instanceof UnreadableFile && message.test(error.message);
		await assert.rejects(readImport(source, file), isRefusal, `${source} ${message}`);
	}
});

test("an archive of Plausible counts each visit once, and each of its tables comes out", async () => {
	const read = await readImport("plausible_zip", plausibleArchive());
	const { report, rows, sums } = read;
	assert.deepEqual(totalsOf(read), { entrances: 140, engaged_entrances: 90, page_views: 340, microconversions: 15 });
	assert.deepEqual([sums("visitor", "site"), sums("visit_seconds", "site")], [{ shop: 110 }, { shop: 8001 }]);
	for (const [measure, column, expected] of [
		["entrance", "referrer", { "google.com": 60, "": 40 }],
		["entrance", "utm_source", { google: 60, "(direct)": 30, newsletter: 10 }],
		["entrance", "landing_path", { "/": 70, "/shop": 30 }],
		// Five visits of this day have no country in the export.
		["entrance", "country", { ES: 65, FR: 30, Unknown: 5 }],
		["entrance", "device", { mobile: 60, desktop: 40 }],
		["entrance", "browser", { Chrome: 75, Safari: 25 }],
		["entrance", "os", { Android: 60, macOS: 40 }],
		["page_view", "path", { "/": 120, "/shop": 100, "/about, us": 30 }],
		["page_view", "device", { mobile: 140, desktop: 110 }],
		["engaged", "device", { mobile: 30, desktop: 30 }],
		["visit_seconds", "browser", { Chrome: 4500, Safari: 1500 }],
	] as const)
		assert.deepEqual(sums(measure, column, "2026-10-01"), expected, `${measure} ${column}`);
	// The second day's devices tell of four visits too many.
	assert.deepEqual(sums("entrance", "device", "2026-10-02"), { mobile: 40 });
	assert.deepEqual(leftOut(read), { repeated: [1, 5], malformed: [5] });
	assert.ok(rows.every(({ engaged, entrance }) => Number(engaged) <= Number(entrance)));
	assert.match(String(report.warnings), /two dimensions at once are estimates/);
});

test("names in an archive are no paths, and what it claims is not believed", async () => {
	const read = (files: Parameters<typeof zipFile>[0]) => readImport("plausible_zip", zipFile(files));
	const inFolder = plausibleFiles().map((file) => ({ ...file, name: `export/${file.name}` }));
	assert.equal(totalsOf(await read(inFolder))["entrances"], 140);
	await assert.rejects(read([{ name: "../../imported_visitors.csv", content: "date,visits\n" }]), /zip archive/);
	await assert.rejects(read([{ name: "notes.csv", content: "a" }]), /imported_visitors/);
	const visitors = { name: "imported_visitors.csv", content: `date,visits\n${"2026-10-01,7\n".repeat(100_000)}` };
	const claiming = (claims: number) => read([{ ...visitors, claims }]);
	await assert.rejects(claiming(3 * 1024 ** 3), /more than 1 GiB/);
	await assert.rejects(claiming(2000), /imported_visitors.csv cannot be read/);
});

const archive = (devices: string) =>
	zipFile([
		{
			name: "imported_visitors.csv",
			content:
				"date,visitors,pageviews,bounces,visits,visit_duration\n2026-10-01,50,90,30,60,600\n2026-10-02,40,75,22,48,500\n",
		},
		{
			name: "imported_sources.csv",
			content:
				"date,source,utm_medium,visits,visit_duration,bounces\n2026-10-01,Google,organic,36,400,18\n2026-10-01,Reddit,social,10,100,6\n2026-10-01,,,14,100,6\n2026-10-02,GOOGLE,,30,300,14\n2026-10-02,Hacker News,,8,100,4\n2026-10-02,Direct / None,,10,100,4\n",
		},
		{ name: "imported_devices.csv", content: `date,device,visits,visit_duration,bounces\n${devices}` },
	]);

test("a source of Plausible has the name that hits from it have, and devices that are not told stay unknown", async () => {
	const devices =
		"2026-10-01,Desktop,33,300,15\n2026-10-01,Mobile,27,300,15\n2026-10-02,Laptop,21,250,10\n2026-10-02,Mobile,2x7,250,12\n";
	const { report, sums } = await readImport("plausible_zip", archive(devices));
	// Two rows of totals, six of sources and four of devices.
	assert.deepEqual([report.rows_read, report.rows_accepted, report.skip_reasons], [12, 12, []]);
	assert.match(String(report.warnings), /^imported_devices.csv, column “visits”: one cell .*, on line 5, has “2x7”/);
	const [google = "", news = ""] = ["google.com", "news.ycombinator.com"].map(
		(host) => findBuiltInReferrer(host)?.utm_source,
	);
	assert.deepEqual(sums("entrance", "utm_source"), { [google]: 66, "(direct)": 24, reddit: 10, [news]: 8 });
	assert.deepEqual(sums("entrance", "device"), { desktop: 54, mobile: 27, unknown: 27 });
});

test("an imported page is one row whatever the spelling of its path, of single hits and of sums", async () => {
	const spellings = ["/caf%c3%a9/", "/caf%C3%A9/", "/c%61f%C3%A9/"];
	const hits = spellings
		.map((path) => line("192.0.2.1", "01/Oct/2026:10:00:00 +0000", `GET ${path} HTTP/1.1`))
		.join("\n");
	const sums = [...spellings, "/café/"].map((path) => `20261001,${path},10,2,2\n`).join("");
	for (const [source, file, views] of [
		["access_log", hits, 3],
		["ga4_csv", `Date,Page path,Views,Sessions,Engaged sessions\n${sums}`, 40],
	] as const)
		assert.deepEqual((await readImport(source, file)).sums("page_view", "path"), { "/caf%C3%A9/": views }, source);
});

test("coupled shares fill the whole and give each table its own counts", () => {
	const table = array(nat(50), { maxLength: 6 });
	propertyHolds(
		property(nat(200), array(table, { minLength: 1, maxLength: 4 }), (whole, tables) => {
			const shares = tables.map((counts, of) => counts.map((count, at) => ({ label: { of, at }, count })));
			const cells = coupleShares(whole, shares);
			const found = cells.reduce((sum, { count }) => sum + count, 0);
			assert.equal(found, whole);
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
		const context = { timezone: "UTC", columnMap: {} };
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
