import assert from "node:assert/strict";
import { test } from "node:test";
import { createSite, type Session, signIn } from "../../../../test/support/accounts.ts";
import { sendHits } from "../../../../test/support/hits.ts";
import { testApp } from "../../../../test/support/test-app.ts";

const isCount = (sql: string) => /^SELECT sum\(page_view\) \+ .* AS events$/m.test(sql);
const bot = "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)";

test("a free organization's sites share a million events, and a change of plan holds from the next hit on", async () => {
	const counted = Promise.withResolvers<void>();
	const service = await testApp({
		env: { DEFAULT_PLAN: "growth" },
		wrapEventStore: (store) => ({
			...store,
			async query(question) {
				const rows = await store.query<never>(question);
				if (isCount(question.sql)) counted.resolve();
				return rows;
			},
		}),
	});
	const ann = await signIn(service);
	const root = await signIn(service, { email: "root@example.com", name: "Root", role: "superadmin" });
	const shop = await createSite(service, ann);
	const blog = await createSite(service, ann, { name: "Blog", domains: ["blog.example"] });
	const call = async (method: "GET" | "PATCH", path: string, { headers }: Session, payload?: object) => {
		const answer = await service.inject({ method, url: `/api/v1${path}`, headers, ...(payload && { payload }) });
		assert.equal(answer.statusCode, 200, answer.body);
		return answer.json().data;
	};
	await call("PATCH", `/sites/${blog}`, ann, { is_active: false });
	await service.eventStore.command(`INSERT INTO events (site, date, ts, kind, page_view, conversion, microconversion) VALUES
		('${shop}', '2026-11-01', '2026-11-01 00:00:00', 'pageview', 600000, 0, 0),
		('${blog}', '2026-11-01', '2026-11-01 00:00:00', 'conversion', 0, 300000, 0),
		('${blog}', '2026-11-01', '2026-11-01 00:00:00', 'microconversion', 0, 0, 99997)`);
	const setPlan = (plan_tier: string) => call("PATCH", "/admin/organizations/ann/plan", root, { plan_tier });
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
	// A program's hit makes the service count, and counts for nothing itself.
	await sendHits(service, [{ site: shop, url: "https://shop.example/", userAgent: bot }]);
	await counted.promise;
	await send();
	assert.equal(await stored(), 1_000_000);
	const overview = await call("GET", `/stats/overview?site_id=${shop}&period=30d`, ann);
	assert.equal(overview.traffic.page_views, 600_001);
	const { accepted, reasons } = await call("GET", `/sites/${shop}/pixel/rejections`, ann);
	const origins = [{ origin: "https://shop.example", count: 1 }];
	assert.deepEqual([accepted, reasons], [4, [{ reason: "quota_exceeded", count: 1, origins }]]);
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
