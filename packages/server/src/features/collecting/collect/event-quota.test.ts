import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { createSite, type Session, signIn } from "../../../../test/support/accounts.ts";
import { sendHits } from "../../../../test/support/hits.ts";
import { type TestApp, testApp } from "../../../../test/support/test-app.ts";
import { until } from "../../../../test/support/until.ts";
import type { EventStore } from "../../../platform/event-store/event-store.ts";

const isCount = (sql: string) => /^SELECT sum\(page_view\) \+ .* AS events$/m.test(sql);
const bot = "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)";

/** A store that says how often the events of organizations were counted. */
function countingStore() {
	const told = { counts: 0 };
	const wrapEventStore = (store: EventStore): EventStore => ({
		...store,
		async query(question) {
			const rows = await store.query<never>(question);
			if (isCount(question.sql)) told.counts++;
			return rows;
		},
	});
	return { told, wrapEventStore };
}

let app: TestApp;
let owner: Session;
const { told, wrapEventStore } = countingStore();
before(async () => {
	app = await testApp({ env: { DEFAULT_PLAN: "free" }, wrapEventStore });
	owner = await signIn(app);
});
after(() => app.close());

test("on the free plan collection stops at a million events, and what is stored stays readable", async () => {
	const site = await createSite(app, owner);
	await app.eventStore.command(`INSERT INTO events (site, date, ts, kind, page_view)
		SELECT '${site}', '2026-11-01', '2026-11-01 00:00:00', 'pageview', 1 FROM numbers(999998)`);
	const hit = (ip: string) => ({ site, url: "https://shop.example/", ip });
	// A program's hit makes the service count, and counts for nothing itself.
	await sendHits(app, [{ ...hit("203.0.113.9"), userAgent: bot }]);
	await until(() => told.counts === 1);
	await sendHits(app, [hit("203.0.113.1"), hit("203.0.113.2"), hit("203.0.113.3"), hit("203.0.113.4")]);
	const read = async (path: string) => {
		const response = await app.inject({ url: `/api/v1${path}`, headers: owner.headers });
		return response.json().data;
	};
	const overview = await read(`/stats/overview?site_id=${site}&period=30d`);
	assert.equal(overview.traffic.page_views, 1_000_000);
	const { accepted, reasons } = await read(`/sites/${site}/pixel/rejections`);
	assert.equal(accepted, 3);
	assert.deepEqual(reasons, [
		{ reason: "quota_exceeded", count: 2, origins: [{ origin: "https://shop.example", count: 2 }] },
	]);
});

test("the limit is pooled over an organization's sites and holds from the change of plan on", async () => {
	const counting = countingStore();
	const service = await testApp({ env: { DEFAULT_PLAN: "growth" }, wrapEventStore: counting.wrapEventStore });
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
	await sendHits(service, [{ site: shop, url: "https://shop.example/", userAgent: bot }]);
	await until(() => counting.told.counts === 1);
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

test("no hit waits while events are counted, they are counted once at a time, and a changed limit holds at once", async () => {
	const held = Promise.withResolvers<{ events: number }[]>();
	let asked = 0;
	const service = await testApp({
		env: { DEFAULT_PLAN: "free" },
		wrapEventStore: (store) => ({
			...store,
			query(question) {
				if (!isCount(question.sql)) return store.query<never>(question);
				asked++;
				return held.promise as Promise<never>;
			},
		}),
	});
	const ann = await signIn(service);
	const site = await createSite(service, ann);
	const root = await signIn(service, { email: "root@example.com", name: "Root", role: "superadmin" });
	const paths = async (name: string) => {
		await sendHits(service, [{ site, url: `https://shop.example/${name}`, ip: "203.0.113.1" }]);
		const sql = "SELECT groupArray(path) AS paths FROM (SELECT DISTINCT path FROM events ORDER BY path)";
		const [row] = await service.eventStore.query<{ paths: string[] }>({ sql });
		return row?.paths;
	};
	await paths("a");
	assert.deepEqual(await paths("b"), ["/a", "/b"]);
	assert.equal(asked, 1);
	held.resolve([{ events: 1_000_000 }]);
	await held.promise;
	assert.deepEqual(await paths("c"), ["/a", "/b"]);
	const url = "/api/v1/admin/organizations/ann/plan";
	await service.inject({ method: "PATCH", url, headers: root.headers, payload: { plan_tier: "growth" } });
	assert.deepEqual(await paths("d"), ["/a", "/b", "/d"]);
	assert.equal(asked, 1);
	await service.close();
});
