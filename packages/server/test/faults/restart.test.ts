import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { createSite, type Session, signIn } from "../support/accounts.ts";
import { sendHit } from "../support/hits.ts";
import { newDirectory } from "../support/new-directory.ts";
import { type LentEventStore, lendEventStore } from "../support/stores-on-shared-engine.ts";
import { type TestApp, testApp } from "../support/test-app.ts";

const MINUTE = 60_000;
const NOON = "2026-11-21T12:00:00.000Z";

const dataDir = newDirectory();
let events: LentEventStore;
let app: TestApp;
let owner: Session;
let site: string;
before(async () => {
	events = await lendEventStore();
	app = await testApp({ dataDir, events, now: NOON });
	owner = await signIn(app);
});
beforeEach(async () => {
	app.clock.set(NOON);
	site = await createSite(app, owner);
});
after(async () => {
	await app.close();
	await events.giveBack();
});

async function restart(now: string): Promise<void> {
	await app.close();
	app = await testApp({ dataDir, events, now });
}

const hit = (path: string, more = {}) => sendHit(app, { site, url: `https://shop.example${path}`, ...more });

async function stored(columns: string) {
	await app.collector?.flush();
	const sql = `SELECT ${columns} FROM events WHERE site = {site:String} ORDER BY ts, kind`;
	return app.eventStore.query<Record<string, unknown>>({ sql, params: { site } });
}

test("times of conversions stay unique over a restart, and a clock that was ahead before it moves none of them", async () => {
	app.clock.set("2027-12-26T12:00:00.000Z");
	await hit("/", { event: "purchase", amount: 4 });
	app.clock.set(NOON);
	await hit("/", { event: "purchase", amount: 1 });
	await hit("/", { event: "purchase", amount: 2 });
	await restart(NOON);
	await hit("/", { event: "purchase", amount: 3 });
	assert.deepEqual(await stored("ts, amount"), [
		{ ts: "2026-11-21 12:00:00.000", amount: 1 },
		{ ts: "2026-11-21 12:00:00.001", amount: 2 },
		{ ts: "2026-11-21 12:00:00.002", amount: 3 },
		{ ts: "2027-12-26 12:00:00.000", amount: 4 },
	]);
});

test("a clock that jumps back neither loses hits nor ends sessions", async () => {
	await hit("/one");
	app.clock.set("2026-11-21T11:00:00.000Z");
	assert.equal(await hit("/two"), 204);
	app.clock.set("2026-11-21T12:00:00.000Z");
	app.clock.advance(MINUTE);
	assert.equal(await hit("/three"), 204);
	const rows = await stored("path, entrance");
	assert.deepEqual(
		rows.filter(({ entrance }) => entrance === 1),
		[{ path: "/one", entrance: 1 }],
	);
});
