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

const site = (name: string, timezone = "UTC") => importSite(app, { email: `${name}@example.com`, name, timezone });

/** Files of other tools, with the totals of their visits and, by list and column, what reports say of entrances. */
const exported: readonly (readonly [string, Buffer, Row, lists?: Readonly<Record<string, Row>>])[] = [
	[
		"ga4_csv",
		exportedFile("ga4-traffic-acquisition.csv"),
		{ entrances: 1385, engaged_entrances: 753, page_views: 3485, conversions: 19, revenue: 742.25 },
		{ "geo/countries country": { ES: 1024, US: 120, TR: 100, FR: 100, Unknown: 41 } },
	],
	[
		"plausible_zip",
		plausibleArchive(),
		{ entrances: 140, engaged_entrances: 90, page_views: 340, microconversions: 15 },
		{
			"geo/countries country": { ES: 105, FR: 30, Unknown: 5 },
			"landing-pages landing_page": { "/": 110, "/shop": 30 },
			"sources utm_source": { google: 100, "(direct)": 30, newsletter: 10 },
		},
	],
	[
		"umami_csv",
		exportedFile("umami-events.csv"),
		{ entrances: 4, engaged_entrances: 2, page_views: 6, microconversions: 1 },
		{ "sources utm_source": { "(direct)": 1, "blog.example.org": 1, google: 1, newsletter: 1 } },
	],
	[
		"matomo_csv",
		exportedFile("matomo-visits-summary.csv"),
		{ entrances: 215, engaged_entrances: 117, page_views: 780 },
	],
];

test("files of GA4, Plausible, Umami and Matomo are found in the reports: totals, countries, pages and sources", async () => {
	for (const [source, file, totals, lists = {}] of exported) {
		const shop = await site(source.replace("_", "-"));
		const { status, report } = await shop.import(file, { source });
		assert.equal(status, "completed", source);
		const all = { ...{ conversions: 0, revenue: 0, microconversions: 0 }, ...totals };
		assert.deepEqual([await totalsOf(shop), report["totals"]], [all, all], source);
		for (const [list, expected] of Object.entries(lists)) {
			const [name = "", column = ""] = list.split(" ");
			const found = Object.entries(await rowsOf(shop, name, column)).filter(([label]) => label in expected);
			assert.deepEqual(Object.fromEntries(found), expected, `${source} ${list}`);
		}
		if (source === "plausible_zip") assert.match(String(report["warnings"]), /two dimensions at once are estimates/);
		if (source !== "ga4_csv") continue;
		const reasons = report["skip_reasons"] as { reason: string; count: number; samples: string[] }[];
		assert.deepEqual(
			reasons.map(({ reason, count, samples }) => [reason, count, ...samples].join(" ")),
			[
				"repeated 2 line 8: the row is one of totals: “Grand total”",
				"malformed 1 line 15: column “Date” has “2026-13-45”, which is no day",
				"unknown_metric 1",
			],
		);
		assert.match(String(report["warnings"]), /^column “Sessions”: one cell cannot be read .*, on line 16, has “many”$/);
	}
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
	"matomo_csv: visits without engagement": [
		"date,nb_visits\n2026-10-01,10\n",
		{ days: [10], warnings: engagementWarning },
	],
};

for (const [name, [file, taken]] of Object.entries(tables)) {
	test(name, async () => {
		const shop = await site(`table-${Object.keys(tables).indexOf(name)}`);
		const { report } = await shop.import(file, { source: name.split(":")[0] ?? "" });
		const totals = report["totals"] as Record<string, number>;
		const reasons = report["skip_reasons"] as { reason: string; count: number }[];
		const found = {
			days: (report["by_day"] as { entrances: number }[]).map(({ entrances }) => entrances),
			warnings: report["warnings"],
			skipped: Object.fromEntries(reasons.map(({ reason, count }) => [reason, count])),
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
	const devices =
		"2026-10-01,Desktop,33,300,15\n2026-10-01,Mobile,27,300,15\n2026-10-02,Laptop,21,250,10\n2026-10-02,Mobile,2x7,250,12\n";
	const { report } = await shop.import(archive(devices), { source: "plausible_zip" });
	// Two rows of totals, six of sources and four of devices.
	assert.deepEqual([report["rows_read"], report["rows_accepted"], report["skip_reasons"]], [12, 12, []]);
	assert.match(String(report["warnings"]), /^imported_devices.csv, column “visits”: one cell .*, on line 5, has “2x7”/);
	const hit = { site: shop.site, url: "https://shop.example/" };
	await sendHits(app, [
		{ ...hit, referrer: "https://www.google.com/" },
		{ ...hit, referrer: "https://news.ycombinator.com/", ip: "203.0.113.9" },
	]);
	const { data } = (await shop.report("/stats/sources?start_date=2026-10-01&end_date=2026-11-21")) as {
		data: readonly Row[];
	};
	// Of page views the archive does not tell by which source they came.
	const visits = data.filter((row) => row["entrances"] !== 0).map((row) => [row["utm_source"], row["entrances"]]);
	assert.deepEqual(Object.fromEntries(visits), { google: 67, "(direct)": 24, reddit: 10, "hacker news": 9 });
	assert.deepEqual(await rowsOf(shop, "devices/types", "device_type"), { desktop: 54, mobile: 27, unknown: 27 });
	const filtered = (await shop.report(`/stats/overview?${range}&device_type=unknown`)) as { data: { traffic: Row } };
	assert.equal(filtered.data.traffic["entrances"], 27);
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

test("Umami's times count with their offset, without one by the zone of the file, which is UTC unless told", async () => {
	const times = {
		"/a": "2026-10-01 22:40:00.25+00",
		"/b": "2026-10-01 22:40:00+03",
		"/c": "2026-10-01 22:40:00",
		"/d": "2026-10-02T03:40:00.000+0530",
	};
	const lines = Object.entries(times).map(([url_path, created_at]) => ({ visit_id: url_path, url_path, created_at }));
	const file = umamiFile(["created_at", "url_path"], ...lines);
	for (const [name, zone, first, second] of [
		["utc", {}, ["/b"], ["/a", "/c", "/d"]],
		["paris", { timezone: "Europe/Paris" }, ["/b", "/c"], ["/a", "/d"]],
	] as const) {
		const shop = await site(`offsets-${name}`, "Europe/Paris");
		const { report } = await shop.import(file, { source: "umami_csv", ...zone });
		assert.deepEqual(report["warnings"], []);
		for (const [day, expected] of Object.entries({ "2026-10-01": first, "2026-10-02": second })) {
			const { data } = (await shop.report(`/stats/pages?start_date=${day}&end_date=${day}`)) as {
				data: readonly Row[];
			};
			assert.deepEqual(data.map(({ path }) => path).sort(), expected, `${name} ${day}`);
		}
	}
});

test("Umami's visits are attributed as hits: by query, click ids, columns and whole referrers", async () => {
	const shop = await site("arrivals");
	const query = "utm_source=letter&utm_medium=email&utm_content=top";
	const lines = [
		{ visit_id: "a", url_query: query, utm_campaign: "september" },
		{ visit_id: "b", url_path: "/looms", url_query: "gclid=T7", referrer_domain: "google.com" },
		{ visit_id: "c", msclkid: "M1" },
		{ visit_id: "d", referrer_domain: "www.google.com", referrer_path: "/search" },
		{ visit_id: "e", referrer_domain: "shop.example" },
	].map((line) => ({ ...line, created_at: "2026-10-01 10:00:00" }));
	await shop.import(umamiFile([], ...lines), { source: "umami_csv" });
	const dimensions = ["landing_page", "utm_source", "utm_medium", "utm_campaign", "utm_content"];
	const response = await app.inject({
		method: "POST",
		url: `/api/v1/stats/query?site_id=${shop.site}`,
		headers: shop.ann.headers,
		payload: { date_from: "2026-10-01", date_to: "2026-10-01", metrics: ["entrances"], dimensions },
	});
	assert.deepEqual((response.json().data as Row[]).map((row) => Object.values(row).join(" ")).sort(), [
		"/ (direct) (none)   1",
		"/ bing cpc   1",
		"/ google organic   1",
		"/ letter email september top 1",
		"/looms google cpc   1",
	]);
});

test("Umami's visitors are those who began a visit on a day, and seconds are of the hit that ends them", async () => {
	const shop = await site("midnight");
	const hit = (visit_id: string, created_at: string, more = {}) => ({ visit_id, session_id: "1", created_at, ...more });
	const lines = [
		hit("a", "2026-10-02 00:10:00"),
		hit("a", "2026-10-01 23:50:00"),
		hit("b", "2026-10-03 10:10:00", { event_type: "2", event_name: "opened" }),
		hit("b", "2026-10-03 10:00:00"),
		hit("c", "2026-10-03 12:00:00"),
	];
	await shop.import(umamiFile([], ...lines), { source: "umami_csv" });
	const counted = async (from: string, to = from, include = "visitors") => {
		const { data } = (await shop.report(
			`/stats/overview?start_date=2026-10-${from}&end_date=2026-10-${to}&include=${include}`,
		)) as { data: { traffic: Row } };
		return [data.traffic["visitors"], data.traffic["entrances"], data.traffic["visit_duration"]];
	};
	assert.deepEqual(
		[await counted("01"), await counted("02"), await counted("03")],
		[
			[1, 1, 0],
			[0, 0, 0],
			[1, 2, 300],
		],
	);
	assert.equal((await counted("01", "03", "visit_duration"))[2], 600);
});
