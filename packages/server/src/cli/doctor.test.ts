import assert from "node:assert/strict";
import { chmodSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo, Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, type TestContext, test } from "node:test";
import { createSite, signIn } from "../../test/support/accounts.ts";
import { askPlainly } from "../../test/support/ask-plainly.ts";
import { command } from "../../test/support/command.ts";
import { freePort } from "../../test/support/free-port.ts";
import { sendHit } from "../../test/support/hits.ts";
import { mailServers } from "../../test/support/mail-servers.ts";
import { engineError } from "../../test/support/model-store.ts";
import { type TestApp, testApp } from "../../test/support/test-app.ts";
import { testCertificate } from "../../test/support/test-certificate.ts";
import { postgresSkip, testSchema } from "../../test/support/test-schema.ts";
import { makePrivate } from "../platform/files/make-private.ts";
import type { MigrationTables } from "../platform/metadata/migrate-metadata.ts";
import { examine } from "./doctor/examine.ts";
import { exitCode, type Finding } from "./doctor/finding.ts";

const MINUTE = 60_000;
const DAY = 86_400_000;
const directory = mkdtempSync(join(tmpdir(), "footfall-doctor-"));
after(() => rmSync(directory, { recursive: true, force: true }));

interface Around {
	readonly env?: Readonly<Record<string, string>>;
	/** Milliseconds by which the doctor's clock is ahead of the machine's. */
	readonly ahead?: number;
	/** The service that runs on the directory. */
	readonly app?: TestApp;
}

/** What a doctor finds of a data directory. */
async function findings(dataDir: string, { env = {}, ahead = 0, app }: Around = {}): Promise<Finding[]> {
	const address = await app?.address();
	// As a start does: the process of the tests lets others read.
	if (app !== undefined) makePrivate(dataDir);
	const service =
		address === undefined
			? undefined
			: { dataDir, address, rootUrl: address, needs: [], roles: ["collect", "api", "jobs"] };
	return examine({
		env: { NODE_ENV: "test", DATA_DIR: dataDir, ...env },
		clock: { now: () => Date.now() + ahead },
		serviceOn: () => service,
		asksSites: true,
		// The machine of the tests may be busy.
		answerMs: 100_000,
	});
}

/** What has to be mended, but for the speed and the load of the machine that the tests run on. */
const ills = (found: readonly Finding[]) =>
	found
		.filter(({ check, level }) => (level === "warning" || level === "fault") && check !== "disk" && check !== "memory")
		.map(({ check, level, message }) => `${level} ${check}: ${message}`);

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

test("of a sound installation there is nothing to mend, whether the service runs or not; what is sent tells of its sites", async (t) => {
	const app = await testApp({ now: new Date().toISOString() });
	t.after(() => app.close());
	const session = await signIn(app, { role: "superadmin" });
	const site = await createSite(app, session, { domains: ["shop.example"] });
	const { dataDir } = app.config;
	const forged = await askPlainly(`${await app.address()}/livez`, { headers: { "x-footfall-probe": "ask.me" } });
	assert.deepEqual([forged.status, forged.headers["x-footfall-probe"]], [200, undefined]);
	const running = await findings(dataDir, { app, env: { PUBLIC_URL: await app.address() } });
	assert.deepEqual(ills(running), []);
	const messages = running.map(({ message }) => message);
	assert.ok(messages.includes("PUBLIC_URL leads to this service"));
	assert.ok(messages.includes("The service is ready"));
	assert.ok(messages.includes(`${site}: no hit was ever stored`));
	assert.equal(await sendHit(app, { site, url: "https://shop.example/" }), 204);
	await app.collector?.flush();
	const hit = (await findings(dataDir, { app })).find(({ check }) => check === "sites");
	assert.match(hit?.message ?? "", /^\w+: the last hit was stored \d+ minutes ago$/);
	const quiet = (await findings(dataDir, { app, ahead: 4 * DAY })).find(({ check }) => check === "sites");
	assert.deepEqual([quiet?.level, quiet?.message], ["warning", `${site}: the last hit was stored 4 days ago`]);
	const stopped = await findings(dataDir);
	assert.deepEqual(ills(stopped), []);
	assert.ok(stopped.some(({ message }) => message === "No service runs on DATA_DIR"));
});

test("rights of others, a directory that is none and files that do not fit are found", async () => {
	const dataDir = mkdtempSync(join(directory, "rights-"));
	const file = join(dataDir, "metadata.txt");
	writeFileSync(file, "");
	chmodSync(file, 0o644);
	assert.deepEqual(ills(await findings(dataDir)), [
		"warning data directory: Other users of the machine can read in DATA_DIR: metadata.txt",
	]);
	assert.deepEqual(ills(await findings(file)), ["fault data directory: DATA_DIR is no directory"]);
	const { cert } = await testCertificate();
	const { key } = await testCertificate();
	writeFileSync(join(directory, "a.crt"), cert);
	writeFileSync(join(directory, "b.key"), key);
	chmodSync(file, 0o600);
	const env = { TLS_CERT: join(directory, "a.crt"), TLS_KEY: join(directory, "b.key") };
	assert.deepEqual(ills(await findings(dataDir, { env })), [
		"fault certificate files: TLS_KEY is not the key of the certificate",
	]);
	assert.ok(!readdirSync(dataDir).some((name) => name.startsWith("doctor") || name === "secret.key"));
});

test("hits that wait for long, rows that were refused and jobs that wait or were given up are found", async (t) => {
	let isAway = false;
	const app = await testApp({
		now: new Date().toISOString(),
		wrapEventStore: (store) => ({
			...store,
			insert: (rows) => {
				if (isAway) return Promise.reject(engineError("TOO_MANY_PARTS"));
				return Buffer.from(rows.tsv).includes("/refused")
					? Promise.reject(engineError("CANNOT_PARSE_TEXT"))
					: store.insert(rows);
			},
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
		"warning jobs: A due job has waited for minutes",
		"warning jobs: 1 jobs were given up: doomed",
		"warning spool: 0.0 MiB wait for the event store, for minutes",
		"warning spool: The event store refused 1 rows; they are set aside",
	]);
	assert.equal(exitCode(found), 1);
});

test("tables of an older or a newer version are found", async (t) => {
	const app = await testApp();
	t.after(() => app.close());
	const { dataDir } = app.config;
	const steps = app.metadata.withTables<MigrationTables>();
	const rows = await steps.selectFrom("metadata_migrations").selectAll().orderBy("name", "desc").limit(1).execute();
	const [last] = rows;
	await steps.deleteFrom("metadata_migrations").where("name", "=", String(last?.name)).execute();
	assert.deepEqual(ills(await findings(dataDir, { app })), ["warning accounts: 1 steps of the tables are missing"]);
	await steps.insertInto("metadata_migrations").values({ name: "9999-of-tomorrow", applied_at: 0 }).execute();
	assert.deepEqual(ills(await findings(dataDir)), [
		"fault accounts: The accounts belong to a newer version of Footfall",
	]);
});

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
	assert.deepEqual(await withMail(`smtp://wilhelmina:hunter2@127.0.0.1:${strict.port}`), [
		"fault mail: The mail server does not accept us (EAUTH)",
	]);
	assert.equal(accepting.received.length, 0);
});

test("a public address that leads elsewhere, and proxies that are not trusted or silent, are found", async (t) => {
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
	const away = { PUBLIC_URL: `http://127.0.0.1:${await freePort()}` };
	assert.deepEqual(ills(await findings(app.config.dataDir, { env: away, app })), [
		"fault public address: PUBLIC_URL does not answer (ECONNREFUSED)",
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

test("the command prints findings for people and programs, and its exit code says how grave they are", async () => {
	const DATA_DIR = mkdtempSync(join(directory, "command-"));
	const env = { DATA_DIR, XDG_RUNTIME_DIR: directory, NODE_ENV: "test", SECRET_KEY: "a".repeat(40) };
	const wrong = await command(["doctor", "--json"], { env: { ...env, SESSION_TIMEOUT_MINUTES: "never" } });
	const { status, findings: found } = JSON.parse(wrong.out);
	assert.deepEqual([wrong.code, status, found.length], [2, "fault", 1]);
	assert.match(found[0].message, /^SESSION_TIMEOUT_MINUTES must be/);
	const fresh = await command(["doctor", "--no-sites"], { env });
	assert.match(fresh.out, /^note +service +No service runs on DATA_DIR\n +-> footfall start$/m);
	assert.doesNotMatch(fresh.out, /aaaa/);
	assert.deepEqual(readdirSync(DATA_DIR), []);
});
