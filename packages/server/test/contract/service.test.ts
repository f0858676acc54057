import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { createSite, signIn } from "../support/accounts.ts";
import { appOnBothEngines } from "../support/app-on-both-engines.ts";
import { sendHits } from "../support/hits.ts";
import type { TestApp } from "../support/test-app.ts";

appOnBothEngines("the service", (open) => {
	let app: TestApp;
	before(async () => {
		app = await open();
	});
	after(() => app.close());

	test("a hit by hand is a number in the overview", async () => {
		const session = await signIn(app);
		const site = await createSite(app, session);
		await sendHits(app, [
			{ site, url: "https://shop.example/" },
			{ site, url: "https://shop.example/cart", referrer: "https://shop.example/" },
			{ site, url: "https://shop.example/", ip: "203.0.113.8" },
		]);
		const url = `/api/v1/stats/overview?site_id=${site}&period=today`;
		const overview = await app.inject({ url, headers: session.headers });
		assert.equal(overview.statusCode, 200, overview.body);
		const { traffic } = overview.json().data;
		assert.deepEqual([traffic.entrances, traffic.engaged_entrances, traffic.page_views], [2, 1, 3]);
	});

	test("health sees every dependency", async () => {
		const { status, checks } = (await app.inject({ url: "/health" })).json();
		assert.deepEqual([status, ...Object.keys(checks)], ["healthy", "database", "queue", "mailer", "storage"]);
		const ready = await app.inject({ url: "/readyz" });
		assert.deepEqual(ready.json(), { status: "ready", checks: { database: "ok", migrations: "ok", storage: "ok" } });
	});

	test("no line of the log holds a visitor's or a user's data", () => {
		const log = app.logLines.join("");
		assert.ok(log.includes("/api/v1/stats/overview"));
		for (const text of ["203.0.113", "Mozilla", "/cart", "ann@example.com", "Bearer"]) {
			assert.ok(!log.includes(text), text);
		}
	});
});
