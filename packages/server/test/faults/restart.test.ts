import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, beforeEach, test } from "node:test";
import { createSite, type Session, signIn } from "../support/accounts.ts";
import { sendHit } from "../support/hits.ts";
import { type TestApp, testApp } from "../support/test-app.ts";

const MINUTE = 60_000;
const NOON = "2026-11-21T12:00:00.000Z";

const dataDir = mkdtempSync(join(tmpdir(), "footfall-restart-"));
let app: TestApp;
let owner: Session;
let site: string;
before(async () => {
	app = await testApp({ dataDir, now: NOON });
	owner = await signIn(app);
});
beforeEach(async () => {
	app.clock.set(NOON);
	site = await createSite(app, owner);
});
after(async () => {
	await app.close();
	rmSync(dataDir, { recursive: true });
});

async function restart(now: string): Promise<void> {
	await app.close();
	app = await testApp({ dataDir, now });
}

const hit = (path: string, more = {}) => sendHit(app, { site, url: `https://shop.example${path}`, ...more });

async function stored(columns: string) {
	await app.collector?.flush();
	const sql = `SELECT ${columns} FROM events WHERE site = {site:String} ORDER BY ts, kind`;
	return app.eventStore.query<Record<string, unknown>>({ sql, params: { site } });
}

test("a session goes on after a restart, and its second page view makes it engaged once", async () => {
	await hit("/landing?utm_source=news&utm_medium=email");
	await restart("2026-11-21T12:10:00.000Z");
	await hit("/two");
	await restart("2026-11-21T12:20:00.000Z");
	await hit("/three");
	await hit("/landing?utm_source=news&utm_medium=email");
	assert.deepEqual(
		await stored("path, utm_source, entrance, engaged, page_view, uniqExact(session) OVER () AS sessions"),
		[
			{ path: "/landing", utm_source: "news", entrance: 1, engaged: 0, page_view: 1, sessions: 1 },
			{ path: "/landing", utm_source: "news", entrance: 0, engaged: 1, page_view: 0, sessions: 1 },
			{ path: "/two", utm_source: "news", entrance: 0, engaged: 0, page_view: 1, sessions: 1 },
			{ path: "/three", utm_source: "news", entrance: 0, engaged: 0, page_view: 1, sessions: 1 },
			{ path: "/landing", utm_source: "news", entrance: 0, engaged: 0, page_view: 1, sessions: 1 },
		],
	);
});

test("a session that ended before the restart stays ended", async () => {
	await hit("/one");
	await restart("2026-11-21T12:30:00.000Z");
	await hit("/two");
	assert.deepEqual(await stored("path, entrance"), [
		{ path: "/one", entrance: 1 },
		{ path: "/two", entrance: 1 },
	]);
});

test("a click id of before the restart begins no second session", async () => {
	await hit("/?gclid=known", { ip: "203.0.113.1" });
	await restart("2026-11-21T13:00:00.000Z");
	await hit("/?gclid=known", { ip: "203.0.113.2" });
	assert.deepEqual(await stored("utm_source, utm_medium"), [
		{ utm_source: "google", utm_medium: "cpc" },
		{ utm_source: "(direct)", utm_medium: "(none)" },
	]);
});

test("times of conversions stay unique over a restart", async () => {
	await hit("/", { event: "purchase", amount: 1 });
	await hit("/", { event: "purchase", amount: 2 });
	await restart(NOON);
	await hit("/", { event: "purchase", amount: 3 });
	assert.deepEqual(await stored("ts, amount"), [
		{ ts: "2026-11-21 12:00:00.000", amount: 1 },
		{ ts: "2026-11-21 12:00:00.001", amount: 2 },
		{ ts: "2026-11-21 12:00:00.002", amount: 3 },
	]);
});

test("while the event store is away hits are acknowledged, and they are in it when it is back", async () => {
	const pid = (app.eventStore as unknown as { childPid(): number | undefined }).childPid();
	process.kill(pid ?? 0, "SIGKILL");
	assert.equal(await hit("/one"), 204);
	assert.equal(await hit("/two"), 204);
	while ((app.collector?.waitingBytes ?? 0) > 0 && (await stored("path").catch(() => [])).length < 3) {
		await app.collector?.flush();
	}
	assert.deepEqual(await stored("path, kind"), [
		{ path: "/one", kind: "pageview" },
		{ path: "/two", kind: "pageview" },
		{ path: "/one", kind: "engaged" },
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
