import assert from "node:assert/strict";
import { test } from "node:test";
import { pageviewRow } from "../../../../test/support/event-rows.ts";
import { insertRows, reportsOn } from "../../../../test/support/oracle-app.ts";
import type { EventRow } from "../../../analytics/model/event-row.ts";

const site = { id: "shop", timezone: "UTC" };

const at = (time: string) => Date.parse(`2026-11-20T${time}Z`);
const google = { utm_source: "google", utm_medium: "organic" };

const view = (session: string, time: string, path: string, own: Partial<EventRow> = {}) =>
	pageviewRow({ site: site.id, ts: at(time), session, path, ...own });
const micro = (session: string, time: string, event_type: string, own: Partial<EventRow> = {}) =>
	view(session, time, "/", { kind: "microconversion", event_type, page_view: 0, microconversion: 1, ...own });
const sale = (session: string, time: string, event_type: string, amount: number, own: Partial<EventRow> = {}) =>
	view(session, time, "/", {
		kind: "conversion",
		event_type,
		page_view: 0,
		conversion: 1,
		amount,
		revenue: amount,
		...own,
	});

const early = { date: "2026-11-02" };

const rows = [
	// 1 does everything, in order; written out of order.
	sale("1", "10:04:00", "purchase", 10.5, google),
	view("1", "10:00:00", "/", { entrance: 1, ...google }),
	view("1", "10:02:00", "/shop/shoes", google),
	micro("1", "10:03:00", "add_to_cart", google),
	// 2 comes to the shop before the home page.
	view("2", "10:00:00", "/shop/hats", { entrance: 1 }),
	view("2", "10:01:00", "/"),
	// 3 stops at the cart.
	view("3", "11:00:00", "/", { entrance: 1, ...google }),
	view("3", "11:01:00", "/shop/", google),
	micro("3", "11:02:00", "add_to_cart", google),
	// 4 has one page view, 5 buys without seeing anything.
	view("4", "12:00:00", "/", { entrance: 1 }),
	sale("5", "12:00:00", "purchase", -2.25),
	// The same type as a conversion, too; and an item, which is no step.
	sale("4", "12:30:00", "add_to_cart", 0),
	view("4", "12:31:00", "/", { kind: "item", event_type: "purchase", page_view: 0 }),
	// Another site, another day.
	view("1", "10:00:00", "/shop/x", { site: "other" }),
	view("9", "10:00:00", "/", { ts: Date.parse("2026-10-01T10:00:00Z"), date: "2026-10-01" }),
	// On a day of its own, an event opens a visit, on what is its landing page only afterwards.
	micro("6", "13:00:00", "sign_up", { path: "/welcome", landing_path: "", ...early }),
	view("6", "13:01:00", "/welcome", { entrance: 1, landing_path: "/welcome", ...early }),
	sale("6", "13:02:00", "join", 0, { landing_path: "/welcome", ...early }),
];

const here = reportsOn({ rows, sites: [site] });

async function funnel(steps: unknown, query = "", more: object = {}) {
	const url = `/stats/funnel?site_id=${site.id}&start_date=2026-11-15&${query}`;
	const response = await here.app.inject({ method: "POST", url, payload: { steps, ...more } });
	return { status: response.statusCode, body: response.json() };
}

const countsOf = async (steps: readonly string[], query = "") => {
	const { status, body } = await funnel(steps, query);
	assert.equal(status, 200, JSON.stringify(body));
	return body.data.steps.map(({ count }: { count: number }) => count);
};

test("a funnel counts the sessions that did its steps in order, whatever they did in between", async () => {
	const { body } = await funnel(["/", "/shop/*", "add_to_cart", "purchase"], "", { name: "Sale" });
	assert.equal(body.success, true);
	assert.deepEqual(body.data, {
		name: "Sale",
		date_range: { start_date: "2026-11-15", end_date: "2026-11-21", days: 7 },
		steps: [
			{ step_number: 1, name: "/", count: 4, conversion_rate: 100, drop_off_rate: 0 },
			{ step_number: 2, name: "/shop/*", count: 2, conversion_rate: 50, drop_off_rate: 50 },
			{ step_number: 3, name: "add_to_cart", count: 2, conversion_rate: 50, drop_off_rate: 0 },
			{ step_number: 4, name: "purchase", count: 1, conversion_rate: 25, drop_off_rate: 50 },
		],
		total_entries: 4,
		total_completions: 1,
		overall_conversion_rate: 25,
	});
});

test("a star that is not at the end stands for itself, and a path without one is the whole path", async () => {
	assert.deepEqual(await countsOf(["/sh*p/shoes", "/"]), [0, 0]);
	assert.deepEqual(await countsOf(["/shop", "/"]), [0, 0]);
});

test("an event type is a microconversion's where there is one, else a conversion's", async () => {
	assert.deepEqual(await countsOf(["/", "add_to_cart"]), [4, 2]);
	assert.deepEqual(await countsOf(["add_to_cart", "purchase"]), [2, 1]);
	assert.deepEqual(await countsOf(["no_such_type", "/"]), [0, 0]);
});

test("filters choose the sessions of a funnel", async () => {
	assert.deepEqual(await countsOf(["/", "/shop/*"], "utm_source=google"), [2, 2]);
	assert.deepEqual(await countsOf(["/", "/shop/*"], "filters=utm_medium:ne:organic"), [2, 0]);
	assert.deepEqual(await countsOf(["/", "/shop/*"], "country=FR"), [0, 0]);
});

test("under a filter on the landing page, a visit that an event opened begins with its first page view", async () => {
	const month = "period=this_month&";
	assert.deepEqual(await countsOf(["sign_up", "/welcome", "join"], month), [1, 1, 1]);
	assert.deepEqual(await countsOf(["sign_up", "/welcome", "join"], `${month}filters=path:eq:/welcome`), [0, 0, 0]);
	assert.deepEqual(await countsOf(["/welcome", "join"], `${month}filters=path:eq:/welcome`), [1, 1]);
});

test("wrong steps answer 422 on their field", async () => {
	const wrong: [unknown, string][] = [
		[undefined, "body.steps"],
		[["/"], "body.steps"],
		[Array.from({ length: 11 }, () => "/"), "body.steps"],
		["/", "body.steps"],
		[["/", 1], "body.steps.1"],
		[["/", ""], "body.steps.1"],
	];
	for (const [steps, field] of wrong) {
		const { status, body } = await funnel(steps);
		assert.deepEqual([status, body.error.detail[0].field], [422, field]);
	}
	assert.equal((await funnel(["/", "/a"], "end_date=2026-11-01")).status, 400);
});

test("a funnel without a name is a custom funnel, and ten steps are allowed", async () => {
	const { body } = await funnel(["/", "/*", "/*", "/*", "/*", "/*", "/*", "/*", "/*", "purchase"]);
	assert.equal(body.data.name, "Custom Funnel");
	assert.equal(body.data.steps.length, 10);
	assert.equal(body.data.total_completions, 0);
});

const sources = async (query: string) => (await here.get(`/stats/funnel?site_id=${site.id}&${query}`)).data;

test("the funnel by source has events and revenue by type, and the totals of all sources", async () => {
	const campaign = { utm_campaign: "", utm_term: "", utm_content: "" };
	assert.deepEqual(await sources("start_date=2026-11-20&end_date=2026-11-20"), {
		account_id: "shop",
		date_from: "2026-11-20",
		date_to: "2026-11-20",
		rows: [
			{
				utm_source: "(direct)",
				utm_medium: "(none)",
				...campaign,
				entrances: 2,
				page_views: 3,
				microconversions: {},
				conversions: { add_to_cart: 1, purchase: 1 },
				revenue: { add_to_cart: 0, purchase: -2.25 },
			},
			{
				utm_source: "google",
				utm_medium: "organic",
				...campaign,
				entrances: 2,
				page_views: 4,
				microconversions: { add_to_cart: 2 },
				conversions: { purchase: 1 },
				revenue: { purchase: 10.5 },
			},
		],
		totals: {
			entrances: 4,
			page_views: 7,
			microconversions: { add_to_cart: 2 },
			conversions: { add_to_cart: 1, purchase: 2 },
			revenue: { add_to_cart: 0, purchase: 8.25 },
		},
		microconversion_types: ["add_to_cart"],
		conversion_types: ["add_to_cart", "purchase"],
	});
});

test("totals of the funnel by source count what is beyond the thousand combinations that are listed", async () => {
	const ts = Date.parse("2026-09-01T10:00:00Z");
	const visit = (index: number) => ({ ts, date: "2026-09-01", session: String(index), utm_campaign: `c${index}` });
	await insertRows(
		here.store,
		Array.from({ length: 1100 }, (_, index) => index).flatMap((index) => [
			view("", "10:00:00", "/", { ...visit(index), entrance: 1 }),
			sale("", "10:00:00", index % 2 === 0 ? "order" : "__proto__", 0.1, visit(index)),
		]),
	);
	const { rows: listed, totals, conversion_types: types } = await sources("start_date=2026-09-01&end_date=2026-09-01");
	assert.equal(listed.length, 1000);
	assert.deepEqual([totals.entrances, totals.page_views], [1100, 1100]);
	assert.deepEqual(Object.entries(totals.conversions).sort(), [
		["__proto__", 550],
		["order", 550],
	]);
	assert.deepEqual(Object.entries(totals.revenue).sort(), [
		["__proto__", 55],
		["order", 55],
	]);
	assert.deepEqual(types, ["__proto__", "order"]);
	const one = await sources("start_date=2026-09-01&end_date=2026-09-01&utm_campaign=c1");
	assert.deepEqual(Object.entries(one.totals.revenue), [["__proto__", 0.1]]);
});

test("of more than 1,000 types the most frequent are told, wherever types are listed", async () => {
	const day = Date.parse("2026-08-01T10:00:00Z");
	const name = (index: number) => `t${String(index).padStart(4, "0")}`;
	const forged = Array.from({ length: 1002 }, (_, index) => name(index)).flatMap((type, index) =>
		// The first two are rarer than all others.
		Array.from({ length: index < 2 ? 1 : 2 }, () =>
			micro("7", "10:00:00", type, { ts: day, date: "2026-08-01", utm_source: `s${index % 2}` }),
		),
	);
	const sold = (index: number) => sale("7", "10:00:00", name(index), 1, { ts: day, date: "2026-08-01" });
	await insertRows(here.store, [...forged, ...Array.from({ length: 1001 }, (_, index) => sold(index))]);
	const days = "site_id=shop&start_date=2026-08-01&end_date=2026-08-01";
	const { data } = await here.get(`/stats/funnel?${days}`);
	const { microconversion_types: micros, conversion_types: conversions, totals } = data;
	assert.deepEqual([micros.length, micros[0], micros.at(-1)], [1000, "t0002", "t1001"]);
	// Equally frequent ones by name.
	assert.deepEqual([conversions.length, conversions.at(-1)], [1000, "t0999"]);
	for (const values of [totals.microconversions, totals.conversions, totals.revenue]) {
		assert.equal(Object.keys(values).length, 1000);
	}
	const inRows = data.rows.flatMap((row: { microconversions: object }) => Object.keys(row.microconversions));
	assert.equal(new Set(inRows).size, 1000);
	const types = (await here.get(`/stats/microconversions-types?${days}`)).data;
	assert.deepEqual(types, micros);
});
