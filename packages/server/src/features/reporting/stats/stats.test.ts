import assert from "node:assert/strict";
import { test } from "node:test";
import { pageviewRow } from "../../../../test/support/event-rows.ts";
import { insertRows, reportsOn } from "../../../../test/support/oracle-app.ts";
import type { EventRow } from "../../../analytics/model/event-row.ts";

type Session = Partial<EventRow> & { readonly session: string };

const spain: Session = {
	...{ session: "1", device: "mobile", browser: "Chrome", os: "Android", channel: "Organic Search" },
	...{ utm_source: "google", utm_medium: "organic", referrer: "google.com" },
	...{ landing_path: "/blog/a", landing_group: "blog" },
};
const germany: Session = {
	...{ session: "2", country: "DE", utm_source: "newsletter", utm_medium: "email", channel: "Email" },
	...{ landing_path: "/offer", landing_group: "shop" },
};
const direct: Session = { session: "3", landing_path: "/blog/b", landing_group: "blog" };
const dayBefore = { ...spain, session: "9" };

/** A hit at an hour of a day of November. */
const hit = (session: Session, [day, hour]: readonly [number, number], values: Partial<EventRow>) =>
	pageviewRow({ site: "shop", ts: Date.UTC(2026, 10, day, hour), ...session, ...values });
const entrance = (session: Session, at: readonly [number, number]) =>
	hit(session, at, { path: session.landing_path ?? "/", content_group: session.landing_group ?? "", entrance: 1 });
const sale = (session: Session, at: readonly [number, number], event_type: string, amount: number) =>
	hit(session, at, {
		...{ kind: "conversion", page_view: 0, conversion: 1, event_type, path: "/done", content_group: "checkout" },
		...{ amount, revenue: amount },
	});
const signal = (session: Session, at: readonly [number, number], event_type: string) =>
	hit(session, at, { kind: "microconversion", page_view: 0, microconversion: 1, event_type, path: "/form" });

const rows: EventRow[] = [
	entrance(spain, [20, 9]),
	hit(spain, [20, 9], { path: "/cart" }),
	hit(spain, [20, 9], { kind: "engaged", path: "/blog/a", content_group: "blog", page_view: 0, engaged: 1 }),
	sale(spain, [20, 10], "purchase", 10.5),
	sale(spain, [20, 11], "purchase", 20),
	signal(spain, [20, 11], "signup"),
	entrance(germany, [20, 12]),
	sale(germany, [20, 13], "lead", 0),
	signal(germany, [20, 13], "signup"),
	entrance(direct, [20, 14]),
	signal(direct, [20, 14], "video"),
	entrance(dayBefore, [19, 9]),
	sale(dayBefore, [19, 10], "purchase", 99),
];

/** Entrances at hours of days. */
const arrivals = Object.entries({
	...{ "2026-11-21": [9], "2026-11-20": [11, 12, 23], "2026-11-15": [1], "2026-11-14": [11, 12] },
	...{ "2025-11-22": [11, 13], "2025-11-21": [0, 12] },
}).flatMap(([date, hours]) =>
	hours.map((hour) => pageviewRow({ site: "madrid", ts: Date.parse(`${date}T12:00:00Z`), date, hour, entrance: 1 })),
);

const sites = ["shop", "large", "many", "night", "groups"].map((id) => ({ id, timezone: "UTC" }));
const here = reportsOn({
	rows: [...rows, ...arrivals],
	sites: [...sites, { id: "madrid", timezone: "Europe/Madrid" }],
});

/** The answer about 20 November. */
const ask = (url: string, days = "start_date=2026-11-20&end_date=2026-11-20", site = "shop") =>
	here.get(`/stats/${url}${url.includes("?") ? "&" : "?"}site_id=${site}&${days}`);

const perList: readonly (readonly [url: string, ...rows: string[]])[] = [
	["mediums?search=MAIL", "email 1 1 0"],
	["referrers?sort_by=revenue", "google.com 1 2 30.5", " 2 1 0"],
	["geo/countries", "ES 2 2 30.5", "DE 1 1 0"],
	["devices/types?page_size=1&page=2", "mobile 1 2 30.5"],
	["landing-pages/by-content-group", "blog 2 2 30.5", "shop 1 1 0"],
	["pages/top?limit=1&country=es&sort_by=entrances", "/blog/a 1"],
	["pages/content-groups", "blog 2", "shop 1"],
	["conversions?sort_by=avg_value&sort_order=asc", "lead 1 0", "purchase 2 30.5"],
	["conversions?conversion_type=lead&conversion_type=video", "lead 1 0"],
	["microconversions?conversion_type=video&conversion_type=lead", "video 1"],
	// Pages are those of visits with the event; reports about events choose the events themselves.
	["pages?filters=conversion_type:eq:purchase", "/blog/a 1", "/cart 0"],
	["conversions?filters=conversion_type:ne:purchase", "lead 1 0"],
];

test("each list has its key, entrances or events, conversions and revenue, searched in any case", async () => {
	for (const [url, ...expected] of perList) {
		const { data } = await ask(url);
		const found = data.map((row: Record<string, unknown>) => {
			const [key] = Object.values(row);
			const numbers = [row.entrances, row.count, row.conversions, row.revenue];
			return [key, ...numbers.filter((number) => number !== undefined)].join(" ");
		});
		assert.deepEqual(found, expected, url);
	}
});

test("a page is a row for each of its content groups, or one row with include_content_group=false", async () => {
	const view = (session: string, content_group: string, more: Partial<EventRow> = {}) =>
		hit({ session, landing_group: content_group }, [20, 9], { site: "groups", content_group, ...more });
	await insertRows(here.store, [view("1", "a", { entrance: 1 }), view("2", "b", { entrance: 1 }), view("2", "b")]);
	const rowsOf = async (url: string) => {
		const { data, total } = await ask(url, undefined, "groups");
		return [data.map((row: Record<string, unknown>) => Object.values(row).slice(0, 3).join(" ")), total];
	};
	assert.deepEqual(await rowsOf("pages"), [["/ b 2", "/ a 1"], 2]);
	assert.deepEqual(await rowsOf("pages?include_content_group=false"), [["/ 3 2"], 1]);
	assert.deepEqual(await rowsOf("pages?include_content_group=false&content_grouping=b"), [["/ 2 1"], 1]);
	assert.deepEqual(await rowsOf("landing-pages?include_content_group=false"), [["/ 2 0"], 1]);
	assert.deepEqual(await rowsOf("landing-pages/top?include_content_group=false"), [["/ 2 0"], undefined]);
});

test("lists inside rows are whole, however many types of event a site has", async () => {
	// 60 types with 120 sources each, the source s0 twice: more than are asked for beside a page.
	await here.store.command(`
		INSERT INTO events (site, date, ts, session, kind, event_type, utm_source, country, conversion)
		SELECT 'many', '2026-11-20', toDateTime64('2026-11-20 10:00:00', 3, 'UTC'), number, 'conversion',
			't' || leftPad(toString(number % 60), 2, '0'), 's' || intDiv(number, 60) % 120, 'ES', 1
		FROM numbers(7260)`);
	const { data, total } = await ask("conversions?page_size=20&page=3", "period=7d", "many");
	assert.deepEqual([total, data[0].conversion_type, data[19].conversion_type], [60, "t40", "t59"]);
	for (const { count, by_source, by_country } of data) {
		assert.deepEqual([count, by_source.length, by_country[0].conversions], [121, 100, 121]);
		assert.deepEqual([by_source[0].utm_source, by_source[0].conversions], ["s0", 2]);
	}
});

test("the overview of a day with series by the hour; a conversion without an amount does not lower the order value", async () => {
	const { data } = await ask("overview?compare=previous");
	const { entrances, page_views, bounce_rate, pages_per_session } = data.traffic;
	assert.deepEqual([entrances, page_views, bounce_rate, pages_per_session], [3, 4, 66.67, 1.33]);
	const { conversions, revenue, average_order_value, conversion_rate } = data.conversions;
	assert.deepEqual([conversions, revenue, average_order_value, conversion_rate], [3, 30.5, 15.25, 100]);
	assert.deepEqual([data.traffic_change.entrances, data.conversions_change.revenue], [1, 99]);
	const { points, total, average } = data.page_views_series;
	assert.deepEqual([points.length, total, average], [24, 4, 0.17]);
	assert.deepEqual(points[9], { date: "2026-11-20", hour: 9, day_of_week: 5, value: 2 });
	assert.equal(data.entrances_series_compare.points[0].date, "2026-11-19");
});

test("a series by the hour covers 92 days, others as many as a report", async () => {
	const series = async (start: string, granularity: string) => {
		const url = `/stats/overview?site_id=shop&start_date=${start}&end_date=2026-11-20&granularity=${granularity}`;
		return (await here.app.inject({ url })).json();
	};
	assert.equal((await series("2026-08-21", "hourly")).data.entrances_series.points.length, 92 * 24);
	const message = "A series by the hour covers at most 92 days: choose fewer, or granularity=daily";
	assert.deepEqual((await series("2026-08-20", "hourly")).error, { code: "bad_request", message });
	for (const granularity of ["daily", "auto"]) assert.ok((await series("2026-08-20", granularity)).data, granularity);
});

test("revenue is the same to the last of four decimals in every report, however large", async () => {
	const amounts = [1_000_000_000_000, 2_000_000_000, 200.0132, 1000.0801];
	// Earlier, on the way down again.
	const undone = [-99_999_999_999_999, 99_999_999_999_999, 0.0001];
	const sold = (first: number) => (amount: number, index: number) => ({
		...sale(direct, [first + index, 10], "order", amount),
		site: "large",
	});
	await insertRows(here.store, [...amounts.map(sold(16)), ...undone.map(sold(10))]);
	const whole = 1_002_000_001_200.0933;
	const report = (url: string) => ask(url, "start_date=2026-11-16&end_date=2026-11-19", "large");
	for (const series of ["granularity=daily", "granularity=hourly", "compare=previous"]) {
		const { data } = await report(`overview?${series}`);
		assert.deepEqual([data.conversions.revenue, data.revenue_series.total], [whole, whole], series);
	}
	const { totals, data } = await report("sources?include_totals=true");
	const devices = (await report("devices")).data.by_device;
	assert.deepEqual([totals.revenue, data[0].revenue, devices[0].revenue], [whole, whole, whole]);
	const left = await ask("overview?granularity=daily", "start_date=2026-11-10&end_date=2026-11-12", "large");
	assert.deepEqual([left.data.conversions.revenue, left.data.revenue_series.total], [0.0001, 0.0001]);
});

test("a visit that goes on after midnight belongs to both days with its event; imported sums belong to no visit", async () => {
	const imported = { ...direct, session: "0", import_id: "one", event_type: "late", conversion: 5, hour: 255 };
	await insertRows(
		here.store,
		[entrance(direct, [1, 23]), sale(direct, [2, 0], "late", 0), { ...entrance(imported, [1, 12]), entrance: 5 }].map(
			(row) => ({ ...row, site: "night" }),
		),
	);
	for (const [day, ...expected] of [
		["2026-11-01", 1, 0, 0],
		["2026-11-02", 0, 1, 1],
	] as const) {
		const url = "sources?compare=previous&filters=conversion_type:eq:late";
		const { data } = await ask(url, `start_date=${day}&end_date=${day}`, "night");
		const found = data.map((row: Record<string, number>) => [row.entrances, row.conversions, row.entrances_prev]);
		assert.deepEqual(found, [expected], day);
	}
});

/** Queries with the earlier entrances until the hour of the clock, 12:30 on Saturday 21 November 2026, and all of them. */
const elapsed: readonly (readonly [string, number, number])[] = [
	["period=today&compare=previous", 1, 3],
	["period=today&compare=yoy", 1, 2],
	// The week runs until Sunday: the day that corresponds to today is the Saturday before.
	["period=this_week&compare=previous", 1, 3],
	// Nothing corresponds to today in a range of another length, and a range of the past does not run.
	["period=today&compare=custom&compare_start=2026-11-14&compare_end=2026-11-15", 3, 3],
	["start_date=2026-11-20&end_date=2026-11-20&compare=custom&compare_start=2026-11-14&compare_end=2026-11-14", 2, 2],
	["start_date=2026-11-21&end_date=2026-11-22&compare=yoy", 1, 4],
];

test("aligned by what has passed, a comparison counts the part of the earlier days that corresponds", async () => {
	const earlierOf = async (query: string) => (await ask("overview", query, "madrid")).data.traffic_change.entrances;
	for (const [index, [query, cut, whole]] of elapsed.entries()) {
		// Under a condition figures are made of rows in one statement, without one of days that are held ready.
		const asked = index % 2 === 0 ? query : `${query}&country=ES`;
		const found = [await earlierOf(`${asked}&compare_align=elapsed`), await earlierOf(asked)];
		assert.deepEqual(found, [cut, whole], asked);
	}
});

const refused: Readonly<Record<string, string>> = {
	"sources?country=ES&country=Spain": "country",
	"sources?compare=custom": "compare_start",
	"overview?filters=path:not_regex:(\\pL{30}\\pN{30}){15}": "filters",
	"pages/top?country=ES&country=FR": "country",
	// Visits last, pages do not.
	"pages?include=visit_duration": "include.0",
	"pages/top?include=visit_duration": "include.0",
};

test("parameters that do not go together, and values that no report takes, answer 422 on their field", async () => {
	for (const [url, field] of Object.entries(refused)) {
		const response = await here.app.inject({ url: `/stats/${url}&site_id=shop` });
		assert.deepEqual([response.statusCode, response.json().error?.detail?.[0]?.field], [422, `query.${field}`], url);
	}
});
