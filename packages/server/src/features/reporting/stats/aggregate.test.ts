import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { createSite, type Session, signIn } from "../../../../test/support/accounts.ts";
import { pageviewRow } from "../../../../test/support/event-rows.ts";
import { insertRows } from "../../../../test/support/oracle-app.ts";
import { type TestApp, testApp } from "../../../../test/support/test-app.ts";
import type { EventRow } from "../../../analytics/model/event-row.ts";

let app: TestApp;
let admin: Session;
let auckland: string;
let madrid: string;
let empty: string;

const google = { utm_source: "google", utm_medium: "organic", landing_path: "/offer", path: "/offer" };

before(async () => {
	// 03:00 of the 22nd in Auckland, 15:00 of the 21st in Madrid.
	app = await testApp({ now: "2026-11-21T14:00:00.000Z" });
	admin = await signIn(app, { email: "root@example.com", role: "superadmin" });
	const owner = await signIn(app, { email: "owner@example.com" });
	auckland = await createSite(app, owner, { name: "Kiwi", timezone: "Pacific/Auckland" });
	madrid = await createSite(app, owner, { name: "Tienda", timezone: "Europe/Madrid" });
	empty = await createSite(app, owner, { name: "Empty" });
	const row = (site: string, date: string, own: Partial<EventRow>) =>
		pageviewRow({ site, ts: Date.parse(`${date}T10:00:00Z`), date, hour: 10, page_view: 0, ...own });
	const entrance = { entrance: 1, page_view: 1 } as const;
	await insertRows(app.eventStore, [
		row(auckland, "2026-11-21", { ...entrance, ...google, content_group: "home", landing_group: "home" }),
		row(auckland, "2026-11-21", { kind: "engaged", engaged: 1, ...google, landing_group: "home" }),
		row(auckland, "2026-11-21", { page_view: 1, ...google, path: "/", landing_group: "home" }),
		row(auckland, "2026-11-22", { ...entrance, device: "mobile", country: "NZ" }),
		row(madrid, "2026-11-21", { ...entrance, ...google, landing_group: "home" }),
		row(madrid, "2026-11-21", {
			...google,
			kind: "conversion",
			event_type: "purchase",
			conversion: 1,
			revenue: 20.5,
			landing_group: "home",
		}),
		row(madrid, "2026-11-22", { kind: "microconversion", event_type: "scroll", microconversion: 1 }),
		row(madrid, "2026-11-20", { ...entrance }),
	]);
});
after(() => app.close());

async function get(route: string, query: string) {
	const url = `/api/v1/stats/aggregate/${route}?${query}`;
	const response = await app.inject({ url, headers: admin.headers });
	return { status: response.statusCode, body: response.json() };
}

const two = () => `account_ids=${auckland}&account_ids=${madrid}`;
const both = () => `${two()}&start_date=2026-11-21&end_date=2026-11-22`;

const routes = ["overview", "pages", "mediums", "sources", "geo/countries", "devices", "landing-pages", "conversions"];

test("at least two different sites are needed, and all of them must exist", async () => {
	for (const route of routes) {
		assert.equal((await get(route, `account_ids=${madrid}`)).status, 400, route);
		assert.equal((await get(route, `account_ids=${madrid}&account_ids[]=${madrid}`)).status, 400, route);
		const unknown = await get(route, `${two()}&account_ids=nowhere`);
		assert.deepEqual([unknown.status, unknown.body.error.code], [404, "account_not_found"], route);
		const missing = await get(route, "");
		assert.deepEqual([missing.status, missing.body.error.detail[0].field], [422, "query.account_ids"], route);
	}
});

const zero = {
	entrances: 0,
	engaged_entrances: 0,
	page_views: 0,
	microconversions: 0,
	conversions: 0,
	revenue: 0,
	bounce_rate: 0,
};

test("the overview adds the sites up, shows each one and compares with earlier days", async () => {
	const query = `${both()}&account_ids=${empty}&include_per_account=true&compare=previous`;
	const { body } = await get("overview", query);
	assert.equal(body.success, true);
	const series = (metric: string, ...values: number[]) => ({
		metric,
		points: values.map((value, index) => ({ date: `2026-11-${21 + index}`, value })),
		total: values.reduce((sum, value) => sum + value, 0),
	});
	const total = {
		entrances: 3,
		engaged_entrances: 1,
		page_views: 4,
		microconversions: 1,
		conversions: 1,
		revenue: 20.5,
		bounce_rate: 66.67,
	};
	assert.deepEqual(body.data, {
		account_ids: [auckland, madrid, empty],
		account_count: 3,
		date_range: { start_date: "2026-11-21", end_date: "2026-11-22" },
		traffic: {
			account_count: 2,
			...total,
			pages_per_session: 1.33,
			conversion_rate: 33.33,
			by_account: [
				{
					account_id: auckland,
					...zero,
					entrances: 2,
					engaged_entrances: 1,
					page_views: 3,
					bounce_rate: 50,
					conversion_rate: 0,
				},
				{
					account_id: madrid,
					...total,
					entrances: 1,
					engaged_entrances: 0,
					page_views: 1,
					bounce_rate: 100,
					conversion_rate: 100,
				},
				{ account_id: empty, ...zero, conversion_rate: 0 },
			],
		},
		conversions: {
			conversions: 1,
			revenue: 20.5,
			microconversions: 1,
			conversion_rate: 33.33,
			average_order_value: 20.5,
		},
		comparison: {
			date_range: { start_date: "2026-11-19", end_date: "2026-11-20" },
			...zero,
			entrances: 1,
			page_views: 1,
			bounce_rate: 100,
			conversion_rate: 0,
		},
		entrances_series: series("entrances", 2, 1),
		page_views_series: series("page_views", 3, 1),
		conversions_series: series("conversions", 1, 0),
	});
});

test("the overview leaves out what is not asked for", async () => {
	const { body } = await get("overview", `${both()}&include_series=false&compare=none`);
	assert.deepEqual(Object.keys(body.data), ["account_ids", "account_count", "date_range", "traffic", "conversions"]);
	assert.equal(body.data.traffic.by_account, undefined);
});

test("dates are those of the first site's time zone", async () => {
	const kiwi = await get("overview", `account_ids=${auckland}&account_ids=${madrid}&period=today`);
	assert.deepEqual(kiwi.body.data.date_range, { start_date: "2026-11-22", end_date: "2026-11-22" });
	const spain = await get("overview", `account_ids=${madrid}&account_ids=${auckland}&period=today`);
	assert.deepEqual(spain.body.data.date_range, { start_date: "2026-11-21", end_date: "2026-11-21" });
	assert.equal(spain.body.data.traffic.entrances, 2);
});

test("every list tells how many sites a row is found on", async () => {
	const rows = async (route: string, query = "") => (await get(route, `${both()}&${query}`)).body.data;
	const shared = { ...zero, account_count: 2, entrances: 2, engaged_entrances: 1, bounce_rate: 50 };
	const sold = { conversions: 1, revenue: 20.5 };
	const single = { ...zero, account_count: 1, entrances: 1, page_views: 1, bounce_rate: 100 };
	const organic = { ...shared, ...sold, page_views: 3, conversion_rate: 50 };
	const direct = { ...single, account_count: 2, microconversions: 1, conversion_rate: 0 };
	assert.deepEqual(await rows("sources"), [
		{ name: "google", utm_source: "google", utm_medium: null, utm_campaign: null, ...organic },
		{ name: "(direct)", utm_source: "(direct)", utm_medium: null, utm_campaign: null, ...direct },
	]);
	assert.deepEqual(await rows("mediums", "sort_order=asc"), [
		{ name: "(none)", utm_source: null, utm_medium: "(none)", utm_campaign: null, ...direct },
		{ name: "organic", utm_source: null, utm_medium: "organic", utm_campaign: null, ...organic },
	]);
	assert.deepEqual(await rows("geo/countries", "page_size=1&page=2"), [
		{ country: "NZ", country_name: "New Zealand", ...single },
	]);
	assert.deepEqual(await rows("devices"), [
		{
			name: "desktop",
			percentage: 66.67,
			conversion_rate: 50,
			...zero,
			entrances: 2,
			engaged_entrances: 1,
			page_views: 3,
			microconversions: 1,
			...sold,
			bounce_rate: 50,
		},
		{ name: "mobile", percentage: 33.33, conversion_rate: 0, ...zero, entrances: 1, page_views: 1, bounce_rate: 100 },
	]);
	assert.deepEqual((await rows("pages", "utm_source=google"))[0], {
		path: "/offer",
		content_grouping: "",
		account_count: 2,
		entrances: 1,
		engaged_entrances: 1,
		page_views: 1,
		conversions: 1,
		bounce_rate: 0,
	});
	assert.deepEqual((await rows("landing-pages"))[0], {
		landing_page: "/offer",
		content_grouping: "home",
		account_count: 2,
		entrances: 2,
		engaged_entrances: 1,
		bounce_rate: 50,
		microconversions: 0,
		conversions: 1,
		conversion_rate: 50,
		revenue: 20.5,
	});
	assert.deepEqual(await rows("conversions"), [
		{ conversion_type: "purchase", account_count: 1, count: 1, revenue: 20.5, avg_value: 20.5 },
	]);
});

test("lists are paginated and sorted by their own figures", async () => {
	const page = await get("sources", `${both()}&page=2&page_size=1&sort_by=page_views&sort_order=asc`);
	assert.deepEqual(
		[page.body.data.length, page.body.data[0].name, page.body.total, page.body.has_next, page.body.has_prev],
		[1, "google", 2, false, true],
	);
	const past = await get("sources", `${both()}&page=9`);
	assert.deepEqual([past.body.data, past.body.total], [[], 2]);
	const cases: [string, string][] = [
		["sources", "sort_by=count"],
		["conversions", "sort_by=entrances"],
		["pages", "page_size=101"],
		["overview", "compare=sometimes"],
		["overview", "compare_start=2026-11-01"],
		["overview", "country=Spain"],
	];
	for (const [route, wrong] of cases) {
		const { status, body } = await get(route, `${both()}&${wrong}`);
		assert.deepEqual([status, body.error.detail[0].field], [422, `query.${wrong.split("=")[0]}`], wrong);
	}
});

test("a visit with an event is one of its own site", async () => {
	const { body } = await get("overview", `${both()}&filters=conversion_type:eq:purchase&include_per_account=true`);
	const { entrances, conversions, microconversions, by_account } = body.data.traffic;
	assert.deepEqual([entrances, conversions, microconversions], [1, 1, 1]);
	assert.deepEqual(
		by_account.map((row: { account_id: string; entrances: number }) => [row.account_id, row.entrances]),
		[
			[auckland, 0],
			[madrid, 1],
		],
	);
	const written = encodeURIComponent(
		'{"conditions":[{"field":"conversion_type","operator":"neq","value":"Purchase"}]}',
	);
	const without = await get("overview", `${both()}&segment_filters=${written}`);
	assert.equal(without.body.data.traffic.entrances, 2);
});
