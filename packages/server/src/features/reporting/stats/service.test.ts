import assert from "node:assert/strict";
import { after, test } from "node:test";
import { createSite, signIn } from "../../../../test/support/accounts.ts";
import { batchReports } from "../../../../test/support/batch-routes.ts";
import { pageviewRow } from "../../../../test/support/event-rows.ts";
import { sendHits } from "../../../../test/support/hits.ts";
import { insertRows } from "../../../../test/support/oracle-app.ts";
import { requestOf } from "../../../../test/support/request-of.ts";
import { testApp } from "../../../../test/support/test-app.ts";
import type { EventRow } from "../../../analytics/model/event-row.ts";
import { ServiceError } from "../../../platform/errors/service-error.ts";

let isFailing = false;

const google = { utm_source: "google", utm_medium: "organic", landing_path: "/offer", path: "/offer" };

const app = await testApp({
	// 03:00 of the 22nd in Auckland, 15:00 of the 21st in Madrid.
	now: "2026-11-21T14:00:00.000Z",
	env: { REPORT_CACHE_BYTES: "0" },
	wrapEventStore: (store) => ({
		...store,
		query: (query) =>
			isFailing ? Promise.reject(new ServiceError("database_unavailable", { retryAfter: 5 })) : store.query(query),
	}),
});
const admin = await signIn(app, { email: "root@example.com", role: "superadmin" });
const owner = await signIn(app, { email: "owner@example.com" });
const auckland = await createSite(app, owner, { name: "Kiwi", timezone: "Pacific/Auckland" });
const madrid = await createSite(app, owner, { name: "Tienda", timezone: "Europe/Madrid" });
const empty = await createSite(app, owner, { name: "Empty" });
const row = (site: string, date: string, own: Partial<EventRow>) =>
	pageviewRow({ site, ts: Date.parse(`${date}T10:00:00Z`), date, hour: 10, page_view: 0, ...own });
const entrance = { entrance: 1, page_view: 1 } as const;
const sale = { kind: "conversion", event_type: "purchase", conversion: 1, revenue: 20.5 } as const;
await insertRows(app.eventStore, [
	row(auckland, "2026-11-21", { ...entrance, ...google, content_group: "home", landing_group: "home" }),
	row(auckland, "2026-11-21", { kind: "engaged", engaged: 1, ...google, landing_group: "home" }),
	row(auckland, "2026-11-21", { page_view: 1, ...google, path: "/", landing_group: "home" }),
	row(auckland, "2026-11-22", { ...entrance, device: "mobile", country: "NZ" }),
	row(madrid, "2026-11-21", { ...entrance, ...google, landing_group: "home" }),
	row(madrid, "2026-11-21", { ...google, ...sale, landing_group: "home" }),
	row(madrid, "2026-11-22", { kind: "microconversion", event_type: "scroll", microconversion: 1 }),
	row(madrid, "2026-11-20", { ...entrance }),
]);
after(() => app.close());

async function get(route: string, query: string) {
	const url = `/api/v1/stats/aggregate/${route}?${query}`;
	const response = await app.inject({ url, headers: admin.headers });
	return response.json();
}

const two = () => `account_ids=${auckland}&account_ids=${madrid}`;
const both = () => `${two()}&start_date=2026-11-21&end_date=2026-11-22`;

const routes = ["overview", "pages", "mediums", "sources", "geo/countries", "devices", "landing-pages", "conversions"];

test("at least two different sites are needed, and all of them must exist", async () => {
	for (const route of routes) {
		for (const [sites, code] of [
			[`account_ids=${madrid}`, "bad_request"],
			[`account_ids=${madrid}&account_ids[]=${madrid}`, "bad_request"],
			[`${two()}&account_ids=nowhere`, "account_not_found"],
			["", "validation_error"],
		] as const) {
			assert.equal((await get(route, sites)).error?.code, code, `${route} ${sites}`);
		}
	}
});

test("the overview adds the sites up, shows each one and compares with earlier days", async () => {
	const query = `${both()}&account_ids=${empty}&include_per_account=true&compare=previous`;
	const { data } = await get("overview", query);
	assert.deepEqual([data.account_ids, data.account_count], [[auckland, madrid, empty], 3]);
	const { by_account, ...traffic } = data.traffic;
	assert.deepEqual(traffic, {
		...{ account_count: 2, entrances: 3, engaged_entrances: 1, page_views: 4, microconversions: 1, conversions: 1 },
		...{ revenue: 20.5, bounce_rate: 66.67, pages_per_session: 1.33, conversion_rate: 33.33 },
	});
	const entrances = by_account.map((row: Record<string, unknown>) => [row.account_id, row.entrances]);
	assert.deepEqual(Object.fromEntries(entrances), { [auckland]: 2, [madrid]: 1, [empty]: 0 });
	assert.equal(data.conversions.average_order_value, 20.5);
	const { date_range, page_views, bounce_rate } = data.comparison;
	assert.deepEqual(date_range, { start_date: "2026-11-19", end_date: "2026-11-20" });
	assert.deepEqual([page_views, bounce_rate], [1, 100]);
	const { points } = data.conversions_series;
	assert.deepEqual(points, [
		{ date: "2026-11-21", value: 1 },
		{ date: "2026-11-22", value: 0 },
	]);
	const short = (await get("overview", `${both()}&include_series=false&compare=none`)).data;
	assert.deepEqual(Object.keys(short), ["account_ids", "account_count", "date_range", "traffic", "conversions"]);
	assert.equal(short.traffic.by_account, undefined);
	const { error } = await get("overview", `${both()}&compare_start=2026-11-01`);
	assert.equal(error.detail[0].field, "query.compare_start");
});

test("dates are those of the first site's time zone", async () => {
	for (const [first, second, today] of [
		[auckland, madrid, "2026-11-22"],
		[madrid, auckland, "2026-11-21"],
	]) {
		const { data } = await get("overview", `account_ids=${first}&account_ids=${second}&period=today`);
		assert.deepEqual(data.date_range, { start_date: today, end_date: today });
	}
});

test("every list tells how many sites a row is found on", async () => {
	const rows = async (route: string, query = "") => (await get(route, `${both()}&${query}`)).data;
	const [country] = await rows("geo/countries", "page_size=1&page=2");
	assert.deepEqual([country.country, country.country_name, country.account_count], ["NZ", "New Zealand", 1]);
	const devices = await rows("devices");
	const shares = devices.map((row: Record<string, unknown>) => [row.name, row.percentage, row.revenue].join(" "));
	assert.deepEqual(shares, ["desktop 66.67 20.5", "mobile 33.33 0"]);
	assert.deepEqual((await rows("landing-pages"))[0], {
		...{ landing_page: "/offer", content_grouping: "home", account_count: 2, entrances: 2, engaged_entrances: 1 },
		...{ bounce_rate: 50, microconversions: 0, conversions: 1, conversion_rate: 50, revenue: 20.5 },
	});
	assert.deepEqual(await rows("conversions"), [
		{ conversion_type: "purchase", account_count: 1, count: 1, revenue: 20.5, avg_value: 20.5 },
	]);
});

test("a visit with an event is one of its own site", async () => {
	const { data } = await get("overview", `${both()}&filters=conversion_type:eq:purchase&include_per_account=true`);
	const { entrances, conversions, microconversions, by_account } = data.traffic;
	assert.deepEqual([entrances, conversions, microconversions], [1, 1, 1]);
	assert.deepEqual([by_account[0].entrances, by_account[1].entrances], [0, 1]);
	const written = '{"conditions":[{"field":"conversion_type","operator":"neq","value":"Purchase"}]}';
	const without = await get("overview", `${both()}&segment_filters=${encodeURIComponent(written)}`);
	assert.equal(without.data.traffic.entrances, 2);
});

// A promise that is left behind and rejects would end the process, and here the test.
test("a report whose question fails is an error of that request alone, whichever report it is", async () => {
	const ask = (path: string) =>
		app.inject({
			url: `/api/v1${path.replace("{type}", "signup")}?site_id=${madrid}&property_key=plan&compare=previous`,
			headers: admin.headers,
		});
	isFailing = true;
	for (const path of batchReports) {
		const answer = await ask(path);
		assert.deepEqual([answer.statusCode, answer.json().error.code], [503, "database_unavailable"], path);
	}
	isFailing = false;
	assert.equal((await ask("/stats/pages")).statusCode, 200);
});

/** Paths as people see them, with the stored path; each has one page view, from a visitor of its own. */
const stored = {
	"/été/": "/%C3%A9t%C3%A9/",
	"/νήματα": "/%CE%BD%CE%AE%CE%BC%CE%B1%CF%84%CE%B1",
	"/絨毯/小": "/%E7%B5%A8%E6%AF%AF/%E5%B0%8F",
	"/30%-off": "/30%-off",
	"/hand-made": "/hand-made",
	"/rugs%2Fwool": "/rugs%2Fwool",
};

test("reports, funnels and files know a path by either spelling, and by what is seen", async () => {
	const site = empty;
	const days = "start_date=2026-11-21&end_date=2026-11-21";
	await sendHits(
		app,
		Object.values(stored).map((path, n) => ({ site, url: `https://shop.example${path}`, ip: `203.0.113.${n + 1}` })),
	);
	const ask = async (route: string, body?: object) => {
		const answer = await app.inject(requestOf(route, { headers: admin.headers, body }));
		assert.ok(answer.statusCode < 300, answer.body);
		return answer;
	};
	const paths = async (report: string, parameter: string, value: string) => {
		const query = new URLSearchParams({ site_id: site, [parameter]: value });
		const { data } = (await ask(`GET /stats/${report}?${query}&${days}`)).json();
		return data.map(({ path }: { path: string }) => path);
	};
	const summer = [stored["/été/"]];
	for (const spelling of ["/été/", "/%C3%A9t%C3%A9/", "/%c3%a9t%c3%a9/"]) {
		const segment = JSON.stringify({ conditions: [{ field: "path", operator: "eq", value: spelling }] });
		for (const [report, parameter, value] of [
			["pages", "filters", `path:eq:${spelling}`],
			["pages", "filters", `landing_page:in:${spelling}`],
			["pages", "filters", `path:starts_with:${spelling}`],
			["pages", "path_filter", spelling.slice(1, -1)],
			["pages", "segment_filters", segment],
			["exit-pages", "search", spelling],
		] as const) {
			assert.deepEqual(await paths(report, parameter, value), summer, `${report} ${parameter} ${value}`);
		}
	}
	assert.deepEqual(await paths("pages", "filters", "path:contains:絨毯"), [stored["/絨毯/小"]]);
	assert.deepEqual(await paths("pages", "filters", "path:eq:/hand%2Dmade"), ["/hand-made"]);
	assert.deepEqual(await paths("pages", "filters", "path:eq:/rugs/wool"), []);
	assert.deepEqual(await paths("pages", "path_filter", "30%"), ["/30%-off"]);
	for (const step of ["/été/", "/%c3%a9t%C3%A9/", "/ét*"]) {
		const answer = await ask(`POST /stats/funnel?site_id=${site}&${days}`, { steps: [step, "/nowhere"] });
		assert.equal(answer.json().data.steps[0].count, 1, step);
	}
	// Files for people have paths as they are read, files for programs as they are stored.
	const cells = (csv: string) => Array.from(csv.matchAll(/^(\/[^,]*),/gm), ([, path]) => path).sort();
	const range = { date_from: "2026-11-21", date_to: "2026-11-21" };
	const seen = Object.keys(stored).sort();
	const query = { ...range, dimensions: ["path"], metrics: ["page_views"] };
	assert.deepEqual(cells((await ask(`POST /stats/query/export?site_id=${site}`, query)).body), seen);
	const file = async (format: string) =>
		(await ask(`POST /exports/stream?account_id=${site}`, { export_type: "pages", format, ...range })).body;
	assert.deepEqual(cells(await file("csv")), seen);
	const rows: { path: string }[] = JSON.parse(await file("json"));
	assert.deepEqual(rows.map(({ path }) => path).sort(), Object.values(stored).sort());
});
