import assert from "node:assert/strict";
import { test } from "node:test";
import { pageviewRow } from "../../../../test/support/event-rows.ts";
import { insertRows, reportsOn } from "../../../../test/support/oracle-app.ts";
import type { EventRow } from "../../../analytics/model/event-row.ts";

const google = { utm_source: "google", utm_medium: "organic" };

const view = (session: string, time: string, path: string, own: Partial<EventRow> = {}) =>
	pageviewRow({ site: "shop", ts: Date.parse(`2026-11-20T${time}:00Z`), session, path, ...own });
const micro = (session: string, time: string, event_type: string, own: Partial<EventRow> = {}) =>
	view(session, time, "/", { kind: "microconversion", event_type, page_view: 0, microconversion: 1, ...own });
const sale = (session: string, time: string, event_type: string, amount: number, own: Partial<EventRow> = {}) =>
	view(session, time, "/", {
		...{ kind: "conversion", event_type, page_view: 0, conversion: 1, amount, revenue: amount },
		...own,
	});

const early = { date: "2026-11-02" };

const rows = [
	// 1 does everything, in order; written out of order.
	sale("1", "10:04", "purchase", 10.5, google),
	view("1", "10:00", "/", { entrance: 1, ...google }),
	view("1", "10:02", "/shop/shoes", google),
	micro("1", "10:03", "add_to_cart", google),
	// 2 comes to the shop before the home page.
	view("2", "10:00", "/shop/hats", { entrance: 1 }),
	view("2", "10:01", "/"),
	// 3 stops at the cart.
	view("3", "11:00", "/", { entrance: 1, ...google }),
	view("3", "11:01", "/shop/", google),
	micro("3", "11:02", "add_to_cart", google),
	// 4 has one page view, 5 buys without seeing anything.
	view("4", "12:00", "/", { entrance: 1 }),
	sale("5", "12:00", "purchase", -2.25),
	// The same type as a conversion, too; and an item, which is no step.
	sale("4", "12:30", "add_to_cart", 0),
	view("4", "12:31", "/", { kind: "item", event_type: "purchase", page_view: 0 }),
	// Another site, another day.
	view("1", "10:00", "/shop/x", { site: "other" }),
	view("9", "10:00", "/", { ts: Date.parse("2026-10-01T10:00:00Z"), date: "2026-10-01" }),
	// On a day of its own, an event opens a visit, on what is its landing page only afterwards.
	micro("6", "13:00", "sign_up", { path: "/welcome", landing_path: "", ...early }),
	view("6", "13:01", "/welcome", { entrance: 1, landing_path: "/welcome", ...early }),
	sale("6", "13:02", "join", 0, { landing_path: "/welcome", ...early }),
];

const here = reportsOn({ rows, sites: [{ id: "shop", timezone: "UTC" }] });

async function funnel(steps: unknown, query = "", more: object = {}) {
	const url = `/stats/funnel?site_id=shop&start_date=2026-11-15&${query}`;
	const response = await here.app.inject({ method: "POST", url, payload: { steps, ...more } });
	return response.json();
}

test("a funnel counts the sessions that did its steps in order, whatever they did in between", async () => {
	const { data } = await funnel(["/", "/shop/*", "add_to_cart", "purchase"], "", { name: "Sale" });
	assert.deepEqual(data, {
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
	const ten = (await funnel(["/", ...Array(8).fill("/*"), "purchase"])).data;
	assert.deepEqual([ten.name, ten.steps.length, ten.total_completions], ["Custom Funnel", 10, 0]);
	for (const steps of [undefined, ["/"]]) {
		const { error } = await funnel(steps);
		assert.deepEqual([error.code, error.detail[0].field], ["validation_error", "body.steps"]);
	}
});

const month = "period=this_month";
const narrowed: readonly (readonly [steps: string, query: string, ...counts: number[]])[] = [
	// A star that is not at the end stands for itself.
	["/sh*p/shoes /", "", 0, 0],
	// An event type is a microconversion's where there is one, else a conversion's.
	["/ add_to_cart", "", 4, 2],
	["/ /shop/*", "utm_source=google", 2, 2],
	["/ /shop/*", "filters=utm_medium:ne:organic", 2, 0],
	["/ /shop/*", "filters=conversion_type:eq:purchase", 1, 1],
	// Under a filter on the landing page, a visit that an event opened begins with its first page view.
	["sign_up /welcome join", month, 1, 1, 1],
	["sign_up /welcome join", `${month}&filters=path:eq:/welcome`, 0, 0, 0],
	["/welcome join", `${month}&filters=path:eq:/welcome`, 1, 1],
];

test("steps are paths with a star at their end or types of events, and filters choose the sessions of a funnel", async () => {
	for (const [steps, query, ...expected] of narrowed) {
		const { data } = await funnel(steps.split(" "), query);
		const counts = data.steps.map(({ count }: { count: number }) => count);
		assert.deepEqual(counts, expected, `${steps} ${query}`);
	}
});

const sources = async (day: string, more = "") =>
	(await here.get(`/stats/funnel?site_id=shop&start_date=${day}&end_date=${day}${more}`)).data;

test("totals of the funnel by source count what is beyond the thousand combinations that are listed", async () => {
	const ts = Date.parse("2026-09-01T10:00:00Z");
	const visits = Array.from({ length: 1100 }, (_, index) => {
		const visit = { ts, date: "2026-09-01", session: String(index), utm_campaign: `c${index}` };
		const type = index % 2 === 0 ? "order" : "__proto__";
		return [view("", "10:00", "/", { ...visit, entrance: 1 }), sale("", "10:00", type, 0.1, visit)];
	});
	await insertRows(here.store, visits.flat());
	const { rows: listed, totals, conversion_types: types } = await sources("2026-09-01");
	assert.deepEqual([listed.length, totals.entrances, totals.page_views], [1000, 1100, 1100]);
	const sorted = (sums: object) => Object.entries(sums).sort();
	const perType = (sum: number) => ["__proto__", "order"].map((type) => [type, sum]);
	assert.deepEqual([sorted(totals.conversions), sorted(totals.revenue)], [perType(550), perType(55)]);
	assert.deepEqual(types, ["__proto__", "order"]);
	const one = await sources("2026-09-01", "&utm_campaign=c1");
	assert.deepEqual(Object.entries(one.totals.revenue), [["__proto__", 0.1]]);
});

test("of more than 1,000 types the most frequent are told, wherever types are listed", async () => {
	const on = { ts: Date.parse("2026-08-01T10:00:00Z"), date: "2026-08-01" };
	const name = (index: number) => `t${String(index).padStart(4, "0")}`;
	const forged = Array.from({ length: 1002 }, (_, index) => {
		const one = micro("7", "10:00", name(index), { ...on, utm_source: `s${index % 2}` });
		// The first two are rarer than all others.
		return index < 2 ? [one] : [one, one];
	});
	const sold = Array.from({ length: 1001 }, (_, index) => sale("7", "10:00", name(index), 1, on));
	await insertRows(here.store, [...forged.flat(), ...sold]);
	const { rows: listed, microconversion_types, conversion_types, totals } = await sources("2026-08-01");
	const ends = [microconversion_types.length, microconversion_types[0], microconversion_types.at(-1)];
	assert.deepEqual(ends, [1000, "t0002", "t1001"]);
	// Equally frequent ones by name.
	assert.deepEqual([conversion_types.length, conversion_types.at(-1)], [1000, "t0999"]);
	for (const values of [totals.microconversions, totals.conversions, totals.revenue]) {
		assert.equal(Object.keys(values).length, 1000);
	}
	const inRows = listed.flatMap((row: { microconversions: object }) => Object.keys(row.microconversions));
	assert.equal(new Set(inRows).size, 1000);
	const days = "start_date=2026-08-01&end_date=2026-08-01";
	const types = (await here.get(`/stats/microconversions-types?site_id=shop&${days}`)).data;
	assert.deepEqual(types, microconversion_types);
});

test("of page views in the same millisecond one is the last, whatever is asked for", async () => {
	const at = { date: "2026-10-20", entrance: 1 } as const;
	await insertRows(here.store, [
		view("5", "10:00", "/b", at),
		view("5", "10:00", "/a", at),
		view("6", "10:00", "/", at),
	]);
	const exitsOf = async (query: string) => {
		const days = "start_date=2026-10-20&end_date=2026-10-20";
		const { data } = await here.get(`/stats/exit-pages?site_id=shop&${days}&${query}`);
		return ["/a", "/b"].map((path) => data.find((found: { path: string }) => found.path === path).exits);
	};
	const exits = await exitsOf("");
	assert.deepEqual(exits.toSorted(), [0, 1]);
	assert.deepEqual(await exitsOf("sort_by=page_views&country=ES"), exits);
});
