import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { createSite, type Session, signIn } from "../../../../test/support/accounts.ts";
import { sendHits } from "../../../../test/support/hits.ts";
import { type TestApp, testApp } from "../../../../test/support/test-app.ts";

let app: TestApp;
let owner: Session;
before(async () => {
	app = await testApp({ env: { DEFAULT_PLAN: "free" } });
	owner = await signIn(app);
});
after(() => app.close());

test("on the free plan collection stops at a million events, and what is stored stays readable", async () => {
	const site = await createSite(app, owner);
	await app.eventStore.command(`INSERT INTO events (site, date, ts, kind, page_view)
		SELECT '${site}', '2026-11-01', '2026-11-01 00:00:00', 'pageview', 1 FROM numbers(999998)`);
	const hit = (ip: string) => ({ site, url: "https://shop.example/", ip });
	await sendHits(app, [hit("203.0.113.1"), hit("203.0.113.2"), hit("203.0.113.3"), hit("203.0.113.4")]);
	const read = async (path: string) => {
		const response = await app.inject({ url: `/api/v1${path}`, headers: owner.headers });
		return response.json().data;
	};
	const overview = await read(`/stats/overview?site_id=${site}&period=30d`);
	assert.equal(overview.traffic.page_views, 1_000_000);
	const { accepted, reasons } = await read(`/sites/${site}/pixel/rejections`);
	assert.equal(accepted, 2);
	assert.deepEqual(reasons, [{ reason: "quota_exceeded", count: 2, origins: [{ origin: "shop.example", count: 2 }] }]);
});
