import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import { createSite, signIn } from "../../../../test/support/accounts.ts";
import { sendHit } from "../../../../test/support/hits.ts";
import { testApp } from "../../../../test/support/test-app.ts";

const redisUrl = process.env.TEST_REDIS_URL;
const skip = redisUrl === undefined && "set TEST_REDIS_URL to the address of a Redis server";

test("with sessions in Redis hits are booked as with sessions in memory", { skip }, async () => {
	const app = await testApp({ env: { REDIS_URL: redisUrl ?? "" } });
	const site = await createSite(app, await signIn(app));
	// Sessions of an earlier run may still be in Redis: a user agent of its own makes a visitor of its own.
	const userAgent = `Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0 ${randomBytes(8).toString("hex")}`;
	const click = randomBytes(8).toString("hex");
	const hit = (path: string, more = {}) =>
		sendHit(app, { site, url: `https://shop.example${path}`, userAgent, ...more });
	assert.equal(await hit(`/landing?gclid=${click}`), 204);
	assert.equal(await hit("/two"), 204);
	await Promise.all([1, 2, 3].map((amount) => hit("/two", { event: "purchase", amount })));
	app.clock.advance(31 * 60_000);
	assert.equal(await hit(`/landing?gclid=${click}`), 204);
	await app.collector?.flush();
	const rows = await app.eventStore.query({
		sql: "SELECT kind, path, entrance, engaged, utm_medium, count() AS rows, uniqExact(ts) AS times FROM events GROUP BY ALL ORDER BY ALL",
	});
	assert.deepEqual(rows, [
		{ kind: "pageview", path: "/landing", entrance: 1, engaged: 0, utm_medium: "(none)", rows: 1, times: 1 },
		{ kind: "pageview", path: "/landing", entrance: 1, engaged: 0, utm_medium: "cpc", rows: 1, times: 1 },
		{ kind: "pageview", path: "/two", entrance: 0, engaged: 0, utm_medium: "cpc", rows: 1, times: 1 },
		{ kind: "engaged", path: "/landing", entrance: 0, engaged: 1, utm_medium: "cpc", rows: 1, times: 1 },
		{ kind: "conversion", path: "/two", entrance: 0, engaged: 0, utm_medium: "cpc", rows: 3, times: 3 },
	]);
	await app.close();
});
