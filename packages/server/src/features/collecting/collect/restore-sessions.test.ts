import assert from "node:assert/strict";
import { after, test } from "node:test";
import type { Tables } from "../../../../migrations/metadata/tables/index.ts";
import { createSite, signIn } from "../../../../test/support/accounts.ts";
import { sendHit, type TestHit } from "../../../../test/support/hits.ts";
import { newDirectory } from "../../../../test/support/new-directory.ts";
import { requestOf } from "../../../../test/support/request-of.ts";
import { lendEventStore } from "../../../../test/support/stores-on-shared-engine.ts";
import { testApp } from "../../../../test/support/test-app.ts";

const MINUTE = 60_000;
/** When the service ends and starts again. */
const NOON = Date.parse("2026-11-21T12:00:00Z");

const dataDir = newDirectory();
type Name = "alive" | "opened" | "clicks" | "goal";
/** The ids of one site a test. */
const sites: Record<Name, string> = { alive: "", opened: "", clicks: "", goal: "" };

const view = async (name: Name, path: string, more: Partial<TestHit> = {}) =>
	assert.equal(await sendHit(app, { site: sites[name], url: `https://shop.example${path}`, ...more }), 204);
const stored = async (name: Name, columns: string, where = "1") => {
	await app.collector?.flush();
	const sql = `SELECT ${columns} FROM events WHERE site = {site:String} AND ${where} ORDER BY ALL`;
	return app.eventStore.query<Record<string, unknown>>({ sql, params: { site: sites[name] } });
};
async function restart(): Promise<void> {
	const now = new Date(app.clock.now()).toISOString();
	await app.close();
	app = await testApp({ dataDir, events, now });
}

const events = await lendEventStore();
let app = await testApp({ dataDir, events });
const owner = await signIn(app);
for (const name of ["alive", "opened", "clicks"] as const) sites[name] = await createSite(app, owner, { name });
/** On the plan free, which counts events as they are taken. */
const buyer = await signIn(app, { email: "gil@example.com", name: "Gil" });
sites.goal = await createSite(app, buyer);
const order = { name: "Order", kind: "page", pattern: "/thank-you", conversion_type: "order", amount: 12.5 };
const change = requestOf(`PATCH /sites/${sites.goal}`, { headers: buyer.headers, body: { goals: [order] } });
assert.equal((await app.inject(change)).statusCode, 200);
const organizations = app.metadata.withTables<Tables>().updateTable("organizations").set({ plan_tier: "free" });
await organizations.where("slug", "=", "gil").execute();
await app.sites.refresh();
const at = (moment: number) => app.clock.set(new Date(moment).toISOString());

at(NOON - 3430 * MINUTE);
await view("alive", "/screen");
for (let minutes = 3405; minutes > 0; minutes -= 25) {
	at(NOON - minutes * MINUTE);
	await view("alive", "/screen", { event: "alive", isMicro: true });
}
await view("goal", "/thank-you");
await view("opened", "/", { event: "signup" });
await view("clicks", "/r?gclid=one&fbclid=two");
await view("clicks", "/s?gclid=three", { referrer: "https://shop.example/r" });
await view("clicks", "/t?gclid=four", { event: "signup" });
at(NOON);
await restart();
after(async () => {
	await app.close();
	await events.giveBack();
});

test("after a restart a visit that is kept alive over days goes on, and its engagement is booked on its first day", async () => {
	await view("alive", "/screen");
	assert.deepEqual(
		await stored("alive", "sum(entrance) AS entrances, sum(page_view) AS views, uniqExact(session) AS visits"),
		[{ entrances: 1, views: 2, visits: 1 }],
	);
	const engaged = await stored("alive", "toString(date) AS day, hour", "engaged = 1");
	assert.deepEqual(engaged, [{ day: "2026-11-19", hour: 2 }]);
});

test("after a restart all click ids of a hit count as seen, those within a visit too", async () => {
	for (const [index, query] of ["gclid=one", "fbclid=two", "gclid=three", "gclid=four"].entries()) {
		await view("clicks", `/again?${query}`, { ip: `198.51.100.${index}` });
	}
	const sources = await stored("clicks", "utm_source, count() AS hits", "path = '/again' GROUP BY ALL");
	assert.deepEqual(sources, [{ utm_source: "(direct)", hits: 4 }]);
});

test("after restarts a visit that an event opened has its entrance with the first page view", async () => {
	await view("opened", "/landing", { group: "offers" });
	await view("opened", "/next");
	await restart();
	await view("opened", "/last");
	assert.deepEqual(
		await stored("opened", "uniqExact(session) AS visits, sum(entrance) AS entrances, sum(engaged) AS engaged"),
		[{ visits: 1, entrances: 1, engaged: 1 }],
	);
	const landing = await stored("opened", "landing_path, landing_group", "path = '/last'");
	assert.deepEqual(landing, [{ landing_path: "/landing", landing_group: "offers" }]);
});

test("after a restart a visit does not reach its goal again, and the conversion is an event of the plan", async () => {
	await view("goal", "/thank-you");
	const rows = await stored("goal", "toString(kind) AS event, toUInt32(count()) AS rows", "1 GROUP BY event");
	const counted = { conversion: 1, engaged: 1, pageview: 2 };
	assert.deepEqual(Object.fromEntries(rows.map(({ event, rows: count }) => [event, count])), counted);
	await app.catchUp();
	const usage = await app.inject(requestOf("GET /billing/usage/current", { headers: buyer.headers }));
	assert.equal(usage.json().human_events, 3);
});
