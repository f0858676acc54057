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

test("the limit is pooled over an organization's sites and holds from the change of plan on", async () => {
	const service = await testApp({ env: { DEFAULT_PLAN: "growth" } });
	const ann = await signIn(service);
	const root = await signIn(service, { email: "root@example.com", name: "Root", role: "superadmin" });
	const shop = await createSite(service, ann);
	const blog = await createSite(service, ann, { name: "Blog", domains: ["blog.example"] });
	await service.inject({
		method: "PATCH",
		url: `/api/v1/sites/${blog}`,
		headers: ann.headers,
		payload: { is_active: false },
	});
	await service.eventStore.command(`INSERT INTO events (site, date, ts, kind, page_view, conversion, microconversion)
		SELECT if(number < 600000, '${shop}', '${blog}'), '2026-11-01', '2026-11-01 00:00:00',
			['pageview', 'conversion', 'microconversion'][1 + number % 3], number % 3 = 0, number % 3 = 1, number % 3 = 2
		FROM numbers(999997)`);
	const setPlan = async (plan_tier: string) => {
		const url = "/api/v1/admin/organizations/ann/plan";
		const answer = await service.inject({ method: "PATCH", url, headers: root.headers, payload: { plan_tier } });
		assert.equal(answer.statusCode, 200, answer.body);
	};
	let visitor = 0;
	const kinds = [{}, { event: "purchase", amount: 5 }, { event: "scroll", isMicro: true }, {}];
	const send = () => {
		visitor += 1;
		const ip = `203.0.113.${visitor}`;
		return sendHits(
			service,
			kinds.map((more) => ({ site: shop, url: "https://shop.example/", ip, ...more })),
		);
	};
	const stored = async () => {
		const [row] = await service.eventStore.query<{ events: number }>({
			sql: "SELECT sum(page_view) + sum(conversion) + sum(microconversion) AS events FROM events",
		});
		return row?.events;
	};
	await setPlan("free");
	await send();
	assert.equal(await stored(), 1_000_000);
	await setPlan("growth");
	await send();
	assert.equal(await stored(), 1_000_004);
	await setPlan("free");
	await send();
	assert.equal(await stored(), 1_000_004);
	await service.close();
});
