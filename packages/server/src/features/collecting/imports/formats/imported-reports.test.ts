import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { sendHits } from "../../../../../test/support/hits.ts";
import { exportedFile, plausibleArchive } from "../../../../../test/support/import-files.ts";
import { CHROME, type ImportSite, importSite } from "../../../../../test/support/import-site.ts";
import { type TestApp, testApp } from "../../../../../test/support/test-app.ts";
import { zipFile } from "../../../../../test/support/zip-file.ts";

let app: TestApp;
before(async () => {
	app = await testApp();
});
after(() => app.close());

const range = "start_date=2026-10-01&end_date=2026-10-03";

interface Row {
	readonly [name: string]: unknown;
}

/** The rows of a list by a column: their entrances and page views. */
async function rowsOf({ report }: ImportSite, list: string, column: string) {
	const { data } = (await report(`/stats/${list}?${range}`)) as { data: readonly Row[] };
	return Object.fromEntries(data.map((row) => [row[column], row.entrances ?? row.page_views]));
}

async function totalsOf({ report }: ImportSite) {
	const { data } = (await report(`/stats/overview?${range}`)) as { data: { traffic: Row } };
	const { entrances, engaged_entrances, page_views, conversions, revenue, microconversions } = data.traffic;
	return { entrances, engaged_entrances, page_views, conversions, revenue, microconversions };
}

const site = (name: string) => importSite(app, { email: `${name}@example.com`, name, timezone: "UTC" });

test("an exploration of GA4 is found in the reports: totals, days, sources, countries and devices", async () => {
	const shop = await site("analytics");
	const { status, report } = await shop.import(exportedFile("ga4-traffic-acquisition.csv"), { source: "ga4_csv" });
	assert.equal(status, "completed");
	const totals = { entrances: 1385, page_views: 3485, conversions: 19, revenue: 742.25, microconversions: 0 };
	assert.deepEqual(await totalsOf(shop), { ...totals, engaged_entrances: 753 });
	assert.deepEqual(report.totals, { ...totals, engaged_entrances: 753 });
	assert.deepEqual(report.by_day, [
		{ date: "2026-10-01", entrances: 1144, page_views: 2710 },
		{ date: "2026-10-02", entrances: 141, page_views: 570 },
		{ date: "2026-10-03", entrances: 100, page_views: 205 },
	]);
	assert.deepEqual(report.skip_reasons, [
		{
			reason: "repeated",
			count: 2,
			sample_lines: [7, 8],
			samples: ["line 8: the row is one of totals: “Grand total”"],
		},
		{
			reason: "malformed",
			count: 1,
			sample_lines: [15],
			samples: ["line 15: column “Date” has “2026-13-45”, which is no day"],
		},
		{ reason: "unknown_metric", count: 1, sample_lines: [7], samples: [] },
	]);
	assert.deepEqual(report.warnings, [
		"column “Sessions”: one cell cannot be read and counts as nothing; the first, on line 16, has “many”",
	]);
	const sources = await rowsOf(shop, "sources", "utm_source");
	assert.equal(sources.google, 1024);
	assert.equal(sources["news.example.org"], 41);
	assert.deepEqual(await rowsOf(shop, "geo/countries", "country"), {
		ES: 1024,
		US: 120,
		TR: 100,
		FR: 100,
		Unknown: 41,
	});
});

test("an archive of Plausible has the totals of its visitors, and each breakdown that of its table", async () => {
	const shop = await site("plausible");
	const { status, report } = await shop.import(plausibleArchive(), { source: "plausible_zip" });
	assert.equal(status, "completed");
	assert.deepEqual(await totalsOf(shop), {
		entrances: 140,
		engaged_entrances: 90,
		page_views: 340,
		conversions: 0,
		revenue: 0,
		microconversions: 15,
	});
	assert.deepEqual(await rowsOf(shop, "geo/countries", "country"), { ES: 105, FR: 30, Unknown: 5 });
	const landings = await rowsOf(shop, "landing-pages", "landing_page");
	assert.deepEqual([landings["/"], landings["/shop"]], [110, 30]);
	const sources = await rowsOf(shop, "sources", "utm_source");
	assert.deepEqual([sources.google, sources["(direct)"], sources.newsletter], [100, 30, 10]);
	assert.match(String(report.warnings), /two dimensions at once are estimates/);
});

test("files of Umami and Matomo are found in the reports", async () => {
	const umami = await site("umami");
	await umami.import(exportedFile("umami-events.csv"), { source: "umami_csv" });
	const referrers = await rowsOf(umami, "sources", "utm_source");
	assert.deepEqual(referrers, { "(direct)": 1, "blog.example.org": 1, google: 1, newsletter: 1 });
	const totals = { entrances: 4, engaged_entrances: 2, page_views: 6, conversions: 0, revenue: 0, microconversions: 1 };
	assert.deepEqual(await totalsOf(umami), totals);
	const matomo = await site("matomo");
	await matomo.import(exportedFile("matomo-visits-summary.csv"), { source: "matomo_csv" });
	const { entrances, page_views, engaged_entrances } = await totalsOf(matomo);
	assert.deepEqual([entrances, engaged_entrances, page_views], [215, 117, 780]);
});

test("an imported page is one row whatever the spelling of its path, of single hits and of sums", async () => {
	const spellings = ["/caf%c3%a9/", "/caf%C3%A9/", "/c%61f%C3%A9/"];
	const hit = (path: string) =>
		`192.0.2.1 - - [01/Oct/2026:10:00:00 +0000] "GET ${path} HTTP/1.1" 200 5 "-" "${CHROME}"`;
	const row = (path: string) => `20261001,${path},10,2,2\n`;
	const files = {
		access_log: [spellings.map(hit).join("\n"), 3],
		ga4_csv: [`Date,Page path,Views,Sessions,Engaged sessions\n${[...spellings, "/café/"].map(row).join("")}`, 40],
	} as const;
	for (const [source, [file, views]] of Object.entries(files)) {
		const shop = await site(`spellings ${source}`.replace(/\W/g, "-"));
		assert.equal((await shop.import(file, { source })).status, "completed", source);
		const { data } = (await shop.report(`/stats/pages?${range}`)) as { data: readonly Row[] };
		assert.deepEqual([data.map(({ path, page_views: seen }) => [path, seen])], [[["/caf%C3%A9/", views]]], source);
	}
});

test("a file that is none of its source is refused by its field", async () => {
	const shop = await site("refused");
	const wrong = await shop.upload("a,b\n1,2\n", { source: "ga4_csv" }, "wrong.csv");
	assert.equal(wrong.statusCode, 422, wrong.body);
	assert.equal(wrong.json().error.detail[0].field, "body.file");
	const map = await shop.upload("Tag,Besuche\n20261001,1\n", { source: "ga4_csv", column_map: '{"Tag":"day"}' });
	assert.equal(map.json().error.detail[0].field, "body.column_map");
	const zip = await shop.upload("date,visits\n", { source: "plausible_zip" });
	assert.match(zip.json().error.detail[0].message, /zip/);
});

const heads = (start: string, end: string) =>
	`# Resumen\n# Propiedad: shop.example\n#\n# Fecha de inicio: ${start}\n# Fecha de finalización: ${end}\n`;

const engagementWarning = [
	"The file does not tell which visits were engaged: all of them count as bounces, 100 % of its days",
];

/** Tables of GA4 and Matomo, and what an import takes of them: days, totals, what is left out, warnings. */
const tables: Readonly<Record<string, readonly [source: string, file: string, taken: Record<string, unknown>]>> = {
	"Spanish days are counted from the head": [
		"ga4_csv",
		`${heads("20261001", "20261003")}Día N,Sesiones\n0000,64\n0001,71\n0002,59\n`,
		{ days: [64, 71, 59] },
	],
	"a Spanish table without days is of the one day of its head": [
		"ga4_csv",
		`${heads("20261001", "20261001")}Fuente / Medio de la sesión,Sesiones,Sesiones con interacción,Eventos clave,Total de ingresos\ngoogle / organic,38,22,2,96.4\nletter / email,26,19,3,143.1\n,64,41,5,239.5\n`,
		{ days: [64], engaged_entrances: 41, conversions: 5, revenue: 239.5, skipped: { repeated: 1 } },
	],
	"Spanish names of rates, durations, users and months": [
		"ga4_csv",
		"Fecha;Porcentaje de rebote;Sesiones;Duración media de la sesión;Usuarios activos;Vistas\n1 de octubre de 2026;25 %;40;30;20;90\n2 oct 2026;50 %;10;30;8;20\n",
		{ days: [40, 10], engaged_entrances: 35, page_views: 110 },
	],
	"figures of one day without a column that tells rows apart": [
		"ga4_csv",
		"# Start date: 20261001\n# End date: 20261001\nActive users,Sessions,Engaged sessions,Views\n52,64,41,173\n",
		{ days: [64], engaged_entrances: 41, page_views: 173 },
	],
	"a total of one day among rows of a column that is not known": [
		"ga4_csv",
		"# Start date: 20261001\n# End date: 20261001\nChannel,Sessions\nOrganic,38\nDirect,26\n,64\n",
		{ days: [64], skipped: { repeated: 1, unknown_metric: 1 } },
	],
	"a campaign that is called total is no row of totals beside a day": [
		"ga4_csv",
		"Date,Session campaign,Sessions,Engaged sessions\n20261001,total,5,1\n20261001,Total,7,1\nTotal,,12,2\n",
		{ days: [12], engaged_entrances: 2, skipped: { repeated: 1 } },
	],
	"shares of conversions keep their sum": [
		"ga4_csv",
		"Date,Session source / medium,Sessions,Key events,Total revenue\n20261001,a / b,26,2.61,118.2\n20261001,c / d,38,0.390,20.4\n20261002,c / d,71,4,77\n",
		{ days: [64, 71], conversions: 7, revenue: 215.6 },
	],
	"one cell that cannot be read takes only itself": [
		"ga4_csv",
		"Date,Sessions,Engaged sessions,Key events,Total revenue\n20261001,26,20,few,118.2\n20261002,n/a,10,2,9\n",
		{
			days: [26, 0],
			engaged_entrances: 20,
			conversions: 2,
			revenue: 127.2,
			warnings: [
				"column “Key events”: one cell cannot be read and counts as nothing; the first, on line 2, has “few”",
				"column “Sessions”: one cell cannot be read and counts as nothing; the first, on line 3, has “n/a”",
			],
		},
	],
	"Matomo's page views count before its actions": [
		"matomo_csv",
		"date,nb_visits,nb_actions,bounce_rate,bounce_count,nb_pageviews\n2026-10-01,10,30,99%,4,25\n",
		{ days: [10], page_views: 25, engaged_entrances: 6, skipped: { repeated: 2 } },
	],
	"Matomo's page views in front of its actions": [
		"matomo_csv",
		"date,nb_visits,nb_pageviews,nb_actions,bounce_count\n2026-10-01,10,25,30,4\n",
		{ days: [10], page_views: 25, engaged_entrances: 6, skipped: { repeated: 1 } },
	],
	"Matomo's actions where there is nothing better, in Spanish": [
		"matomo_csv",
		"Fecha,Acciones,Visitas,Rebotes\n2026-10-01,30,10,4\n",
		{ days: [10], page_views: 30, engaged_entrances: 6 },
	],
	"visits without engagement": [
		"matomo_csv",
		"date,nb_visits\n2026-10-01,10\n",
		{
			days: [10],
			warnings: engagementWarning,
		},
	],
	"a table of which no row counts": [
		"ga4_csv",
		"Date,Sessions\n01/10/2026,5\n",
		{
			days: [],
			skipped: { malformed: 1 },
			warnings: [
				"No row of the file counts. The first that is left out: line 2: column “Date” has “01/10/2026”, which is no day",
			],
		},
	],
};

for (const [name, [source, file, taken]] of Object.entries(tables)) {
	test(`${source}: ${name}`, async () => {
		const shop = await site(`table-${Object.keys(tables).indexOf(name)}`);
		const { report } = await shop.import(file, { source });
		const totals = report.totals as Record<string, number>;
		const found = {
			days: (report["by_day"] as { entrances: number }[]).map(({ entrances }) => entrances),
			warnings: report["warnings"],
			skipped: Object.fromEntries(
				(report["skip_reasons"] as { reason: string; count: number }[]).map(({ reason, count }) => [reason, count]),
			),
			...totals,
		};
		const zeros = Object.fromEntries(Object.keys(totals).map((total) => [total, 0]));
		const entrances = (taken["days"] as number[]).reduce((sum, one) => sum + one, 0);
		const warned = !("engaged_entrances" in taken) && entrances > 0 ? engagementWarning : [];
		assert.deepEqual(found, { warnings: warned, skipped: {}, ...zeros, entrances, ...taken });
	});
}

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
	const shop = await site("names");
	const { report } = await shop.import(
		archive(
			"2026-10-01,Desktop,33,300,15\n2026-10-01,Mobile,27,300,15\n2026-10-02,Laptop,21,250,10\n2026-10-02,Mobile,2x7,250,12\n",
		),
		{ source: "plausible_zip" },
	);
	// Two rows of totals, six of sources and four of devices.
	assert.deepEqual([report["rows_read"], report["rows_accepted"], report["skip_reasons"]], [12, 12, []]);
	assert.equal(
		(report["warnings"] as string[])[0],
		"imported_devices.csv, column “visits”: one cell cannot be read and counts as nothing; the first, on line 5, has “2x7”",
	);
	await sendHits(app, [
		{ site: shop.site, url: "https://shop.example/", referrer: "https://www.google.com/" },
		{ site: shop.site, url: "https://shop.example/", referrer: "https://news.ycombinator.com/", ip: "203.0.113.9" },
	]);
	const { data } = (await shop.report("/stats/sources?start_date=2026-10-01&end_date=2026-11-21")) as {
		data: readonly Row[];
	};
	// Of page views the archive does not tell by which source they came.
	const visits = data.filter((row) => row["entrances"] !== 0);
	assert.deepEqual(Object.fromEntries(visits.map((row) => [row["utm_source"], row["entrances"]])), {
		google: 67,
		"(direct)": 24,
		reddit: 10,
		"hacker news": 9,
	});
	assert.deepEqual(await rowsOf(shop, "devices/types", "device_type"), { desktop: 54, mobile: 27, unknown: 27 });
	const filtered = (await shop.report(`/stats/overview?${range}&device_type=unknown`)) as { data: { traffic: Row } };
	assert.equal(filtered.data.traffic["entrances"], 27);
});
