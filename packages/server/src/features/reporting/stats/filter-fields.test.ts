import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { createSite, type Session, signIn } from "../../../../test/support/accounts.ts";
import { pageviewRow } from "../../../../test/support/event-rows.ts";
import { sendHits } from "../../../../test/support/hits.ts";
import { insertRows } from "../../../../test/support/oracle-app.ts";
import { type TestApp, testApp } from "../../../../test/support/test-app.ts";

let app: TestApp;
let ann: Session;
let site: string;

/** Ann looks at two pages and buys, Bob reads and signs up, Cy only comes by: three visits, four page views, two events. */
before(async () => {
	app = await testApp();
	ann = await signIn(app);
	site = await createSite(app, ann, { timezone: "Europe/Madrid" });
	const from = (ip: string, path: string, more: object = {}) => ({
		site,
		ip,
		url: `https://shop.example${path}`,
		...more,
	});
	const within = { referrer: "https://shop.example/" };
	await sendHits(app, [
		from("203.0.113.1", "/", { referrer: "https://partner.example/x", group: "home" }),
		from("203.0.113.1", "/cart", within),
		from("203.0.113.1", "/done", { ...within, event: "purchase", amount: 12.99 }),
		from("203.0.113.2", "/blog/a?utm_source=mail&utm_medium=email", { group: "blog" }),
		from("203.0.113.2", "/blog/a", { ...within, group: "blog", event: "signup", isMicro: true }),
		from("203.0.113.3", "/pricing"),
	]);
});
after(() => app.close());

async function ask(path: string) {
	const url = `/api/v1/stats/${path}${path.includes("?") ? "&" : "?"}site_id=${site}&period=today`;
	const response = await app.inject({ url, headers: ann.headers });
	assert.equal(response.statusCode, 200, response.body);
	return response.json();
}

test("pages are those of visits with the event; reports about events choose the events themselves", async () => {
	const { data: pages } = await ask("pages?filters=conversion_type:eq:purchase");
	assert.deepEqual(
		pages.map(({ path }: { path: string }) => path),
		["/", "/cart"],
	);
	const { data: signups } = await ask("microconversions?filters=conversion_type:eq:signup");
	assert.deepEqual(
		signups.map(({ conversion_type, count }: { conversion_type: string; count: number }) => [conversion_type, count]),
		[["signup", 1]],
	);
	assert.deepEqual((await ask("conversions?filters=conversion_type:ne:purchase")).data, []);
	const { data: sources } = await ask("funnel?filters=conversion_type:eq:purchase");
	assert.deepEqual(sources.totals.conversions, { purchase: 1 });
});

test("funnels are those of visits with the event, raw rows the events themselves", async () => {
	const url = `/api/v1/stats/funnel?site_id=${site}&period=today&filters=conversion_type:eq:purchase`;
	const response = await app.inject({ method: "POST", url, headers: ann.headers, payload: { steps: ["/*", "/cart"] } });
	assert.deepEqual(
		response.json().data.steps.map(({ count }: { count: number }) => count),
		[1, 1],
	);
	const raw = await ask("conversions/raw?filters=conversion_type:starts_with:pur");
	assert.equal(raw.total, 1);
});

test("a visit that goes on after midnight belongs to both days with its event; imported sums belong to no visit", async () => {
	const at = (date: string, hour: number) => ({ site, ts: Date.parse(`${date}T12:00:00Z`), date, hour });
	const visit = { session: "77" };
	await insertRows(app.eventStore, [
		pageviewRow({ ...at("2026-11-01", 23), ...visit, entrance: 1 }),
		pageviewRow({
			...at("2026-11-02", 0),
			...visit,
			kind: "conversion",
			page_view: 0,
			conversion: 1,
			event_type: "late",
		}),
		pageviewRow({
			...at("2026-11-01", 255),
			session: "0",
			import_id: "one",
			event_type: "late",
			entrance: 5,
			conversion: 5,
		}),
	]);
	const on = async (day: string) => {
		const dates = `start_date=${day}&end_date=${day}&compare=previous`;
		const url = `/api/v1/stats/sources?site_id=${site}&${dates}&filters=conversion_type:eq:late`;
		const { data } = (await app.inject({ url, headers: ann.headers })).json();
		return data.map((row: Record<string, number>) => [row.entrances, row.conversions, row.entrances_prev]);
	};
	assert.deepEqual(await on("2026-11-01"), [[1, 0, 0]]);
	assert.deepEqual(await on("2026-11-02"), [[0, 1, 1]]);
});

test("a filter that cannot be is refused where it stands", async () => {
	for (const filter of [
		"hour:eq:24",
		"hour:contains:1",
		"day_of_week:eq:0",
		"city:eq:Rome",
		"conversion_type:regex:(",
	]) {
		const url = `/api/v1/stats/overview?site_id=${site}&filters=${encodeURIComponent(filter)}`;
		const response = await app.inject({ url, headers: ann.headers });
		assert.equal(response.statusCode, 422, filter);
		assert.equal(response.json().error.detail[0].field, "query.filters");
	}
});
