// Real time, as a hit waits ten seconds of it for the visits of an event store that is away.
import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { openStores } from "../../src/composition/stores.ts";
import { type Supervisor, superviseStoreProcess } from "../../src/platform/event-store/embedded/supervisor.ts";
import { createSite, signIn } from "../support/accounts.ts";
import { sendHit } from "../support/hits.ts";
import { newDirectory } from "../support/new-directory.ts";
import { type TestApp, testApp } from "../support/test-app.ts";
import { createVirtualClock } from "../support/test-clock.ts";
import { silentLog } from "../support/test-store.ts";
import { type UnsteadyServer, unsteadyServer } from "../support/unsteady-server.ts";
import { until } from "../support/until.ts";
import { logOf, testConfig } from "../support/whole-app.ts";

let engine: Supervisor;
let server: UnsteadyServer;
let address: string;

before(async () => {
	engine = await superviseStoreProcess({ directory: newDirectory(), memoryBytes: 1024 ** 3, log: silentLog });
	const { url, socketPath } = engine.address() ?? assert.fail("the engine does not run");
	server = await unsteadyServer(socketPath ?? assert.fail("the engine has no socket"));
	const reached = new URL(url);
	reached.host = `127.0.0.1:${server.port}`;
	address = reached.href;
});
after(async () => {
	await server.close();
	await engine.close();
});

let dataDir: string;
beforeEach(() => {
	dataDir = newDirectory();
});

/** The service on the unsteady server, as it is when it starts to listen. */
const open = (now = "2026-11-21T12:00:00.000Z", url = address): Promise<TestApp> =>
	testApp({ dataDir, now, env: { CLICKHOUSE_URL: url }, waitsForVisits: false });

const hit = (app: TestApp, site: string, path: string) => sendHit(app, { site, url: `https://shop.example${path}` });

const stored = (app: TestApp, site: string) =>
	app.eventStore.query<{ path: string; entrance: number }>({
		sql: "SELECT path, entrance FROM events WHERE site = {site:String} AND kind = 'pageview' ORDER BY ts",
		params: { site },
	});

const ready = async (app: TestApp) => (await app.inject({ url: "/readyz" })).json();

for (const fault of ["goAway", "fallSilent"] as const) {
	const state = fault === "goAway" ? "away" : "silent";

	test(`a service that starts while ClickHouse is ${state} keeps hits, says so, and goes on when it is back`, async () => {
		await server[fault]();
		await using app = await open();
		const session = await signIn(app);
		const { headers } = session;
		const site = await createSite(app, session, { name: `Shop ${state}` });
		const url = `/api/v1/stats/overview?account_id=${site}&period=today`;
		const report = async () => (await app.inject({ url, headers })).statusCode;
		const held = hit(app, site, "/one");
		const checks = { database: "failed", migrations: "failed", storage: "ok" };
		assert.deepEqual(await ready(app), { status: "not_ready", checks });
		assert.equal(await report(), 503);
		assert.equal(await held, 204, "it waited for the visits of before, ten seconds at most");
		await server.comeBack();
		await app.eventTables.whenReady;
		await until(async () => {
			await app.collector?.flush();
			return (await stored(app, site)).length > 0;
		});
		assert.deepEqual(await stored(app, site), [{ path: "/one", entrance: 1 }]);
		assert.equal((await ready(app)).status, "ready");
		assert.equal(await report(), 200);
		assert.match(app.logLines.join(""), /running sessions start over/);
		assert.match(app.logLines.join(""), /"setting":"CLICKHOUSE_URL".*The event store is not available/);
	});
}

test("a server that is back answers its ping, and statements only once its tables are up to date", async () => {
	await server.goAway();
	const clock = createVirtualClock("2026-11-21T12:00:00.000Z");
	const { promise: hasFailed, resolve } = Promise.withResolvers<void>();
	const config = testConfig(dataDir, { CLICKHOUSE_URL: address });
	const { eventStore, eventTables, close } = await openStores(
		config,
		logOf("error", () => resolve()),
		{ isPatient: true, clock },
	);
	await hasFailed;
	await server.comeBack();
	await eventStore.ping();
	const question = { sql: "SELECT 1 AS one" };
	const early: Readonly<Record<string, () => Promise<unknown>>> = {
		query: () => eventStore.query(question),
		stream: () => Array.fromAsync(eventStore.stream(question)),
		streamBytes: () => Array.fromAsync(eventStore.streamBytes({ ...question, format: "TSVRaw" })),
		insert: () => eventStore.insert({ table: "events", columns: [], tsv: Buffer.alloc(0), deduplicationToken: "1" }),
		command: () => eventStore.command("SELECT 1"),
	};
	for (const [name, run] of Object.entries(early)) await assert.rejects(run, { code: "database_unavailable" }, name);
	clock.advance(100);
	await eventTables.whenReady;
	assert.deepEqual(await eventStore.query(question), [{ one: 1 }]);
	await close();
});

test("a visit goes on when ClickHouse comes back within ten seconds of the start", async () => {
	await server.comeBack();
	const before = await open();
	const site = await createSite(before, await signIn(before), { name: "Shop back" });
	assert.equal(await hit(before, site, "/one"), 204);
	await before.close();
	await server.goAway();
	await using app = await open("2026-11-21T12:01:00.000Z");
	const held = hit(app, site, "/two");
	await ready(app);
	await server.comeBack();
	assert.equal(await held, 204);
	await app.collector?.flush();
	assert.deepEqual(await stored(app, site), [
		{ path: "/one", entrance: 1 },
		{ path: "/two", entrance: 0 },
	]);
});

test("a process that collects nothing ends with a line that names the setting", async () => {
	await server.goAway();
	const env = { CLICKHOUSE_URL: address, ROLES: "api,jobs" };
	await assert.rejects(testApp({ dataDir, env }), /^Error: CLICKHOUSE_URL: The database is not reachable/);
});

test("wrong credentials are named, and the process goes on to keep hits", async () => {
	await server.comeBack();
	await using app = await open(undefined, address.replace(/:[^:@/]+@/, ":wrong@"));
	await until(() => /"setting":"CLICKHOUSE_URL".*The event store is not available/.test(app.logLines.join("")));
	assert.equal((await app.inject({ url: "/readyz" })).statusCode, 503);
});
