import assert from "node:assert/strict";
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import packageInfo from "../../../../package.json" with { type: "json" };
import { createSite, type Session, signIn } from "../../../../test/support/accounts.ts";
import { fillWithDemo } from "../../../../test/support/demo-site.ts";
import { sendHits } from "../../../../test/support/hits.ts";
import { giveSiteRole } from "../../../../test/support/site-roles.ts";
import { type TestApp, testApp } from "../../../../test/support/test-app.ts";
import { postgresSkip } from "../../../../test/support/test-schema.ts";
import { words } from "../../../../test/support/words.ts";

const asRoot = { email: "root@example.com", role: "superadmin" } as const;
const systemOf = async (app: TestApp, { headers }: Session) =>
	(await app.inject({ url: "/api/v1/admin/system", headers: { ...headers } })).json().data;

let isAway = false;
const app = await testApp({
	wrapEventStore: (store) => ({
		...store,
		query: (query) => (isAway ? Promise.reject(new Error("away")) : store.query(query)),
		ping: () => (isAway ? Promise.reject(new Error("away")) : store.ping()),
	}),
});
const root = await signIn(app, asRoot);
after(() => app.close());

for (const [engine, onPostgres] of Object.entries({ sqlite: false, postgresql: true })) {
	test(`versions, roles and how much is stored on ${engine}`, { skip: onPostgres && postgresSkip }, async () => {
		await using app = await testApp({ onPostgres });
		const root = await signIn(app, asRoot);
		const site = await createSite(app, root);
		await fillWithDemo(app, { id: site, days: 2, rows: 40 });
		app.clock.advance(90_500);
		const found = await systemOf(app, root);
		assert.deepEqual(found.process, {
			version: packageInfo.version,
			environment: "test",
			node: process.versions.node,
			roles: ["collect", "api", "jobs"],
			root_url: found.process.root_url,
			started_at: "2026-11-21T12:00:00.000Z",
			uptime_seconds: 90,
		});
		const { version, bytes, ...accounts } = found.accounts;
		assert.deepEqual(accounts, { engine, users: 1, organizations: 1, sites: 1 });
		assert.match(version, /^\d+\.\d+/);
		assert.ok(bytes > 10_000, `${bytes} bytes of accounts`);
		assert.equal(found.event_store.engine, "embedded");
		assert.match(found.event_store.version, /^\d+\.\d+/);
		const tables = found.event_store.tables.map(({ table, rows }: { table: string; rows: number }) => [table, rows]);
		assert.deepEqual(tables, [
			["events", 51],
			["bot_hits", 2],
		]);
		assert.ok(found.event_store.tables[0].bytes > 1000);
	});
}

test("memory of both processes, room on the disk of the data and an empty spool are told", async () => {
	const { memory, disks, spool } = await systemOf(app, root);
	const processes = memory.map(({ process: name }: { process: string }) => name);
	assert.deepEqual(processes, ["main", "event_store"]);
	for (const { bytes } of memory) assert.ok(bytes > 10_000_000, `${bytes} bytes of memory`);
	const [{ place, free_bytes: free, total_bytes: total }] = disks;
	assert.ok(place === "data" && free > 0 && free < total);
	const empty = { waiting_bytes: 0, waiting_seconds: 0, refused_rows: 0, damaged_files: 0 };
	assert.deepEqual(spool, { ...empty, max_bytes: app.config.spoolMaxBytes });
});

/** Schedules of a service with the default settings. */
const everySchedule = words(`
	alert-evaluation alert-retention assistant-retention audit-log-retention bigquery-log bigquery-turns
	credential-retention data-retention export-expiry import-expiry ip-allowlist-retention job-retention
	lens-mornings lens-retention mail-recipients-retention mail-reports oauth-retention organization-purge
	outbox-retention session-retention site-purge unclaimed-sites unconfirmed-accounts usage-watch webhook-retention
`);

test("all schedules are listed, with their last and next run", async () => {
	const never = { last_run_at: null, last_status: null, next_run_at: "2026-11-22T03:23:00.000Z" };
	const waiting = (await systemOf(app, root)).schedules.find(({ cron }: { cron: string }) => cron === "23 3 * * *");
	assert.deepEqual(waiting, { name: "audit-log-retention", cron: "23 3 * * *", ...never });
	await app.jobs.runDue();
	app.clock.advance(420_000);
	await app.jobs.runDue();
	const { schedules, jobs } = await systemOf(app, root);
	const listed: (typeof app.jobs.schedules)[number][] = schedules;
	assert.deepEqual(listed.map(({ name }) => name).sort(), everySchedule);
	const expected = app.jobs.schedules.map(({ name, cron }) => ({ name, cron }));
	assert.deepEqual(
		listed.map(({ name, cron }) => ({ name, cron })),
		expected,
	);
	const of = (name: string) => schedules.find((schedule: { name: string }) => schedule.name === name);
	assert.deepEqual(of("oauth-retention"), {
		name: "oauth-retention",
		cron: "7 * * * *",
		last_run_at: "2026-11-21T12:07:00.000Z",
		last_status: "done",
		next_run_at: "2026-11-21T13:07:00.000Z",
	});
	const kind = jobs.kinds.find(({ kind: name }: { kind: string }) => name === "oauth-retention");
	assert.deepEqual(kind, { kind: "oauth-retention", pending: 0, running: 0, failed: 0, done: 1 });
	assert.equal(jobs.due_since, null);
	const began = new Date(app.clock.now()).toISOString();
	await app.jobs.enqueue(app.metadata, { kind: "nobody-knows-it" });
	app.clock.advance(60_000);
	assert.equal((await systemOf(app, root)).jobs.due_since, began, "the longest waiting job could have been done then");
});

test("mail that cannot leave is told with its reason, and whether it was given up", async () => {
	assert.deepEqual((await systemOf(app, root)).mail, { mode: "outbox", waiting: 0, given_up: 0, last_error: null });
	// A job whose mail cannot be opened fails for good.
	await app.jobs.enqueue(app.metadata, { kind: "mail", payload: { sealed: "none" } });
	await app.jobs.runDue();
	const { waiting, given_up: givenUp, last_error: error } = (await systemOf(app, root)).mail;
	assert.deepEqual([waiting, givenUp, error.status], [0, 1, "failed"]);
	assert.equal(error.message, "SECRET_KEY is another one than when this mail was queued");
});

test("it is told also while the event store cannot be asked, and names the dependency that is away", async (t) => {
	assert.equal((await systemOf(app, root)).checks.database.status, "healthy");
	isAway = true;
	t.after(() => {
		isAway = false;
	});
	const found = await systemOf(app, root);
	const states = [found.status, found.checks.database.status, found.event_store, found.accounts.users];
	assert.deepEqual(states, ["unhealthy", "unhealthy", null, 1]);
});

test("storage is unhealthy as soon as no file can be written, whatever rights and room say", async (t) => {
	assert.equal((await systemOf(app, root)).checks.storage.status, "healthy");
	const inTheWay = join(app.config.dataDir, `health-${process.pid}`);
	mkdirSync(inTheWay);
	t.after(() => rmSync(inTheWay, { recursive: true, force: true }));
	assert.equal((await systemOf(app, root)).checks.storage.status, "unhealthy");
});

const warningsOf = async (
	app: TestApp,
	{ headers }: Session,
	site: string,
	more: Readonly<Record<string, string>> = {},
) =>
	(await app.inject({ url: `/api/v1/warnings?account_id=${site}`, headers: { ...headers, ...more } })).json().data
		.warnings as { readonly code: string; readonly message: string; readonly fix: string; readonly count?: number }[];

const unsent = {
	code: "no_mail_server",
	level: "note",
	message: "Mails are written to DATA_DIR/outbox and not sent",
	fix: "Set SMTP_URL to send invitations, password resets and alerts",
};

test("GET /warnings tells viewers of the site's unreadable amounts today, and superadmins of the installation too", async () => {
	const ann = await signIn(app);
	const site = await createSite(app, ann);
	const viewer = await signIn(app, { email: "vic@example.com" });
	await giveSiteRole(app, site, viewer.userId, "viewer");
	assert.deepEqual(await warningsOf(app, viewer, site), []);
	const order = { site, url: "https://shop.example/done", event: "order" } as const;
	await sendHits(app, [
		{ ...order, amount: "€5" },
		{ ...order, amount: "1e3" },
		{ ...order, amount: 12 },
	]);
	const lost = {
		code: "unreadable_amounts",
		level: "warning",
		message: "2 amounts could not be read today",
		fix: "0 is counted instead. Send a number such as 59.90.",
		count: 2,
	};
	assert.deepEqual(await warningsOf(app, viewer, site), [lost]);
	const unsaved = {
		code: "no_backups",
		level: "note",
		message: "No scheduled backups",
		fix: "Set BACKUP_TO to a directory or bucket",
	};
	assert.deepEqual(await warningsOf(app, root, site), [unsent, unsaved, lost]);
	assert.deepEqual((await systemOf(app, root)).warnings, [unsent, unsaved]);
	app.clock.set("2026-11-22T00:01:00.000Z");
	assert.deepEqual(await warningsOf(app, await signIn(app, { email: "next@example.com", role: "superadmin" }), site), [
		unsent,
		unsaved,
	]);
});

test("GET /warnings names a proxy that is not trusted, and backups that are due", async () => {
	await using app = await testApp({ env: { TRUST_PROXY: "", BACKUP_TO: "/backups", SMTP_URL: "smtp://127.0.0.1:1" } });
	const root = await signIn(app, asRoot);
	const site = await createSite(app, root);
	const codes = async (more?: Readonly<Record<string, string>>) =>
		(await warningsOf(app, root, site, more)).map(({ code }) => code);
	assert.deepEqual(await codes(), ["no_backup_yet"]);
	assert.deepEqual(await codes({ "x-forwarded-for": "203.0.113.7" }), ["untrusted_proxy", "no_backup_yet"]);
});
