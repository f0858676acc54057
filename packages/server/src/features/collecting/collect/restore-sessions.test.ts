import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { createSite, signIn } from "../../../../test/support/accounts.ts";
import { sendHit, type TestHit } from "../../../../test/support/hits.ts";
import { type TestApp, testApp } from "../../../../test/support/test-app.ts";

const MINUTE = 60_000;
const DAY = 1440 * MINUTE;
/** When the service ends and starts again. */
const NOON = Date.parse("2026-11-21T12:00:00Z");

describe("after a restart", () => {
	const dataDir = mkdtempSync(join(tmpdir(), "footfall-restore-"));
	let app: TestApp;
	const names = ["visits", "alive", "opened", "clicks", "again", "ahead"] as const;
	type Name = (typeof names)[number];
	/** One site a test. */
	let sites: Map<Name, string>;
	const siteOf = (name: Name) => sites.get(name) ?? "";
	const visitors = Array.from({ length: 12 }, (_, index) => ({ ip: `203.0.113.${index + 1}` }));

	const view = async (name: Name, path: string, more: Partial<TestHit> = {}) =>
		assert.equal(await sendHit(app, { site: siteOf(name), url: `https://shop.example${path}`, ...more }), 204);
	const stored = async (name: Name, columns: string, where = "1") => {
		await app.collector?.flush();
		return app.eventStore.query<Record<string, unknown>>({
			sql: `SELECT ${columns} FROM events WHERE site = {site:String} AND ${where} ORDER BY ALL`,
			params: { site: siteOf(name) },
		});
	};
	async function restart(): Promise<void> {
		const now = new Date(app.clock.now()).toISOString();
		await app.close();
		app = await testApp({ dataDir, now });
	}

	before(async () => {
		app = await testApp({ dataDir });
		const owner = await signIn(app);
		sites = new Map();
		for (const name of names) sites.set(name, await createSite(app, owner, { name }));
		const at = (moment: number) => app.clock.set(new Date(moment).toISOString());

		at(NOON + 400 * DAY);
		await view("ahead", "/", { event: "purchase", amount: 1 });
		at(NOON - 40 * DAY);
		await view("again", "/ad?gclid=again", { ip: "198.51.100.1" });
		await view("again", "/ad?gclid=gone", { ip: "198.51.100.2" });
		at(NOON - 30 * DAY);
		await view("again", "/ad?gclid=gone", { ip: "198.51.100.3" });
		at(NOON - 20 * DAY);
		await view("again", "/ad?gclid=again", { ip: "198.51.100.4" });
		at(NOON - 3430 * MINUTE);
		await view("alive", "/screen");
		for (let minutes = 3405; minutes > 0; minutes -= 25) {
			at(NOON - minutes * MINUTE);
			await view("alive", "/screen", { event: "alive", isMicro: true });
		}
		for (const visitor of visitors) await view("visits", "/first", visitor);
		app.clock.advance(1000);
		for (const visitor of visitors) await view("visits", "/second?utm_source=news&utm_medium=email", visitor);
		await view("opened", "/", { event: "signup" });
		await view("clicks", "/r?gclid=one&fbclid=two");
		await view("clicks", "/s?gclid=three", { referrer: "https://shop.example/r" });
		await view("clicks", "/t?gclid=four", { event: "signup" });
		at(NOON);
		await view("ahead", "/", { event: "purchase", amount: 2 });
		await restart();
	});
	after(async () => {
		await app.close();
		rmSync(dataDir, { recursive: true });
	});

	test("a visitor of two visits within half an hour goes on with the second", async () => {
		for (const visitor of visitors) {
			await view("visits", "/third", { ...visitor, referrer: "https://shop.example/second" });
		}
		assert.deepEqual(
			await stored("visits", "utm_source, landing_path, count() AS hits", "path = '/third' GROUP BY ALL"),
			[{ utm_source: "news", landing_path: "/second", hits: 12 }],
		);
	});

	test("a visit that is kept alive over days goes on, and its engagement is booked on its first day", async () => {
		await view("alive", "/screen");
		assert.deepEqual(
			await stored("alive", "sum(entrance) AS entrances, sum(page_view) AS views, uniqExact(session) AS visits"),
			[{ entrances: 1, views: 2, visits: 1 }],
		);
		assert.deepEqual(await stored("alive", "toString(date) AS day, hour", "engaged = 1"), [
			{ day: "2026-11-19", hour: 2 },
		]);
	});

	test("all click ids of a hit count as seen, those within a visit too", async () => {
		for (const [index, query] of ["gclid=one", "fbclid=two", "gclid=three", "gclid=four"].entries()) {
			await view("clicks", `/again?${query}`, { ip: `198.51.100.${index}` });
		}
		assert.deepEqual(await stored("clicks", "utm_source, count() AS hits", "path = '/again' GROUP BY ALL"), [
			{ utm_source: "(direct)", hits: 4 },
		]);
	});

	test("a click id is fresh again thirty days after its last sight, not its first", async () => {
		await view("again", "/seen?gclid=again", { ip: "198.51.100.5" });
		await view("again", "/fresh?gclid=gone", { ip: "198.51.100.6" });
		assert.deepEqual(await stored("again", "path, utm_source", "path != '/ad'"), [
			{ path: "/fresh", utm_source: "google" },
			{ path: "/seen", utm_source: "(direct)" },
		]);
	});

	test("events of a clock that was ahead do not move later ones", async () => {
		await view("ahead", "/", { event: "purchase", amount: 3 });
		assert.deepEqual(await stored("ahead", "toFloat64(amount) AS amount, toUnixTimestamp64Milli(ts) AS at"), [
			{ amount: 1, at: NOON + 400 * DAY },
			{ amount: 2, at: NOON },
			{ amount: 3, at: NOON + 1 },
		]);
	});

	test("a visit that an event opened has its entrance with the first page view", async () => {
		await view("opened", "/landing");
		await view("opened", "/next");
		await restart();
		await view("opened", "/last");
		assert.deepEqual(
			await stored("opened", "uniqExact(session) AS visits, sum(entrance) AS entrances, sum(engaged) AS engaged"),
			[{ visits: 1, entrances: 1, engaged: 1 }],
		);
		assert.deepEqual(await stored("opened", "landing_path", "path = '/last'"), [{ landing_path: "/landing" }]);
	});
});
