import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { importSite } from "../../../../../test/support/import-site.ts";
import { type TestApp, testApp } from "../../../../../test/support/test-app.ts";

let app: TestApp;
before(async () => {
	app = await testApp();
});
after(() => app.close());

interface Row {
	readonly [name: string]: unknown;
}

const site = (name: string) => importSite(app, { email: `${name}@example.com`, name, timezone: "UTC" });

const columns =
	"website_id,session_id,visit_id,hostname,browser,os,device,country,url_path,url_query,referrer_path,referrer_query,referrer_domain,utm_campaign,msclkid,event_type,event_name,created_at";
/** A line of Umami's export; what is absent is empty. */
const umamiLine = (cells: Readonly<Record<string, string>>): string =>
	columns
		.split(",")
		.map((name) => ({ hostname: "shop.example", url_path: "/", event_type: "1", ...cells })[name] ?? "")
		.join(",");
const umamiFile = (order: readonly string[], ...lines: readonly string[]): string => {
	const names = columns.split(",");
	const places = [...order, ...names.filter((name) => !order.includes(name))].map((name) => names.indexOf(name));
	return [columns, ...lines].map((line) => places.map((place) => line.split(",")[place]).join(",")).join("\n");
};

test("Umami's times count with their offset, without one by the zone of the file, which is UTC unless told", async () => {
	const file = umamiFile(
		["created_at", "url_path"],
		umamiLine({ visit_id: "a", session_id: "1", url_path: "/a", created_at: "2026-10-01 22:40:00.25+00" }),
		umamiLine({ visit_id: "b", session_id: "2", url_path: "/b", created_at: "2026-10-01 22:40:00+03" }),
		umamiLine({ visit_id: "c", session_id: "3", url_path: "/c", created_at: "2026-10-01 22:40:00" }),
		umamiLine({ visit_id: "d", session_id: "4", url_path: "/d", created_at: "2026-10-02T03:40:00.000+0530" }),
	);
	for (const [name, timezone, expected] of [
		["utc", {}, { "/a": "2026-10-02", "/b": "2026-10-01", "/c": "2026-10-02", "/d": "2026-10-02" }],
		[
			"paris",
			{ timezone: "Europe/Paris" },
			{ "/a": "2026-10-02", "/b": "2026-10-01", "/c": "2026-10-01", "/d": "2026-10-02" },
		],
	] as const) {
		const shop = await importSite(app, { email: `offsets-${name}@example.com`, timezone: "Europe/Paris" });
		const { report } = await shop.import(file, { source: "umami_csv", ...timezone });
		assert.deepEqual(report["warnings"], []);
		for (const day of ["2026-10-01", "2026-10-02"]) {
			const { data } = (await shop.report(`/stats/pages?start_date=${day}&end_date=${day}`)) as {
				data: readonly Row[];
			};
			const paths = Object.entries(expected).flatMap(([path, date]) => (date === day ? [path] : []));
			assert.deepEqual(data.map(({ path }) => path).sort(), paths, `${name} ${day}`);
		}
	}
});

test("Umami's visits are attributed as hits: by query, click ids, columns and whole referrers", async () => {
	const shop = await site("arrivals");
	const at = "2026-10-01 10:00:00";
	await shop.import(
		umamiFile(
			[],
			umamiLine({
				...{ visit_id: "a", session_id: "1", created_at: at },
				url_query: "utm_source=letter&utm_medium=email&utm_content=top",
				utm_campaign: "september",
			}),
			umamiLine({
				visit_id: "b",
				session_id: "2",
				url_path: "/looms",
				url_query: "gclid=T7",
				referrer_domain: "google.com",
				created_at: at,
			}),
			umamiLine({ visit_id: "c", session_id: "3", msclkid: "M1", created_at: at }),
			umamiLine({
				visit_id: "d",
				session_id: "4",
				referrer_domain: "www.google.com",
				referrer_path: "/search",
				created_at: at,
			}),
			umamiLine({ visit_id: "e", session_id: "5", referrer_domain: "shop.example", created_at: at }),
		),
		{ source: "umami_csv" },
	);
	const response = await app.inject({
		method: "POST",
		url: `/api/v1/stats/query?site_id=${shop.site}`,
		headers: shop.ann.headers,
		payload: {
			...{ date_from: "2026-10-01", date_to: "2026-10-01", metrics: ["entrances"] },
			dimensions: ["landing_page", "utm_source", "utm_medium", "utm_campaign", "utm_content"],
		},
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
	const hit = (visit: string, created_at: string, more = {}) =>
		umamiLine({ visit_id: visit, session_id: "1", created_at, ...more });
	await shop.import(
		umamiFile(
			[],
			hit("a", "2026-10-02 00:10:00"),
			hit("a", "2026-10-01 23:50:00"),
			hit("b", "2026-10-03 10:10:00", { event_type: "2", event_name: "opened" }),
			hit("b", "2026-10-03 10:00:00"),
			hit("c", "2026-10-03 12:00:00"),
		),
		{ source: "umami_csv" },
	);
	const days = await Promise.all(
		["2026-10-01", "2026-10-02", "2026-10-03"].map(async (day) => {
			const { data } = (await shop.report(`/stats/overview?start_date=${day}&end_date=${day}&include=visitors`)) as {
				data: { traffic: Row };
			};
			const { visitors, entrances, visit_duration } = data.traffic;
			return [visitors, entrances, visit_duration];
		}),
	);
	assert.deepEqual(days, [
		[1, 1, 0],
		[0, 0, 0],
		[1, 2, 300],
	]);
	const { data } = (await shop.report(
		`/stats/overview?start_date=2026-10-01&end_date=2026-10-03&include=visit_duration`,
	)) as { data: { traffic: Row } };
	assert.equal(data.traffic["visit_duration"], 600);
});
