// Real processes, as services that start again on other stores, and moves that are killed, are processes.
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { after, type TestContext, test } from "node:test";
import { isDeepStrictEqual } from "node:util";
import { sql } from "kysely";
import { openMetadata } from "../../src/platform/metadata/open-metadata.ts";
import { createSite, type Session, signIn, signInAgain } from "../support/accounts.ts";
import { clickHouseStandIn } from "../support/clickhouse-stand-in.ts";
import { fillWithDemo } from "../support/demo-site.ts";
import { everyReport } from "../support/every-report.ts";
import { freePort } from "../support/free-port.ts";
import { sendHits } from "../support/hits.ts";
import { formOf, log } from "../support/import-site.ts";
import { appOn, move, NOW, usual } from "../support/moving.ts";
import { dataOf } from "../support/request-of.ts";
import { runService, type ServiceProcess } from "../support/service-process.ts";
import { splitProcesses } from "../support/split-processes.ts";
import { storedPages } from "../support/stored-pages.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import type { TestApp } from "../support/test-app.ts";
import { postgresSkip, testSchema } from "../support/test-schema.ts";
import { until } from "../support/until.ts";
import { steadyHits } from "./steady-hits.ts";

const DAY = 86_400_000;
const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);
const asked = { from: dayOf(NOW - 29 * DAY), to: dayOf(NOW - 3 * DAY) };
const { SECRET_KEY: secretKey } = usual;

type Environment = Readonly<Record<string, string>>;

const root = temporaryFolder();
const clickhouse = await clickHouseStandIn();
after(() => clickhouse.close());

/** A service on a port that it has again when it starts again. */
async function serve(t: TestContext, dataDir: string) {
	const env = { ...usual, DATA_DIR: dataDir, TRUST_PROXY: "true", RATE_LIMIT_ENABLED: "false" };
	const service = runService(["start"], { ...env, PORT: String(await freePort()) });
	t.after(() => service.child.kill("SIGKILL"));
	const address = await service.listening;
	return { service, address, status: async () => (await fetch(`${address}/api/v1/sites`)).status };
}

/** Sends hits to a service until told to stop. */
function visits(t: TestContext, address: string, site: string, prefix: string) {
	const hits = steadyHits({ address, secretKey, site }, prefix);
	t.after(hits.stop);
	return hits;
}

/** Hits of odd texts, suspicious ones, conversions and an import. */
async function fill(app: TestApp, owner: Session, site: string): Promise<void> {
	await fillWithDemo(app, { id: site, days: 40, rows: 5_000 });
	const url = "https://shop.example/a%09b\\n'c?utm_source=m\u{fc}ller&utm_campaign=%5Ct";
	const page = { site, url, ip: "198.51.100.9" };
	await sendHits(app, [
		page,
		{ ...page, event: "purchase", amount: "12.34", currency: "EUR", properties: { "k\\'": "v\t1\n2", é: "漢" } },
		{ ...page, ip: "198.51.100.10", userAgent: "curl/8.5.0" },
	]);
	const imported = await createSite(app, owner, { name: "Imported" });
	const { payload, headers } = formOf({ source: "access_log", dry_run: "false" }, { bytes: log, name: "access.log" });
	const sent = { body: payload, headers: { ...owner.headers, ...headers } };
	await dataOf(app, `POST /imports?account_id=${imported}`, sent);
	await app.jobs.runDue();
}

async function end(service: ServiceProcess): Promise<void> {
	service.child.kill("SIGTERM");
	assert.equal(await service.ended, 0, service.output().stderr);
}

/** Each page once, and none of those that were answered is missing. */
async function assertOnce(app: TestApp, site: string, taken: readonly string[]): Promise<void> {
	const pages = await storedPages(app, site);
	assert.deepEqual([...new Set(pages.values())], [1], "none is there twice");
	const missing = taken.filter((path) => !pages.has(path));
	assert.deepEqual(missing, [], "none that was answered is missing");
}

/** Kills a move when its server has taken the first rows and is about to take others. */
async function killWhileItCopies(dataDir: string, targets: Environment): Promise<void> {
	const killed = runService(["move"], { ...usual, DATA_DIR: dataDir, ...targets });
	let inserts = 0;
	const { promise: isSilent, resolve } = Promise.withResolvers<void>();
	clickhouse.server.garble((data) => {
		if (data.includes("INSERT+INTO+events+") && ++inserts === 2) resolve(clickhouse.server.fallSilent());
		return data;
	});
	await Promise.race([isSilent, killed.ended]);
	killed.child.kill("SIGKILL");
	assert.equal(await killed.ended, null, killed.output().stderr);
	clickhouse.server.garble(undefined);
	await clickhouse.server.comeBack();
	const [row] = await clickhouse.store.query<{ rows: number }>({ sql: "SELECT count() AS rows FROM events" });
	assert.ok((row?.rows ?? 0) > 0, "rows were copied");
}

/** Kills a move while the service keeps still; hits are taken meanwhile, and nothing else. */
async function killWhileItHolds(
	{ service, status }: Awaited<ReturnType<typeof serve>>,
	{ dataDir, hits }: { dataDir: string; hits: { more(n: number): Promise<void> } },
	targets: Environment & { readonly MOVE_DATABASE_URL: string },
): Promise<void> {
	const other = await openMetadata({ dataDir, databaseUrl: targets.MOVE_DATABASE_URL });
	const blocking = await other.startTransaction().execute();
	try {
		await sql`lock table users in access exclusive mode`.execute(blocking);
		const killed = runService(["move"], { ...usual, DATA_DIR: dataDir, ...targets });
		await service.wrote(/The stores are being moved/);
		await hits.more(5);
		assert.equal(await status(), 503);
		killed.child.kill("SIGKILL");
		assert.equal(await killed.ended, null, killed.output().stderr);
	} finally {
		await blocking.rollback().execute();
		await other.destroy();
	}
	await service.wrote(/The stores were not moved; normal operation continues/);
	assert.equal(await status(), 401);
}

test("a move that is killed changes nothing; the next one moves all, and back: every hit that was answered counts once", {
	skip: postgresSkip,
}, async (t) => {
	const schema = await testSchema();
	t.after(() => schema.drop());
	const targets = { MOVE_DATABASE_URL: schema.url, MOVE_CLICKHOUSE_URL: clickhouse.url };
	const onServers = { DATABASE_URL: schema.url, CLICKHOUSE_URL: clickhouse.url };
	const dataDir = join(root, "served");
	const app = await appOn(t, dataDir);
	const owner = await signIn(app, { role: "superadmin", name: 'Ann \u{1f98a} O\'Hara \\ "quoted"' });
	const site = await createSite(app, owner);
	const busy = await createSite(app, owner, { name: "Busy" });
	await fill(app, owner, site);
	const before = await everyReport(app, owner, { site, ...asked });
	assert.ok([...before.values()].filter(({ status }) => status === 200).length > 40);
	await app.close();

	const first = await serve(t, dataDir);
	const out = visits(t, first.address, busy, "out");
	await out.more(10);
	await killWhileItCopies(dataDir, targets);
	await killWhileItHolds(first, { dataDir, hits: out }, targets);
	assert.ok(!existsSync(join(dataDir, "stores.env")));
	const moved = await move(dataDir, targets);
	assert.equal(moved.code, 0, moved.error);
	assert.match(
		moved.out,
		/Accounts and settings are in PostgreSQL: .*\nEvents are in ClickHouse: .*\n.*\nThe service is running on them\n$/,
	);
	await out.more(10);
	await out.stop();
	await end(first.service);
	const there = await appOn(t, dataDir, { env: onServers });
	assert.deepEqual(await everyReport(there, await signInAgain(there, owner), { site, ...asked }), before);
	await assertOnce(there, busy, out.taken);
	const made = await createSite(there, await signInAgain(there, owner), { name: "Made there" });
	await there.close();

	const second = await serve(t, dataDir);
	const home = visits(t, second.address, busy, "home");
	await home.more(10);
	const movedBack = await move(dataDir, {}, "back");
	assert.equal(movedBack.code, 0, movedBack.error);
	assert.match(movedBack.out, /in the data directory: .*\nEvents are in the data directory: .*/);
	await home.more(10);
	await home.stop();
	await end(second.service);
	assert.ok(!existsSync(join(dataDir, "stores.env")));
	const back = await appOn(t, dataDir);
	assert.deepEqual(await everyReport(back, await signInAgain(back, owner), { site, ...asked }), before);
	await assertOnce(back, busy, [...out.taken, ...home.taken]);
	const { headers } = await signInAgain(back, owner);
	assert.equal((await back.inject({ url: `/api/v1/sites/${made}`, headers })).statusCode, 200);
});

test("processes that divide the roles move together", async (t) => {
	await clickhouse.empty();
	const service = splitProcesses();
	t.after(() => service.close());
	const start = async (roles: string) => service.start(roles, { PORT: String(await freePort()) });
	const [collector, api, jobs] = await Promise.all([start("collect"), start("api"), start("jobs")]);
	const token = await service.signIn(api);
	const body = { name: "Shop", domains: ["shop.example"], timezone: "UTC" };
	const site = (await api.call("POST /sites", { token, body })).body.data.id;
	await until(async () => (await collector.call(`GET //t.js?id=${site}`)).status === 200);
	const page = { site, url: "https://shop.example/one" };
	assert.equal(await collector.hit(page), 204);
	const moved = await move(service.dataDir, { SECRET_KEY: secretKey, MOVE_CLICKHOUSE_URL: clickhouse.url });
	assert.match(moved.out, /The service is running on them\n$/, moved.error);
	for (const { call } of [collector, api, jobs]) {
		await until(async () => (await call("GET //readyz").catch(() => undefined))?.status === 200);
	}
	assert.equal(await collector.hit({ ...page, url: "https://shop.example/two" }), 204);
	const days = `start_date=${dayOf(NOW - DAY)}&end_date=${dayOf(NOW + DAY)}`;
	await until(async () => {
		const { traffic } = (await api.call(`GET /stats/overview?site_id=${site}&${days}`, { token })).body.data;
		return isDeepStrictEqual([traffic.entrances, traffic.page_views], [1, 2]);
	});
	for (const { child } of [collector, api, jobs]) assert.equal(child.exitCode, null);
});
