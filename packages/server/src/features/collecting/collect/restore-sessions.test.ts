import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { createSite, type Session, signIn, signInAgain } from "../../../../test/support/accounts.ts";
import { sendHit, type TestHit } from "../../../../test/support/hits.ts";
import { type TestApp, testApp } from "../../../../test/support/test-app.ts";

const MINUTE = 60_000;
const DAY = 1440 * MINUTE;
const NOON = Date.parse("2026-11-21T12:00:00Z");

describe("after a restart", () => {
	const dataDir = mkdtempSync(join(tmpdir(), "footfall-restore-"));
	let app: TestApp;
	let owner: Session;
	before(async () => {
		app = await testApp({ dataDir });
		owner = await signIn(app);
	});
	after(async () => {
		await app.close();
		rmSync(dataDir, { recursive: true });
	});

	async function restart(): Promise<void> {
		const now = new Date(app.clock.now()).toISOString();
		await app.close();
		app = await testApp({ dataDir, now });
	}

	/** Sends hits of a site as its visitors would; the path is on `shop.example`. */
	async function newSite(start = NOON) {
		app.clock.set(new Date(start).toISOString());
		const site = await createSite(app, await signInAgain(app, owner));
		const view = async (path: string, more: Partial<TestHit> = {}) =>
			assert.equal(await sendHit(app, { site, url: `https://shop.example${path}`, ...more }), 204);
		const stored = async (columns: string, where = "1") => {
			await app.collector?.flush();
			return app.eventStore.query<Record<string, unknown>>({
				sql: `SELECT ${columns} FROM events WHERE site = {site:String} AND ${where} ORDER BY ALL`,
				params: { site },
			});
		};
		return { view, stored };
	}

	test("a visitor of two visits within half an hour goes on with the second", async () => {
		const { view, stored } = await newSite();
		const visitors = Array.from({ length: 12 }, (_, index) => ({ ip: `203.0.113.${index + 1}` }));
		for (const visitor of visitors) await view("/first", visitor);
		app.clock.advance(1000);
		for (const visitor of visitors) await view("/second?utm_source=news&utm_medium=email", visitor);
		await restart();
		for (const visitor of visitors) await view("/third", { ...visitor, referrer: "https://shop.example/second" });
		assert.deepEqual(await stored("utm_source, landing_path, count() AS hits", "path = '/third' GROUP BY ALL"), [
			{ utm_source: "news", landing_path: "/second", hits: 12 },
		]);
	});

	test("a visit that is kept alive over days goes on, and its engagement is booked on its first day", async () => {
		const { view, stored } = await newSite();
		await view("/screen");
		for (let minutes = 0; minutes < 57 * 60; minutes += 25) {
			app.clock.advance(25 * MINUTE);
			await view("/screen", { event: "alive", isMicro: true });
		}
		await restart();
		app.clock.advance(5 * MINUTE);
		await view("/screen");
		assert.deepEqual(
			await stored("sum(entrance) AS entrances, sum(page_view) AS views, uniqExact(session) AS visits", "1"),
			[{ entrances: 1, views: 2, visits: 1 }],
		);
		assert.deepEqual(await stored("toString(date) AS day, hour", "engaged = 1"), [{ day: "2026-11-21", hour: 12 }]);
	});

	test("a visit that an event opened has its entrance with the first page view", async () => {
		const { view, stored } = await newSite();
		await view("/", { event: "signup" });
		await restart();
		await view("/landing");
		await view("/next");
		await restart();
		await view("/last");
		assert.deepEqual(
			await stored("uniqExact(session) AS visits, sum(entrance) AS entrances, sum(engaged) AS engaged"),
			[{ visits: 1, entrances: 1, engaged: 1 }],
		);
		assert.deepEqual(await stored("landing_path", "path = '/last'"), [{ landing_path: "/landing" }]);
	});

	test("all click ids of a hit count as seen, those within a visit too", async () => {
		const { view, stored } = await newSite();
		await view("/r?gclid=one&fbclid=two");
		await view("/s?gclid=three", { referrer: "https://shop.example/r" });
		await view("/t?gclid=four", { event: "signup" });
		await restart();
		for (const [index, query] of ["gclid=one", "fbclid=two", "gclid=three", "gclid=four"].entries()) {
			await view(`/again?${query}`, { ip: `198.51.100.${index}` });
		}
		assert.deepEqual(await stored("utm_source, count() AS hits", "path = '/again' GROUP BY ALL"), [
			{ utm_source: "(direct)", hits: 4 },
		]);
	});

	test("a click id is fresh again thirty days after its last sight, not its first", async () => {
		const { view, stored } = await newSite();
		for (const [index, days] of [0, 20, 20, 30].entries()) {
			app.clock.advance(days * DAY);
			await restart();
			await view("/ad?gclid=again", { ip: `198.51.100.${index}` });
		}
		assert.deepEqual(await stored("ts, utm_source").then((rows) => rows.map(({ utm_source }) => ({ utm_source }))), [
			{ utm_source: "google" },
			{ utm_source: "(direct)" },
			{ utm_source: "(direct)" },
			{ utm_source: "google" },
		]);
	});

	test("events of a clock that was ahead do not move later ones", async () => {
		const { view, stored } = await newSite();
		app.clock.advance(400 * DAY);
		await view("/", { event: "purchase", amount: 1 });
		app.clock.set(new Date(NOON).toISOString());
		await view("/", { event: "purchase", amount: 2 });
		await restart();
		await view("/", { event: "purchase", amount: 3 });
		assert.deepEqual(await stored("toFloat64(amount) AS amount, toUnixTimestamp64Milli(ts) AS at"), [
			{ amount: 1, at: NOON + 400 * DAY },
			{ amount: 2, at: NOON },
			{ amount: 3, at: NOON + 1 },
		]);
	});
});
