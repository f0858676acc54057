import assert from "node:assert/strict";
import { chmodSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { createSite, signIn } from "../../test/support/accounts.ts";
import { askPlainly } from "../../test/support/ask-plainly.ts";
import { cli } from "../../test/support/cli.ts";
import { type Around, findings, ills } from "../../test/support/doctor-findings.ts";
import { sendHit } from "../../test/support/hits.ts";
import { engineError } from "../../test/support/model-store.ts";
import { testApp } from "../../test/support/test-app.ts";
import { testCertificate } from "../../test/support/test-certificate.ts";
import { insertRun } from "../features/operating/backup/index.ts";
import type { MigrationTables } from "../platform/metadata/migrate-metadata.ts";
import { exitCode } from "./doctor/finding.ts";

const MINUTE = 60_000;
const DAY = 86_400_000;
const directory = mkdtempSync(join(tmpdir(), "footfall-doctor-"));
after(() => rmSync(directory, { recursive: true, force: true }));

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
	const small = await findings(dataDir, { app, env: { EVENT_STORE_MEMORY: "384MB" } });
	const capacity = small.find(({ check }) => check === "capacity")?.message ?? "";
	assert.match(capacity, /^Good for about 2M rows, a hit being 1\.2 of them, and \d+K hits a second$/);
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

test("backups that fail, or are made less often than they should be, are found", async (t) => {
	const app = await testApp({ now: new Date().toISOString() });
	t.after(() => app.close());
	const { dataDir } = app.config;
	const ended = async (status: "done" | "failed") => {
		const at = Date.now();
		await insertRun(app.metadata, { backup_id: status, status, started_at: at, ended_at: at });
	};
	const told = async (around: Around = {}) => {
		const found = await findings(dataDir, { env: { BACKUP_TO: join(directory, "backups") }, ...around });
		return found.filter(({ check }) => check === "backups").map(({ level, message }) => [level, message]);
	};
	assert.deepEqual(await told({ env: {} }), [["note", "No backups are made by themselves"]]);
	assert.deepEqual(await told(), [["note", "No backup was made yet"]]);
	await ended("done");
	assert.deepEqual(await told(), [["ok", "The last backup was made 0 hours ago"]]);
	assert.deepEqual(await told({ ahead: 2 * DAY }), [["warning", "The last backup was made 48 hours ago"]]);
	await ended("failed");
	assert.deepEqual(await told(), [["fault", "The last backup failed"]]);
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

test("the command prints findings for people and programs, and its exit code says how grave they are", async () => {
	const DATA_DIR = mkdtempSync(join(directory, "command-"));
	const env = { DATA_DIR, XDG_RUNTIME_DIR: directory, NODE_ENV: "test", SECRET_KEY: "a".repeat(40) };
	const wrong = await cli(["doctor", "--json"], { env: { ...env, SESSION_TIMEOUT_MINUTES: "never" } });
	const { status, findings: found } = JSON.parse(wrong.out);
	assert.deepEqual([wrong.code, status, found.length], [2, "fault", 1]);
	assert.match(found[0].message, /^SESSION_TIMEOUT_MINUTES must be/);
	const fresh = await cli(["doctor", "--no-sites"], { env });
	assert.match(fresh.out, /^note +service +No service runs on DATA_DIR\n +-> footfall start$/m);
	assert.doesNotMatch(fresh.out, /aaaa/);
	assert.deepEqual(readdirSync(DATA_DIR), []);
});
