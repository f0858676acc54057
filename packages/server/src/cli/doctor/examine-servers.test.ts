import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo, Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, type TestContext, test } from "node:test";
import { createSite, signIn } from "../../../test/support/accounts.ts";
import { askPlainly } from "../../../test/support/ask-plainly.ts";
import { clickHouseStandIn } from "../../../test/support/clickhouse-stand-in.ts";
import { findings, ills } from "../../../test/support/doctor-findings.ts";
import { freePort } from "../../../test/support/free-port.ts";
import { sendHit } from "../../../test/support/hits.ts";
import { mailServers } from "../../../test/support/mail-servers.ts";
import { type TestApp, testApp } from "../../../test/support/test-app.ts";
import { testCertificate } from "../../../test/support/test-certificate.ts";
import { migratedSchema, postgresSkip, testSchema } from "../../../test/support/test-schema.ts";
import { exitCode } from "./finding.ts";

const DAY = 86_400_000;
const directory = mkdtempSync(join(tmpdir(), "footfall-doctor-servers-"));
after(() => rmSync(directory, { recursive: true, force: true }));

async function serve(t: TestContext, server: Server): Promise<number> {
	await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
	t.after(async () => {
		if ("closeAllConnections" in server && typeof server.closeAllConnections === "function")
			server.closeAllConnections();
		await new Promise((done) => server.close(done));
	});
	return (server.address() as AddressInfo).port;
}

/** A proxy that tells who came, as it should or not. */
const proxyTo =
	(address: string, told: Readonly<Record<string, string>>): RequestListener =>
	async ({ url = "", headers: asked }, answer) => {
		const headers = { ...told, host: asked.host ?? "", "x-footfall-probe": String(asked["x-footfall-probe"]) };
		const passed = await askPlainly(address + url, { headers });
		answer
			.writeHead(passed.status, { "x-footfall-probe": String(passed.headers["x-footfall-probe"]) })
			.end(passed.text);
	};

test("servers that are away and settings that are wrong are named by their setting, without address or password", async (t) => {
	const port = await freePort();
	const dataDir = mkdtempSync(join(directory, "away-"));
	const env = {
		DATABASE_URL: `postgres://wilhelmina:hunter2@127.0.0.1:${port}/x`,
		CLICKHOUSE_URL: `http://wilhelmina:hunter2@127.0.0.1:${port}/x`,
		REDIS_URL: `redis://wilhelmina:hunter2@127.0.0.1:${port}`,
		SMTP_URL: `smtp://wilhelmina:hunter2@127.0.0.1:${port}`,
		FOOTFALL_PORT: "80",
	};
	const found = await findings(dataDir, { env });
	assert.deepEqual(ills(found), [
		"warning settings: FOOTFALL_PORT is no setting of Footfall; did you mean PORT?",
		"fault accounts: DATABASE_URL cannot be used (ECONNREFUSED)",
		"fault event store: The server of CLICKHOUSE_URL cannot be used (database_unavailable)",
		"fault redis: The server of REDIS_URL cannot be used (ECONNREFUSED)",
		"fault mail: The mail server does not accept us (ESOCKET)",
	]);
	assert.equal(exitCode(found), 2);
	assert.doesNotMatch(JSON.stringify(found), new RegExp(`hunter2|127\\.0\\.0\\.1|wilhelmina|:${port}`));
	const mail = mailServers();
	t.after(() => mail.close());
	const accepting = await mail.smtp();
	const strict = await mail.smtp({ authOptional: false, onAuth: (_auth, _session, done) => done(new Error("no")) });
	const withMail = async (url: string) => ills(await findings(dataDir, { env: { SMTP_URL: url } }));
	assert.deepEqual(await withMail(`smtp://127.0.0.1:${accepting.port}`), []);
	// Any address but that of loopback is one of another machine.
	assert.deepEqual(await withMail(`smtp://0.0.0.0:${accepting.port}`), [
		"warning mail: Mails may leave unencrypted, or to a server whose certificate is not checked",
	]);
	assert.deepEqual(await withMail(`smtp://wilhelmina:hunter2@127.0.0.1:${strict.port}`), [
		"fault mail: The mail server does not accept us (EAUTH)",
	]);
	assert.equal(accepting.received.length, 0);
});

test("a public address that leads elsewhere, and proxies that are not trusted or pass no addresses on, are found", async (t) => {
	const app = await testApp({ env: { TRUST_PROXY: "127.0.0.1", PUBLIC_URL: "https://stats.example" } });
	const untrusting = await testApp({ env: { TRUST_PROXY: "false" } });
	t.after(async () => {
		await app.close();
		await untrusting.close();
	});
	const behind = async (service: TestApp, listener: RequestListener) => {
		const env = { PUBLIC_URL: `http://127.0.0.1:${await serve(t, createServer(listener))}` };
		return ills(await findings(service.config.dataDir, { env, app: service }));
	};
	const address = await app.address();
	const told = { "x-forwarded-for": "203.0.113.7", "x-forwarded-proto": "https" };
	assert.deepEqual(await behind(app, proxyTo(address, told)), []);
	assert.deepEqual(await behind(untrusting, proxyTo(await untrusting.address(), told)), [
		"fault public address: A proxy passes requests on and is not trusted",
	]);
	assert.deepEqual(await behind(app, proxyTo(await untrusting.address(), told)), [
		"fault public address: PUBLIC_URL leads to something else than this service (answer 200)",
	]);
	await createSite(app, await signIn(app));
	const hits = (address: (visitor: number) => string) =>
		Promise.all(
			Array.from({ length: 100 }, (_, visitor) => {
				const userAgent = `Mozilla/5.0 (X11; Linux x86_64; rv:14${visitor % 10}.0) Gecko/20100101 Firefox/14${visitor % 10}.0`;
				const headers = { "sec-ch-ua": "", "sec-ch-ua-platform": "", "sec-ch-ua-mobile": "" };
				return sendHit(app, { site: "shop", url: "https://shop.example/", ip: address(visitor), userAgent, headers });
			}),
		);
	const shared = () => app.logLines.filter((line) => line.includes("Almost all hits have one address"));
	await hits((visitor) => `203.0.113.${visitor}`);
	assert.deepEqual([shared(), await behind(app, proxyTo(address, told))], [[], []]);
	app.clock.advance(2 * DAY);
	for (let again = 0; again < 2; again++) await hits((visitor) => `198.51.100.${visitor % 2}`);
	assert.equal(shared().length, 1);
	assert.deepEqual(await behind(app, proxyTo(address, told)), [
		"warning public address: Almost all hits have one address, or a few: their visitors count as one",
	]);
	const away = { PUBLIC_URL: `http://127.0.0.1:${await freePort()}` };
	assert.deepEqual(ills(await findings(app.config.dataDir, { env: away, app })), [
		"fault public address: PUBLIC_URL does not answer (ECONNREFUSED)",
	]);
});

test("logs that a ClickHouse server keeps of itself without end are found", async (t) => {
	const standIn = await clickHouseStandIn();
	t.after(() => standIn.close());
	const dataDir = mkdtempSync(join(directory, "own-logs-"));
	const found = async () => {
		const all = await findings(dataDir, { env: { CLICKHOUSE_URL: standIn.url } });
		return ills(all).filter((line) => line.includes("event store"));
	};
	const log = (name: string, end = "") =>
		standIn.store.command(
			`CREATE TABLE system.${name} (event_date Date) ENGINE = MergeTree ORDER BY event_date ${end}`,
		);
	await log("query_log", "TTL event_date + INTERVAL 7 DAY");
	assert.deepEqual(await found(), []);
	await log("metric_log");
	await log("trace_log_0");
	assert.deepEqual(await found(), [
		"warning event store: ClickHouse keeps logs of itself without end, 0.0 GiB by now: metric_log, trace_log_0",
	]);
});

test("a certificate that ends soon is found, whoever shows it", async (t) => {
	const { cert, key } = await testCertificate();
	const port = await serve(
		t,
		createTlsServer({ cert, key }, (_request, response) => void response.end()),
	);
	const dataDir = mkdtempSync(join(directory, "certificate-"));
	const lines = async (daysAhead: number) => {
		const env = { PUBLIC_URL: `https://localhost:${port}` };
		const found = await findings(dataDir, { env, ahead: daysAhead * DAY });
		return found.filter(({ check }) => check === "certificate").map(({ level }) => level);
	};
	assert.deepEqual(await lines(0), ["ok"]);
	assert.deepEqual(await lines(355), ["warning"]);
	assert.deepEqual(await lines(364), ["fault"]);
	assert.deepEqual(await lines(400), ["fault"]);
});

test("a clock that is apart from PostgreSQL's is found", { skip: postgresSkip }, async () => {
	const schema = await testSchema();
	try {
		const dataDir = mkdtempSync(join(directory, "clock-"));
		const clocks = async (ahead: number) => {
			const found = await findings(dataDir, { env: { DATABASE_URL: schema.url }, ahead });
			return found.filter(({ check }) => check === "clock").map(({ level }) => level);
		};
		assert.deepEqual(await clocks(30_000), ["warning"]);
		assert.deepEqual(await clocks(-120_000), ["fault"]);
	} finally {
		await schema.drop();
	}
});

test("several collectors that share no Redis are found, and the second one says so", {
	skip: postgresSkip,
}, async (t) => {
	const schema = await migratedSchema();
	const env = { DATABASE_URL: schema.url, SECRET_KEY: "the secret that all collectors of the test share" };
	const apps: TestApp[] = [];
	for (const _ of ["one", "two"]) apps.push(await testApp({ env, now: new Date().toISOString() }));
	t.after(async () => {
		for (const app of apps) await app.close();
		await schema.drop();
	});
	const [one, two] = apps;
	assert.ok(one && two);
	const found = ills(await findings(two.config.dataDir, { env })).filter((line) => line.includes("Redis"));
	assert.deepEqual(found, ["warning redis: 2 collectors are at work without Redis"]);
	apps.pop();
	await two.close();
	assert.ok(two.logLines.some((line) => line.includes("give all of them the same REDIS_URL")));
	assert.ok(!one.logLines.some((line) => line.includes("REDIS_URL")));
});
