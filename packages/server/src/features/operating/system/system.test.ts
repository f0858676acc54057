import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import packageInfo from "../../../../package.json" with { type: "json" };
import { createSite, type Session, signIn } from "../../../../test/support/accounts.ts";
import { fillWithDemo } from "../../../../test/support/demo-site.ts";
import { type TestApp, testApp } from "../../../../test/support/test-app.ts";
import { postgresSkip } from "../../../../test/support/test-schema.ts";

const asRoot = { email: "root@example.com", role: "superadmin" } as const;
const systemOf = async (app: TestApp, { headers }: Session) =>
	(await app.inject({ url: "/api/v1/admin/system", headers: { ...headers } })).json().data;

let app: TestApp;
let root: Session;
before(async () => {
	app = await testApp();
	root = await signIn(app, asRoot);
});
after(() => app.close());

for (const [engine, onPostgres] of [
	["sqlite", false],
	["postgresql", true],
] as const) {
	test(`versions, uptime, roles and how much is stored on ${engine}`, {
		skip: onPostgres && postgresSkip,
	}, async (t) => {
		const app = await testApp({ onPostgres });
		t.after(() => app.close());
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

/** Schedules of a service with the default settings, in UTC. */
const everySchedule = {
	"alert-evaluation": "10 * * * * *",
	"alert-retention": "37 4 * * *",
	"assistant-retention": "29 3 * * *",
	"audit-log-retention": "23 3 * * *",
	"bigquery-log": "43 4 * * *",
	"bigquery-turns": "* * * * *",
	"credential-retention": "13 5 * * *",
	"data-retention": "11 4 * * *",
	"export-expiry": "*/5 * * * *",
	"import-expiry": "17 * * * *",
	"ip-allowlist-retention": "41 3 * * *",
	"job-retention": "17 * * * *",
	"lens-mornings": "*/15 * * * *",
	"lens-retention": "43 4 * * *",
	"mail-recipients-retention": "17 4 * * *",
	"mail-reports": "*/15 * * * *",
	"oauth-retention": "7 * * * *",
	"organization-purge": "31 4 * * *",
	"outbox-retention": "29 3 * * *",
	"session-retention": "53 3 * * *",
	"site-purge": "29 4 * * *",
	"unclaimed-sites": "47 3 * * *",
	"unconfirmed-accounts": "59 3 * * *",
	"usage-watch": "3-59/10 * * * *",
	"webhook-retention": "11 * * * *",
};

test("all schedules are listed, with their last and next run", async () => {
	const never = { last_run_at: null, last_status: null, next_run_at: "2026-11-22T03:23:00.000Z" };
	const waiting = (await systemOf(app, root)).schedules.find(({ cron }: { cron: string }) => cron === "23 3 * * *");
	assert.deepEqual(waiting, { name: "audit-log-retention", cron: "23 3 * * *", ...never });
	await app.jobs.runDue();
	app.clock.advance(420_000);
	await app.jobs.runDue();
	const { schedules, jobs } = await systemOf(app, root);
	const crons = schedules.map(({ name, cron }: Record<"name" | "cron", string>) => [name, cron]);
	assert.deepEqual(Object.fromEntries(crons), everySchedule);
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
	let isAway = false;
	const app = await testApp({
		wrapEventStore: (store) => ({
			...store,
			query: (query) => (isAway ? Promise.reject(new Error("away")) : store.query(query)),
			ping: () => (isAway ? Promise.reject(new Error("away")) : store.ping()),
		}),
	});
	t.after(() => app.close());
	const root = await signIn(app, asRoot);
	assert.equal((await systemOf(app, root)).status, "healthy");
	isAway = true;
	const found = await systemOf(app, root);
	assert.deepEqual(
		[found.status, found.checks.database.status, found.event_store, found.accounts.users],
		["unhealthy", "unhealthy", null, 1],
	);
});
