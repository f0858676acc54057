import assert from "node:assert/strict";
import { test } from "node:test";
import { exportedFile } from "../../../../../test/support/import-files.ts";
import { leftOut, readImport, totalsOf } from "../../../../../test/support/import-rows.ts";
import type { ImportSource } from "./format.ts";

test("an exploration of GA4 is read with its head, its grand total, thousands, quotes and placeholders", async () => {
	const read = await readImport("ga4_csv", exportedFile("ga4-traffic-acquisition.csv"));
	const { report, sums } = read;
	const visits = { entrances: 1385, engaged_entrances: 753, page_views: 3485 };
	assert.deepEqual(totalsOf(read), { ...visits, conversions: 19, revenue: 742.25 });
	assert.deepEqual(sums("visit_seconds", "site"), { shop: 43520 + 10800 + 410 + 6040 + 3000 });
	assert.deepEqual(sums("entrance", "country"), { ES: 1024, US: 120, TR: 100, FR: 100, Unknown: 41 });
	assert.deepEqual(sums("page_view", "device"), { mobile: 2310 + 5, desktop: 400 + 500 + 200, tablet: 70 });
	assert.deepEqual(sums("entrance", "utm_campaign"), { "": 1285, 'Autumn, "early"readers': 100 });
	assert.deepEqual(sums("entrance", "referrer"), { "": 1344, "news.example.org": 41 });
	const booked = { google: 1024, "(direct)": 120, "news.example.org": 41, newsletter: 100, "": 100 };
	assert.deepEqual(sums("entrance", "utm_source"), booked);
	const found = report.skip_reasons.map(({ reason, count, samples }) => [reason, count, ...samples].join(" "));
	assert.deepEqual(found, [
		"repeated 2 line 8: the row is one of totals: “Grand total”",
		"malformed 1 line 15: column “Date” has “2026-13-45”, which is no day",
		"unknown_metric 1",
	]);
	assert.match(String(report.warnings), /^column “Sessions”: one cell cannot be read .*, on line 16, has “many”$/);
});

test("figures that would count twice are left out: visits in a table of pages, a measure of a day in several tables", async () => {
	const pages = await readImport("ga4_csv", exportedFile("ga4-pages.csv"));
	assert.deepEqual(totalsOf(pages), { page_views: 730 });
	assert.deepEqual(pages.sums("page_view", "path", "2026-10-01"), { "/": 300, "/shop?sort=price": 120 });
	assert.deepEqual(leftOut(pages), { repeated: [10, 10, 14], unknown_metric: [10] });
	const snapshot = await readImport("ga4_csv", exportedFile("ga4-snapshot.csv"));
	assert.deepEqual(totalsOf(snapshot), { entrances: 60, page_views: 150 });
	// Days without a date are counted from the head's.
	assert.deepEqual(Object.keys(snapshot.sums("page_view", "date")), ["2026-10-01", "2026-10-02", "2026-10-03"]);
	assert.deepEqual(Object.keys(leftOut(snapshot)), ["repeated"]);
	assert.equal(snapshot.report.rows_skipped, 5);
});

test("Spanish names, semicolons and decimal commas are understood; other names and labels by a column map", async () => {
	const spanish = await readImport("ga4_csv", exportedFile("ga4-spanish.csv"));
	assert.deepEqual(totalsOf(spanish), { entrances: 1036, page_views: 2340, revenue: 1204.5 });
	assert.deepEqual(spanish.sums("entrance", "country", "2026-10-02"), { US: 12 });
	const own = "Tag,Besuche,Seite\n20261001,7,/a\n";
	await assert.rejects(readImport("ga4_csv", own), /date column and one metric; it has Tag, Besuche, Seite/);
	const columnMap = { Tag: "date", Besuche: "entrances", Seite: "landing_path" };
	const mapped = await readImport("ga4_csv", own, { columnMap });
	assert.deepEqual(mapped.sums("entrance", "landing_path"), { "/a": 7 });
	const labels = "date,label,nb_visits,nb_hits\n2026-10-01,/shop,10,30\n2026-10-01,/about,5,6\n";
	const pages = await readImport("matomo_csv", labels, { columnMap: { label: "path" } });
	const found = [totalsOf(pages), pages.sums("page_view", "path")];
	assert.deepEqual(found, [{ page_views: 36 }, { "/shop": 30, "/about": 6 }]);
});

const heads = (start: string, end: string) =>
	`# Resumen\n# Propiedad: shop.example\n#\n# Fecha de inicio: ${start}\n# Fecha de finalización: ${end}\n`;

const engagementWarning = [
	"The file does not tell which visits were engaged: all of them count as bounces, 100 % of its days",
];

/** Tables of GA4 and Matomo, and what an import takes of them: days, totals, what is left out, warnings. */
const tables: Readonly<Record<string, readonly [file: string, taken: Record<string, unknown>]>> = {
	"ga4_csv: Spanish days are counted from the head": [
		`${heads("20261001", "20261003")}Día N,Sesiones\n0000,64\n0001,71\n0002,59\n`,
		{ days: [64, 71, 59] },
	],
	"ga4_csv: a Spanish table without days is of the one day of its head": [
		`${heads("20261001", "20261001")}Fuente / Medio de la sesión,Sesiones,Sesiones con interacción,Eventos clave,Total de ingresos\ngoogle / organic,38,22,2,96.4\nletter / email,26,19,3,143.1\n,64,41,5,239.5\n`,
		{ days: [64], engaged_entrances: 41, conversions: 5, revenue: 239.5, skipped: { repeated: 1 } },
	],
	"ga4_csv: Spanish names of rates, durations, users and months": [
		"Fecha;Porcentaje de rebote;Sesiones;Duración media de la sesión;Usuarios activos;Vistas\n1 de octubre de 2026;25 %;40;30;20;90\n2 oct 2026;50 %;10;30;8;20\n",
		{ days: [40, 10], engaged_entrances: 35, page_views: 110 },
	],
	"ga4_csv: figures of one day without a column that tells rows apart": [
		"# Start date: 20261001\n# End date: 20261001\nActive users,Sessions,Engaged sessions,Views\n52,64,41,173\n",
		{ days: [64], engaged_entrances: 41, page_views: 173 },
	],
	"ga4_csv: a total of one day among rows of a column that is not known": [
		"# Start date: 20261001\n# End date: 20261001\nChannel,Sessions\nOrganic,38\nDirect,26\n,64\n",
		{ days: [64], skipped: { repeated: 1, unknown_metric: 1 } },
	],
	"ga4_csv: a campaign that is called total is no row of totals beside a day": [
		"Date,Session campaign,Sessions,Engaged sessions\n20261001,total,5,1\n20261001,Total,7,1\nTotal,,12,2\n",
		{ days: [12], engaged_entrances: 2, skipped: { repeated: 1 } },
	],
	"ga4_csv: shares of conversions keep their sum": [
		"Date,Session source / medium,Sessions,Key events,Total revenue\n20261001,a / b,26,2.61,118.2\n20261001,c / d,38,0.390,20.4\n20261002,c / d,71,4,77\n",
		{ days: [64, 71], conversions: 7, revenue: 215.6 },
	],
	"ga4_csv: one cell that cannot be read takes only itself": [
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
	"matomo_csv: Matomo's page views count before its actions": [
		"date,nb_visits,nb_actions,bounce_rate,bounce_count,nb_pageviews\n2026-10-01,10,30,99%,4,25\n",
		{ days: [10], page_views: 25, engaged_entrances: 6, skipped: { repeated: 2 } },
	],
	"matomo_csv: Matomo's actions where there is nothing better, in Spanish": [
		"Fecha,Acciones,Visitas,Rebotes\n2026-10-01,30,10,4\n",
		{ days: [10], page_views: 30, engaged_entrances: 6 },
	],
	"matomo_csv: visits without engagement": ["date,nb_visits\n2026-10-01,10\n", { days: [10] }],
};

for (const [name, [file, taken]] of Object.entries(tables)) {
	test(name, async () => {
		const read = await readImport(name.split(":")[0] as ImportSource, file);
		const { entrances, ...totals } = totalsOf(read);
		const found = {
			days: read.report.by_day.map((day) => day.entrances),
			warnings: read.report.warnings,
			skipped: Object.fromEntries(read.report.skip_reasons.map(({ reason, count }) => [reason, count])),
			...totals,
		};
		const warnings = "engaged_entrances" in taken ? [] : engagementWarning;
		assert.deepEqual(found, { warnings, skipped: {}, ...taken });
		const expected = found.days.reduce((sum, one) => sum + one, 0);
		assert.equal(entrances, expected);
	});
}

test("Matomo's reports are read from UTF-16", async () => {
	const summary = await readImport("matomo_csv", exportedFile("matomo-visits-summary.csv"));
	assert.deepEqual(totalsOf(summary), { entrances: 215, engaged_entrances: 72 + 45, page_views: 780 });
	const found = [summary.sums("visitor", "site"), summary.sums("visit_seconds", "site")];
	assert.deepEqual(found, [{ shop: 160 }, { shop: 11001 }]);
	const countries = await readImport("matomo_csv", exportedFile("matomo-countries.csv"));
	assert.deepEqual(countries.sums("entrance", "country", "2026-10-01"), { ES: 80, PT: 40 });
	assert.deepEqual(countries.sums("engaged", "country", "2026-10-01"), { ES: 50, PT: 22 });
});

test("Umami's lines become visits by their ids, in whatever order they come", async () => {
	const read = await readImport("umami_csv", exportedFile("umami-events.csv"));
	assert.deepEqual(totalsOf(read), { entrances: 4, engaged_entrances: 2, page_views: 6, microconversions: 1 });
	assert.deepEqual(read.sums("visit_seconds", "site"), { shop: 120 + 300 });
	assert.deepEqual(read.sums("entrance", "utm_source"), {
		"(direct)": 1,
		"blog.example.org": 1,
		google: 1,
		newsletter: 1,
	});
	assert.deepEqual(read.sums("entrance", "landing_path", "2026-10-02"), { "/": 1 });
	assert.deepEqual(read.sums("entrance", "os", "2026-10-01"), { macOS: 2, iOS: 1 });
	assert.deepEqual(read.sums("entrance", "browser", "2026-10-01"), { Chrome: 2, Safari: 1 });
	assert.deepEqual(leftOut(read), { malformed: [9, 10, 11, 12] });
	const sale = read.rows.find(({ path }) => path === "/sale");
	assert.deepEqual([sale?.date, sale?.hour], ["2026-10-01", "23"]);
});

const columns =
	"website_id,session_id,visit_id,hostname,browser,os,device,country,url_path,url_query,referrer_path,referrer_query,referrer_domain,utm_campaign,msclkid,event_type,event_name,created_at".split(
		",",
	);
/** A file of Umami with its columns in this order; what a line does not tell is empty. Each visit is of a session of its own. */
const umamiFile = (order: readonly string[], ...lines: readonly Readonly<Record<string, string>>[]): string => {
	const names = [...order, ...columns.filter((name) => !order.includes(name))];
	const usual = { hostname: "shop.example", url_path: "/", event_type: "1" };
	const rows = lines.map((line): Record<string, string> => ({ ...usual, session_id: line["visit_id"] ?? "", ...line }));
	return [names, ...rows.map((row) => names.map((name) => row[name] ?? ""))].map((cells) => cells.join(",")).join("\n");
};

test("Umami's times count with their offset, without one by the zone of the file", async () => {
	const times = {
		"/a": "2026-10-01 22:40:00.25+00",
		"/b": "2026-10-01 22:40:00+03",
		"/c": "2026-10-01 22:40:00",
		"/d": "2026-10-02T03:40:00.000+0530",
	};
	const lines = Object.entries(times).map(([url_path, created_at]) => ({ visit_id: url_path, url_path, created_at }));
	const file = umamiFile(["created_at", "url_path"], ...lines);
	const zones = { timezone: "Europe/Paris", fileTimezone: "Europe/Paris" };
	const { report, sums } = await readImport("umami_csv", file, zones);
	assert.deepEqual(report.warnings, []);
	const pagesOf = (day: string) => Object.keys(sums("page_view", "path", day)).sort();
	assert.deepEqual(pagesOf("2026-10-01"), ["/b", "/c"]);
	assert.deepEqual(pagesOf("2026-10-02"), ["/a", "/d"]);
});

test("Umami's visits are attributed as hits: by query, click ids, columns and whole referrers", async () => {
	const query = "utm_source=letter&utm_medium=email&utm_content=top";
	const lines = [
		{ visit_id: "a", url_query: query, utm_campaign: "september" },
		{ visit_id: "b", url_path: "/looms", url_query: "gclid=T7", referrer_domain: "google.com" },
		{ visit_id: "c", msclkid: "M1" },
		{ visit_id: "d", referrer_domain: "www.google.com", referrer_path: "/search" },
		{ visit_id: "e", referrer_domain: "shop.example" },
	].map((line) => ({ ...line, created_at: "2026-10-01 10:00:00" }));
	const { rows } = await readImport("umami_csv", umamiFile([], ...lines));
	const names = ["landing_path", "utm_source", "utm_medium", "utm_campaign", "utm_content", "entrance"] as const;
	assert.deepEqual(rows.map((row) => names.map((name) => row[name]).join(" ")).sort(), [
		"/ (direct) (none)   1",
		"/ bing cpc   1",
		"/ google organic   1",
		"/ letter email september top 1",
		"/looms google cpc   1",
	]);
});

test("Umami's visitors are those who began a visit on a day, and seconds are of the hit that ends them", async () => {
	const hit = (visit_id: string, created_at: string, more = {}) => ({ visit_id, session_id: "1", created_at, ...more });
	const lines = [
		hit("a", "2026-10-02 00:10:00"),
		hit("a", "2026-10-01 23:50:00"),
		hit("b", "2026-10-03 10:10:00", { event_type: "2", event_name: "opened" }),
		hit("b", "2026-10-03 10:00:00"),
		hit("c", "2026-10-03 12:00:00"),
	];
	const { sums } = await readImport("umami_csv", umamiFile([], ...lines));
	assert.deepEqual(sums("visitor", "date"), { "2026-10-01": 1, "2026-10-03": 1 });
	assert.deepEqual(sums("entrance", "date"), { "2026-10-01": 1, "2026-10-03": 2 });
	assert.deepEqual(sums("visit_seconds", "date"), { "2026-10-02": 1200, "2026-10-03": 600 });
});
