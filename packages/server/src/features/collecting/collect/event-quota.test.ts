import assert from "node:assert/strict";
import { after, test } from "node:test";
import { sql } from "kysely";
import { createSite, signIn } from "../../../../test/support/accounts.ts";
import { sendHits } from "../../../../test/support/hits.ts";
import { newDirectory } from "../../../../test/support/new-directory.ts";
import { requestOf } from "../../../../test/support/request-of.ts";
import { lendEventStore } from "../../../../test/support/stores-on-shared-engine.ts";
import { type TestApp, testApp } from "../../../../test/support/test-app.ts";
import { DAY_MS } from "../../../platform/lib/durations.ts";
import { lifetimeEvents } from "../../tenancy/billing/index.ts";
import { EventQuota } from "./event-quota.ts";

const dataDir = newDirectory();
let app: TestApp;
const start = async () => {
	app = await testApp({ env: { DEFAULT_PLAN: "growth" }, dataDir, events });
};
const events = await lendEventStore();
await start();
after(async () => {
	await app.close();
	await events.giveBack();
});

const stored = async () => {
	const sum = "SELECT sum(page_view) + sum(conversion) + sum(microconversion) AS events FROM events";
	return (await app.eventStore.query<{ events: number }>({ sql: sum }))[0]?.events;
};
const newQuota = () => new EventQuota({ ...app, log: app.app.log });
let visitor = 0;
/** Four hits of a new visitor, and one of a program, which is no event. */
const send = (site: string) => {
	visitor += 1;
	const hit = { site, url: "https://shop.example/", ip: `203.0.113.${visitor}` };
	return sendHits(app, [
		hit,
		{ ...hit, event: "purchase", amount: 5 },
		{ ...hit, event: "scroll", isMicro: true },
		hit,
		{ ...hit, userAgent: "curl/8.5.0" },
	]);
};

test("a free organization gets a million events in all: not one more after deletion, a restart or with a second collector", async () => {
	const ann = await signIn(app);
	const root = await signIn(app, { email: "root@example.com", name: "Root", role: "superadmin" });
	const call = async (request: string, body?: object, { headers } = ann) => {
		const answer = await app.inject(requestOf(request, { headers, body }));
		assert.equal(answer.statusCode, 200, answer.body);
		return answer.json();
	};
	const usage = async () => (await call("GET /billing/usage/current")).human_events;
	const setPlan = (plan_tier: string) => call("PATCH /admin/organizations/ann/plan", { plan_tier }, root);
	const shop = await createSite(app, ann);
	const blog = await createSite(app, ann, { name: "Blog", domains: ["blog.example"] });
	await call(`PATCH /sites/${blog}`, { is_active: false });
	await app.eventStore.command(`INSERT INTO events (site, date, ts, kind, page_view, conversion, microconversion) VALUES
		('${shop}', '2026-11-01', '2026-11-01 00:00:00', 'pageview', 600000, 0, 0),
		('${blog}', '2026-11-01', '2026-11-01 00:00:00', 'conversion', 0, 300000, 0),
		('${blog}', '2026-11-01', '2026-11-01 00:00:00', 'microconversion', 0, 0, 99989)`);
	await setPlan("free");
	assert.equal(await usage(), 999_989);
	await send(shop);
	await app.catchUp();
	assert.deepEqual([await stored(), await usage()], [999_993, 999_993]);
	await app.eventStore.command("ALTER TABLE events DELETE WHERE 1 SETTINGS mutations_sync = 1");
	await send(shop);
	await app.close();

	await start();
	const site = app.sites.get(shop);
	assert.ok(site);
	const other = newQuota();
	assert.equal(await other.hasRoom(site), true);
	other.count(site, app.clock.now());
	await other.exchange();
	const rejections = async () => (await call(`GET /sites/${shop}/pixel/rejections`)).data;
	// Collectors that share accounts keep these counts there.
	const { accepted } = await rejections();
	// 999,998 of a million.
	await send(shop);
	await app.catchUp();
	assert.deepEqual([await stored(), await usage()], [6, 1_000_000]);
	await other.exchange();
	assert.equal(await other.hasRoom(site), false);
	const data = await rejections();
	const origins = [{ origin: "https://shop.example", count: 3 }];
	assert.deepEqual([data.accepted - accepted, data.reasons], [2, [{ reason: "quota_exceeded", count: 3, origins }]]);
	await app.close();

	await start();
	await send(shop);
	assert.equal(await stored(), 6);
	await setPlan("growth");
	await send(shop);
	assert.equal(await stored(), 10);
});

test("usage of 250 days whose write fails half way is counted once when it is written again", async () => {
	const owner = await signIn(app, { email: "ben@example.com", name: "Ben" });
	const facts = app.sites.get(await createSite(app, owner, { name: "Ben" }));
	assert.ok(facts);
	const site = { ...facts, lifetimeEventLimit: 1_000_000 };
	const quota = newQuota();
	for (let day = 0; day < 250; day++) quota.count(site, app.clock.now() - day * DAY_MS);
	// 200 days are written at a time: those that remain are of one value.
	await sql`CREATE UNIQUE INDEX one_old_day ON usage_days (organization_id, (CASE WHEN day < '2026-05-06' THEN 'old' ELSE day END))`.execute(
		app.metadata,
	);
	const written = async () => {
		await quota.exchange();
		return (await lifetimeEvents(app.metadata, [site.organizationId])).get(site.organizationId);
	};
	assert.equal(await written(), undefined);
	await sql`DROP INDEX one_old_day`.execute(app.metadata);
	assert.deepEqual([await written(), await written()], [250, 250]);
});
