import assert from "node:assert/strict";
import { test } from "node:test";
import { pageviewRow } from "../../../../test/support/event-rows.ts";
import { reportsOn } from "../../../../test/support/oracle-app.ts";
import type { Condition } from "../../../analytics/catalog/filters.ts";
import type { EventRow } from "../../../analytics/model/event-row.ts";

const site = { id: "shop", timezone: "UTC" };

const view = (session: string, time: string, path: string, own: Partial<EventRow> = {}) =>
	pageviewRow({ site: site.id, ts: Date.parse(`2026-11-${time}:00Z`), session, path, ...own });
const france = { country: "FR", landing_path: "/" };
const shoes = { landing_path: "/shoes" };
const cart = { landing_path: "/cart" };
const sale = { kind: "conversion", event_type: "purchase", page_view: 0, conversion: 1 } as const;

const rows = [
	// 1 ends at the cart; written out of order, and a sale on another page is no page view.
	view("1", "20T10:02", "/cart", france),
	view("1", "20T10:00", "/", { entrance: 1, ...france }),
	view("1", "20T10:01", "/shoes", france),
	view("1", "20T10:00", "/", { kind: "engaged", page_view: 0, engaged: 1, ...france }),
	view("1", "20T10:03", "/done", { ...sale, ...france }),
	// 2 sees one page, 3 comes back to its first one.
	view("2", "20T11:00", "/", { entrance: 1, ...france }),
	view("3", "20T12:00", "/shoes", { entrance: 1, ...shoes }),
	view("3", "20T12:01", "/", shoes),
	view("3", "20T12:02", "/shoes", shoes),
	// 4 goes on after midnight.
	view("4", "20T23:50", "/cart", { entrance: 1, ...cart }),
	view("4", "21T00:10", "/Cart/paid", cart),
	// Two page views in the same millisecond.
	view("5", "18T10:00", "/b", { entrance: 1 }),
	view("5", "18T10:00", "/a", {}),
	view("6", "18T10:00", "/", { entrance: 1, country: "FR" }),
	view("7", "18T09:00", "/old", { entrance: 1 }),
	// Rows that no report of these days counts: another site, and imported sums, which have no visits.
	view("8", "20T10:00", "/elsewhere", { site: "other" }),
	view("0", "20T10:00", "/", { import_id: "i1", entrance: 40, page_view: 90 }),
];

/** Hits of some hours of the day. */
const hours: Condition = { dimension: "hour", operator: "in", values: ["10", "12", "23"] };

const here = reportsOn({ rows, sites: [site], segments: { hours } });

const ask = (query: string) => here.get(`/stats/exit-pages?site_id=shop&${query}`);

const FRIDAY = "start_date=2026-11-20&end_date=2026-11-20";
const row = (path: string, exits: number, exit_rate: number, page_views: number) => ({
	path,
	exits,
	exit_rate,
	page_views,
});

test("a visit exits from the page of its last page view, on the day of that page view", async () => {
	assert.deepEqual(await ask(FRIDAY), {
		data: [row("/", 1, 33.33, 3), row("/cart", 1, 50, 2), row("/shoes", 1, 33.33, 3)],
		total: 3,
		page: 1,
		page_size: 50,
		has_next: false,
		has_prev: false,
	});
	const { data } = await ask("start_date=2026-11-21&end_date=2026-11-21");
	assert.deepEqual(data, [row("/Cart/paid", 1, 100, 1)]);
});

test("of page views in the same millisecond one is the last, whatever is asked for", async () => {
	const day = "start_date=2026-11-18&end_date=2026-11-18";
	const exitsOf = async (query: string) => {
		const { data } = await ask(`${day}&${query}`);
		return ["/a", "/b"].map((path) => data.find((found: { path: string }) => found.path === path).exits);
	};
	const exits = await exitsOf("");
	assert.deepEqual(exits.toSorted(), [0, 1]);
	assert.deepEqual(await exitsOf("sort_by=page_views&country=ES"), exits);
});

test("exit pages are sorted, paged, searched in any case, and added up over all pages", async () => {
	const both = "start_date=2026-11-20&end_date=2026-11-21&include_totals=true";
	const byRate = await ask(`${both}&sort_by=exit_rate&page_size=2`);
	assert.deepEqual(
		byRate.data.map(({ path }: { path: string }) => path),
		["/Cart/paid", "/cart"],
	);
	assert.deepEqual([byRate.total, byRate.has_next], [4, true]);
	assert.deepEqual(byRate.totals, { exits: 4, exit_rate: 44.44, page_views: 9 });
	const least = await ask(`${both}&sort_by=page_views&sort_order=asc&page_size=1`);
	assert.deepEqual(least.data, [row("/Cart/paid", 1, 100, 1)]);
	const found = await ask(`${both}&search=CART`);
	assert.deepEqual(found.data, [row("/Cart/paid", 1, 100, 1), row("/cart", 1, 50, 2)]);
	assert.deepEqual(found.totals, { exits: 2, exit_rate: 66.67, page_views: 3 });
	const past = await ask(`${both}&page=9`);
	assert.deepEqual([past.data, past.total, past.has_next, past.totals.exits], [[], 4, false, 4]);
});

test("filters choose visits; a filter on the hour chooses exits without moving them to another page", async () => {
	assert.deepEqual((await ask(`${FRIDAY}&country=FR`)).data, [
		row("/", 1, 50, 2),
		row("/cart", 1, 100, 1),
		row("/shoes", 0, 0, 1),
	]);
	assert.deepEqual((await ask(`${FRIDAY}&filters=path:eq:/&search=cart`)).data, [row("/cart", 1, 100, 1)]);
	// At 23:50 visit 4 was in the cart, but did not end there.
	const chosen = [row("/cart", 1, 50, 2), row("/shoes", 1, 33.33, 3), row("/", 0, 0, 2)];
	assert.deepEqual((await ask(`${FRIDAY}&segment=hours`)).data, chosen);
	assert.deepEqual((await ask(`${FRIDAY}&imports=exclude`)).total, 3);
});

test("exit pages are compared row by row, and with pages that are no exits any more in the sums", async () => {
	const { data, comparison, total } = await ask(
		`${FRIDAY}&compare=custom&compare_start=2026-11-18&compare_end=2026-11-18&search=/&page_size=1`,
	);
	assert.deepEqual(data, [{ ...row("/", 1, 33.33, 3), exits_prev: 1, exit_rate_prev: 100, page_views_prev: 1 }]);
	assert.deepEqual(comparison, { exits: 3, exit_rate: 75, page_views: 4 });
	assert.equal(total, 3);
});

test("a running day is compared with exits as they stood at that hour", async () => {
	// It is 11:30 on the 21st: of the 20th what came before 11:00 counts.
	const { data, comparison } = await ask("period=today&compare=previous&compare_align=elapsed");
	assert.deepEqual(data, [{ ...row("/Cart/paid", 1, 100, 1), exits_prev: 0, exit_rate_prev: 0, page_views_prev: 0 }]);
	assert.deepEqual(comparison, { exits: 1, exit_rate: 33.33, page_views: 3 });
});
