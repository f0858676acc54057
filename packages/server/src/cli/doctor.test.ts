import assert from "node:assert/strict";
import { chmodSync, readdirSync, writeFileSync } from "node:fs";
import { createServer, type RequestListener, type Server } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { sql } from "kysely";
import { createSite, sharedTestApp, signIn } from "../../test/support/accounts.ts";
import { askPlainly } from "../../test/support/ask-plainly.ts";
import { cli } from "../../test/support/cli.ts";
import { clickHouseStandIn } from "../../test/support/clickhouse-stand-in.ts";
import { type Around, findings, ills } from "../../test/support/doctor-findings.ts";
import { freePort } from "../../test/support/free-port.ts";
import { sendHit } from "../../test/support/hits.ts";
import { listenLocally } from "../../test/support/local-server.ts";
import { mailServers } from "../../test/support/mail-servers.ts";
import { engineError, refusingInserts } from "../../test/support/model-store.ts";
import { newDirectory } from "../../test/support/new-directory.ts";
import { type TestApp, testApp } from "../../test/support/test-app.ts";
import { testCertificate } from "../../test/support/test-certificate.ts";
import { migratedSchema, postgresSkip, testSchema } from "../../test/support/test-schema.ts";
import { insertRun } from "../features/operating/backup/index.ts";
import { exitCode, type Finding } from "./doctor/finding.ts";

const MINUTE = 60_000;
const DAY = 86_400_000;
const directory = newDirectory();
/** Servers, certificates and files are examined too, which have the machine's time. */
const now = () => new Date().toISOString();
const ofCheck = (found: readonly Finding[], name: string) =>
	found.filter(({ check }) => check === name).map(({ level, message }) => `${level}: ${message}`);

async function serve(t: TestContext, server: Server): Promise<number> {
	const { port, close } = await listenLocally(server);
	t.after(close);
	return port;
}

/** A proxy that tells who came. */
const proxyTo =
	(address: string): RequestListener =>
	async ({ url = "", headers: asked }, answer) => {
		const told = { "x-forwarded-for": "203.0.113.7", "x-forwarded-proto": "https", host: asked.host ?? "" };
		const headers = { ...told, "x-footfall-probe": String(asked["x-footfall-probe"]) };
		const passed = await askPlainly(address + url, { headers });
		answer.writeHead(passed.status, { "x-footfall-probe": String(passed.headers["x-footfall-probe"]) });
		answer.end(passed.text);
	};

test("servers that are away and settings that are wrong are named by their setting, without address or password", async (t) => {
	const port = await freePort();
	const dataDir = newDirectory();
	const server = `wilhelmina:hunter2@127.0.0.1:${port}`;
	const env = {
		DATABASE_URL: `postgres://${server}/x`,
		CLICKHOUSE_URL: `http://${server}/x`,
		REDIS_URL: `redis://${server}`,
		SMTP_URL: `smtp://${server}`,
		FOOTFALL_PORT: "80",
	};
	const found = await findings(dataDir, { env });
	assert.deepEqual(ills(found), [
		"warning settings: FOOTFALL_PORT is no setting of Footfall; did you mean PORT?",
		"fault accounts: DATABASE_URL cannot be used (ECONNREFUSED)",
		"fault event store: The server of CLICKHOUSE_URL cannot be used (database_unavailable)",
		"fault redis: The server of REDIS_URL cannot be used (ECONNREFUSED)",
		"fault mail: The mail server refuses the login (ESOCKET)",
	]);
	assert.equal(exitCode(found), 2);
	assert.doesNotMatch(JSON.stringify(found), new RegExp(`hunter2|127\\.0\\.0\\.1|wilhelmina|:${port}`));
	const mail = mailServers();
	t.after(() => mail.close());
	const accepting = await mail.smtp();
	const strict = await mail.smtp({ authOptional: false, onAuth: (_auth, _session, done) => done(new Error("no")) });
	for (const [SMTP_URL, ...expected] of [
		[`smtp://127.0.0.1:${accepting.port}`],
		// Any address but that of loopback is one of another machine.
		[
			`smtp://0.0.0.0:${accepting.port}`,
			"warning mail: Mails may be sent unencrypted, or to a server whose certificate is not verified",
		],
		[`smtp://wilhelmina:hunter2@127.0.0.1:${strict.port}`, "fault mail: The mail server refuses the login (EAUTH)"],
	]) {
		assert.deepEqual(ills(await findings(dataDir, { env: { SMTP_URL: String(SMTP_URL) } })), expected);
	}
	assert.equal(accepting.received.length, 0);
});

test("a public address that leads elsewhere, and proxies that are not trusted or pass no addresses on, are found", async (t) => {
	await using app = await testApp({ env: { TRUST_PROXY: "127.0.0.1", PUBLIC_URL: "https://stats.example" } });
	await using untrusting = await testApp({ env: { TRUST_PROXY: "false" } });
	/** What is found of a service whose PUBLIC_URL is a proxy that leads to the same or another one. */
	const behindProxy = async (service: TestApp, other = service) => {
		const env = { PUBLIC_URL: `http://127.0.0.1:${await serve(t, createServer(proxyTo(await other.address())))}` };
		return ills(await findings(service.config.dataDir, { env, app: service }));
	};
	assert.deepEqual(await behindProxy(app), []);
	assert.deepEqual(await behindProxy(untrusting), [
		"fault public address: Requests come through a proxy that is not trusted",
	]);
	assert.deepEqual(await behindProxy(app, untrusting), [
		"fault public address: PUBLIC_URL is answered by another service (status 200)",
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
	assert.deepEqual([shared(), await behindProxy(app)], [[], []]);
	app.clock.advance(2 * DAY);
	for (let again = 0; again < 2; again++) await hits((visitor) => `198.51.100.${visitor % 2}`);
	assert.equal(shared().length, 1);
	assert.deepEqual(await behindProxy(app), [
		"warning public address: Almost all hits come from one or a few addresses: their visitors count as one",
	]);
	const away = { PUBLIC_URL: `http://127.0.0.1:${await freePort()}` };
	assert.deepEqual(ills(await findings(app.config.dataDir, { env: away, app })), [
		"fault public address: PUBLIC_URL does not answer (ECONNREFUSED)",
	]);
});

test("logs that a ClickHouse server keeps of itself without end are found", async (t) => {
	const standIn = await clickHouseStandIn();
	t.after(() => standIn.close());
	const dataDir = newDirectory();
	const found = async () => {
		const all = await findings(dataDir, { env: { CLICKHOUSE_URL: standIn.url } });
		return ills(all).filter((line) => line.includes("event store"));
	};
	const log = (name: string, end = "") =>
		standIn.store.command(`CREATE TABLE system.${name} (day Date) ENGINE = MergeTree ORDER BY day ${end}`);
	await log("query_log", "TTL day + INTERVAL 7 DAY");
	assert.deepEqual(await found(), []);
	await log("metric_log");
	await log("trace_log_0");
	assert.deepEqual(await found(), [
		"warning event store: System tables of ClickHouse grow without a TTL, now 0.0 GiB: metric_log, trace_log_0",
	]);
});

test("a certificate that ends soon is found, whoever shows it", async (t) => {
	const { cert, key } = await testCertificate();
	const port = await serve(
		t,
		createTlsServer({ cert, key }, (_request, response) => void response.end()),
	);
	const env = { PUBLIC_URL: `https://localhost:${port}` };
	for (const [days, level] of [
		[0, "ok"],
		[355, "warning"],
		[364, "fault"],
		[400, "fault"],
	] as const) {
		const [line, ...more] = ofCheck(await findings(newDirectory(), { env, ahead: days * DAY }), "certificate");
		assert.deepEqual([line?.split(":")[0], more], [level, []], `${days} days ahead`);
	}
});

test("a clock that is apart from PostgreSQL's is found", { skip: postgresSkip }, async (t) => {
	const schema = await testSchema();
	t.after(() => schema.drop());
	for (const [ahead, level] of [
		[30_000, /^warning/],
		[-120_000, /^fault/],
	] as const) {
		const found = await findings(newDirectory(), { env: { DATABASE_URL: schema.url }, ahead });
		assert.match(ofCheck(found, "clock").join("\n"), level);
	}
});

test("collectors that share no Redis are found, and the second one says so", { skip: postgresSkip }, async (t) => {
	const schema = await migratedSchema();
	const env = {
		DATABASE_URL: schema.url,
		SECRET_KEY: "the secret that all collectors of the test share",
		ALLOW_DIFFERENT_SETTINGS: "true",
	};
	const apps: TestApp[] = [];
	for (const _ of ["one", "two"]) apps.push(await testApp({ env, now: now() }));
	t.after(async () => {
		for (const app of apps) await app.close();
		await schema.drop();
	});
	const [one, two] = apps;
	assert.ok(one && two);
	const found = ills(await findings(two.config.dataDir, { env })).filter((line) => line.includes("Redis"));
	assert.deepEqual(found, ["warning redis: 2 collectors run without Redis"]);
	apps.pop();
	await two.close();
	assert.ok(two.logLines.some((line) => line.includes("give all of them the same REDIS_URL")));
	assert.ok(!one.logLines.some((line) => line.includes("REDIS_URL")));
});

test("rights of others, a directory that is none and files that do not fit are found", async () => {
	const dataDir = newDirectory();
	const file = join(dataDir, "metadata.txt");
	writeFileSync(file, "");
	chmodSync(file, 0o640);
	assert.deepEqual(ills(await findings(dataDir)), [
		"warning data directory: Other users of the machine can read files in DATA_DIR: metadata.txt",
	]);
	assert.deepEqual(ills(await findings(file)), ["fault data directory: DATA_DIR is no directory"]);
	const env = { TLS_CERT: join(directory, "a.crt"), TLS_KEY: join(directory, "b.key") };
	writeFileSync(env.TLS_CERT, (await testCertificate()).cert);
	writeFileSync(env.TLS_KEY, (await testCertificate()).key);
	chmodSync(file, 0o600);
	assert.deepEqual(ills(await findings(dataDir, { env })), [
		"fault certificate files: TLS_KEY is not the key of the certificate",
	]);
	assert.ok(!readdirSync(dataDir).some((name) => name.startsWith("doctor") || name === "secret.key"));
});

test("hits that wait for long, rows that were refused and jobs that wait or were given up are found", async (t) => {
	let isAway = false;
	const app = await testApp({
		now: now(),
		wrapEventStore: refusingInserts((rows) => {
			if (isAway) return engineError("TOO_MANY_PARTS");
			return rows.includes("/refused") ? engineError("CANNOT_PARSE_TEXT") : undefined;
		}),
	});
	t.after(() => {
		isAway = false;
		return app.close();
	});
	const site = await createSite(app, await signIn(app), { domains: ["shop.example"] });
	const { dataDir } = app.config;
	await sendHit(app, { site, url: "https://shop.example/refused" });
	await app.collector?.flush();
	isAway = true;
	await sendHit(app, { site, url: "https://shop.example/waits" });
	await app.collector?.flush();
	app.jobs.register("doomed", () => Promise.reject(new Error("no")), { maxAttempts: 1 });
	await app.jobs.enqueue(app.metadata, { kind: "doomed", payload: {} });
	await app.jobs.runDue();
	await app.jobs.enqueue(app.metadata, { kind: "nobody", payload: {} });
	const found = await findings(dataDir, { app, ahead: 20 * MINUTE });
	const lines = ills(found).filter((line) => /spool|jobs/.test(line));
	const told = lines.map((line) => line.replace(/\d+ minutes/, "minutes"));
	assert.deepEqual(told, [
		"warning jobs: A job is minutes overdue",
		"warning jobs: 1 failed jobs: doomed",
		"warning spool: 0.0 MiB wait for the event store, for minutes",
		"warning spool: The event store refused 1 rows; they are kept in spool/refused",
	]);
	assert.equal(exitCode(found), 1);
});

test("the command prints findings for people and programs, and its exit code says how grave they are", async () => {
	const DATA_DIR = newDirectory();
	const env = { DATA_DIR, XDG_RUNTIME_DIR: directory, NODE_ENV: "test", SECRET_KEY: "a".repeat(40) };
	const wrong = await cli(["doctor", "--json"], { env: { ...env, SESSION_TIMEOUT_MINUTES: "never" } });
	const { status, findings: found } = JSON.parse(wrong.out);
	assert.deepEqual([wrong.code, status, found.length], [2, "fault", 1]);
	assert.match(found[0].message, /^SESSION_TIMEOUT_MINUTES must be/);
	const fresh = await cli(["doctor", "--no-sites"], { env });
	assert.match(fresh.out, /^note +service +No service is running on DATA_DIR\n +-> footfall start$/m);
	assert.doesNotMatch(fresh.out, /aaaa/);
	assert.deepEqual(readdirSync(DATA_DIR), []);
});

/** Sound at first; what a test does to it stays for the next ones. */
const app = sharedTestApp({ now: now() });

test("of a sound installation there is nothing to mend, whether the service runs or not; each site tells its last hit", async () => {
	const session = await signIn(app, { role: "superadmin" });
	const site = await createSite(app, session, { domains: ["shop.example"] });
	const { dataDir } = app.config;
	const forged = await askPlainly(`${await app.address()}/livez`, { headers: { "x-footfall-probe": "ask.me" } });
	assert.deepEqual([forged.status, forged.headers["x-footfall-probe"]], [200, undefined]);
	const running = await findings(dataDir, { app, env: { PUBLIC_URL: await app.address() } });
	assert.deepEqual(ills(running), []);
	const messages = running.map(({ message }) => message);
	for (const told of ["PUBLIC_URL reaches this service", "The service is ready", `${site}: no hits stored yet`]) {
		assert.ok(messages.includes(told), told);
	}
	const [capacity] = ofCheck(await findings(dataDir, { app, env: { EVENT_STORE_MEMORY: "384MB" } }), "capacity");
	assert.match(capacity ?? "", /: Enough for about 2M rows \(1\.2 rows a hit\) and \d+K hits a second$/);
	assert.equal(await sendHit(app, { site, url: "https://shop.example/" }), 204);
	await app.collector?.flush();
	const [hit] = ofCheck(await findings(dataDir, { app }), "sites");
	assert.match(hit ?? "", /: last hit stored \d+ minutes ago$/);
	const [quiet] = ofCheck(await findings(dataDir, { app, ahead: 4 * DAY }), "sites");
	assert.equal(quiet, `warning: ${site}: last hit stored 4 days ago`);
	const stopped = await findings(dataDir);
	assert.deepEqual(ills(stopped), []);
	assert.ok(stopped.some(({ message }) => message === "No service is running on DATA_DIR"));
});

test("backups that fail, or are made less often than they should be, are found", async () => {
	const at = app.clock.now();
	const ended = (status: "done" | "failed") =>
		insertRun(app.metadata, { backup_id: status, status, started_at: at, ended_at: at });
	const told = async (around: Around = {}) => {
		const env = { BACKUP_TO: join(directory, "backups") };
		return ofCheck(await findings(app.config.dataDir, { env, ...around }), "backups").join();
	};
	assert.equal(await told({ env: {} }), "note: No scheduled backups");
	assert.equal(await told(), "note: No backup yet");
	await ended("done");
	assert.equal(await told(), "ok: The last backup is 0 hours old");
	assert.equal(await told({ ahead: 2 * DAY }), "warning: The last backup is 48 hours old");
	await ended("failed");
	assert.equal(await told(), "fault: The last backup failed");
});

test("tables of an older or a newer version are found", async () => {
	const { metadata, config } = app;
	await sql`delete from metadata_migrations where name = (select max(name) from metadata_migrations)`.execute(metadata);
	assert.deepEqual(ills(await findings(config.dataDir, { app })), ["warning accounts: 1 migrations are pending"]);
	await sql`insert into metadata_migrations (name, applied_at) values ('9999-of-tomorrow', 0)`.execute(metadata);
	assert.deepEqual(ills(await findings(config.dataDir)), [
		"fault accounts: The accounts were written by a newer version of Footfall",
	]);
});
