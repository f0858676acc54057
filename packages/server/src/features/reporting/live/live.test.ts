import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { createSite, type Session, signIn } from "../../../../test/support/accounts.ts";
import { pageviewRow } from "../../../../test/support/event-rows.ts";
import { insertRows } from "../../../../test/support/oracle-app.ts";
import { type TestApp, testApp } from "../../../../test/support/test-app.ts";
import type { EventRow } from "../../../analytics/model/event-row.ts";
import type { EventQuery } from "../../../platform/event-store/event-store.ts";

const NOW = Date.parse("2026-11-21T12:00:30.000Z");
const SECRET_VISIT = "7234567890123456789";

let app: TestApp;
let owner: Session;
let asked: EventQuery[] = [];

const google = { utm_source: "google", country: "ES", device: "mobile" } as const;
const letter = { utm_source: "letter", country: "PT", device: "desktop" } as const;
const event = { page_view: 0, event_type: "purchase" } as const;

/** A hit of the site so many seconds ago. */
const hit = (seconds: number, session: string, own: Partial<EventRow> = {}) =>
	pageviewRow({ site: "shop", ts: NOW - seconds * 1000, session, ...own });

before(async () => {
	app = await testApp({
		now: "2026-11-21T12:00:30.000Z",
		wrapEventStore: (store) => ({
			...store,
			query: (query) => {
				asked.push(query);
				return store.query(query);
			},
		}),
	});
	owner = await signIn(app);
	// Far behind UTC: its day is another one than that of the tests' clock for most of it.
	await createSite(app, owner, { name: "Shop", timezone: "Pacific/Honolulu" });
	await createSite(app, owner, { name: "Other", domains: ["other.example"] });
	await insertRows(app.eventStore, [
		hit(0, SECRET_VISIT, { ...google, path: "/cart" }),
		hit(20, SECRET_VISIT, { ...google, path: "/", entrance: 1 }),
		hit(20, SECRET_VISIT, { ...google, path: "/", kind: "engaged", page_view: 0, engaged: 1 }),
		hit(299, "2", { ...letter, path: "/", entrance: 1 }),
		hit(10, "3", { ...letter, ...event, kind: "conversion", path: "/done", amount: 5, conversion: 1, revenue: 5 }),
		hit(10, "3", { ...letter, ...event, kind: "item", path: "/done", utm_source: "items" }),
		hit(300, "4", { ...google, path: "/old", entrance: 1 }),
		hit(29 * 60 + 30, "5", { ...google, path: "/older", entrance: 1 }),
		hit(29 * 60 + 31, "6", { ...google, path: "/oldest", entrance: 1 }),
		hit(5, "0", { ...google, path: "/imported", import_id: "i1" }),
		hit(5, "7", { ...google, path: "/imported-visit", import_id: "i1" }),
		hit(-60, "8", { ...google, path: "/tomorrow" }),
		{ ...hit(0, "9", { path: "/elsewhere" }), site: "other" },
	]);
});
beforeEach(() => {
	asked = [];
});
after(() => app.close());

async function live(query = "", headers: Readonly<Record<string, string>> = owner.headers) {
	const response = await app.inject({ url: `/api/v1/stats/live?site_id=shop${query}`, headers: { ...headers } });
	return { status: response.statusCode, text: response.body, body: response.json() };
}

test("the visits of the last five minutes by page, source, country and device, and thirty minutes one by one", async () => {
	const { status, body, text } = await live("&imports=exclude");
	assert.equal(status, 200, text);
	const { now, minutes, ...lists } = body.data;
	assert.deepEqual(now, { active_visits: 3, window_minutes: 5 });
	assert.deepEqual(lists, {
		pages: [
			{ path: "/", active_visits: 2 },
			{ path: "/cart", active_visits: 1 },
			{ path: "/done", active_visits: 1 },
		],
		sources: [
			{ source: "letter", active_visits: 2 },
			{ source: "google", active_visits: 1 },
		],
		countries: [
			{ country: "PT", active_visits: 2 },
			{ country: "ES", active_visits: 1 },
		],
		devices: [
			{ device: "desktop", active_visits: 2 },
			{ device: "mobile", active_visits: 1 },
		],
	});
	assert.equal(minutes.length, 30);
	assert.deepEqual(
		minutes.filter(({ page_views }: { page_views: number }) => page_views > 0),
		[
			{ at: "2026-11-21T11:31:00.000Z", page_views: 1, entrances: 1 },
			{ at: "2026-11-21T11:55:00.000Z", page_views: 2, entrances: 2 },
			{ at: "2026-11-21T12:00:00.000Z", page_views: 2, entrances: 1 },
		],
	);
	assert.equal(minutes[0].at, "2026-11-21T11:31:00.000Z");
	assert.equal(minutes[29].at, "2026-11-21T12:00:00.000Z");
});

test("imported visits count unless they are left out", async () => {
	const { body } = await live();
	assert.equal(body.data.now.active_visits, 4);
	assert.deepEqual(
		body.data.pages.map(({ path }: { path: string }) => path),
		["/", "/cart", "/done", "/imported-visit"],
	);
});

test("filters choose hits as in every report; a path is that of the hit", async () => {
	const counted = async (query: string) => (await live(`&imports=exclude&${query}`)).body.data.now.active_visits;
	assert.equal(await counted("country=PT"), 2);
	assert.equal(await counted("country=PT&country=ES"), 3);
	assert.equal(await counted("device_type=mobile&utm_source=letter"), 0);
	assert.equal(await counted("filters=path:eq:/done"), 1);
	assert.equal(await counted("filters=path:regex:^/(done|cart)$"), 2);
	const { body } = await live("&filters=path:eq:/cart&imports=exclude");
	assert.deepEqual(body.data.pages, [{ path: "/cart", active_visits: 1 }]);
});

test("a segment chooses hits; one that does not exist is not found, and an expression that the engine refuses is named", async () => {
	const created = await app.inject({
		method: "POST",
		url: "/api/v1/segments?account_id=shop",
		headers: owner.headers,
		payload: {
			name: "letters",
			display_name: "Letters",
			filters: { conditions: [{ field: "utm_source", value: "letter" }] },
		},
	});
	assert.equal(created.statusCode, 201, created.body);
	assert.equal((await live("&segment=letters")).body.data.now.active_visits, 2);
	assert.equal((await live("&segment=none")).status, 404);
	const refused = await live("&filters=os:regex:\\p{Nonsense}");
	assert.deepEqual([refused.status, refused.body.error.detail[0].field], [422, "query.filters"]);
});

test("no answer holds the id of a visit", async () => {
	const { text } = await live();
	assert.doesNotMatch(text, new RegExp(`${SECRET_VISIT}|session|visit_id`));
});

test("all who ask the same within a second are answered by one question; the next second asks anew", async () => {
	app.clock.advance(5000);
	const first = await Promise.all(Array.from({ length: 20 }, () => live("&country=ES")));
	assert.deepEqual(new Set(first.map(({ status }) => status)), new Set([200]));
	assert.equal(asked.length, 1);
	app.clock.advance(999);
	await live("&country=ES");
	assert.equal(asked.length, 1);
	await live("&country=PT");
	assert.equal(asked.length, 2);
	app.clock.advance(1);
	await live("&country=ES");
	assert.equal(asked.length, 3);
	app.clock.set("2026-11-21T12:00:30.000Z");
});

test("a question that failed is not kept", async () => {
	app.clock.advance(60_000);
	const { eventStore } = app;
	await eventStore.command("RENAME TABLE events TO events_away");
	assert.equal((await live("&browser=X")).status, 500);
	await eventStore.command("RENAME TABLE events_away TO events");
	assert.equal((await live("&browser=X")).status, 200);
	app.clock.set("2026-11-21T12:00:30.000Z");
});
