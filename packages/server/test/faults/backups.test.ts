import assert from "node:assert/strict";
import { readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { ServiceError } from "../../src/platform/errors/service-error.ts";
import { createSite, signIn, signInAgain } from "../support/accounts.ts";
import { beside, filesOf, lockedApp, newDirectory } from "../support/backups.ts";
import { command } from "../support/command.ts";
import { fillWithDemo } from "../support/demo-site.ts";
import { everyReport } from "../support/every-report.ts";
import { sendHit, sendHits } from "../support/hits.ts";
import { mailbox } from "../support/mailbox.ts";
import { metadataSnapshot, withoutRequest } from "../support/metadata-snapshot.ts";
import { BUCKET, startS3Peer } from "../support/s3-peer.ts";
import { runService } from "../support/service-process.ts";
import { smallDisk } from "../support/small-disk.ts";
import { storedPages } from "../support/stored-pages.ts";
import { type TestApp, testApp } from "../support/test-app.ts";
import { migratedSchema, postgresSkip } from "../support/test-schema.ts";
import { until } from "../support/until.ts";

const NOW = "2026-11-21T12:00:00.000Z";
const MOST_HITS = 500;
const asked = { from: "2026-10-25", to: "2026-11-20" };

const footfall = (...args: string[]) => command(args, { env: { NODE_ENV: "test" } });

/** A service on a directory with a user, a site and some hits, and an empty place for backups. */
async function shop(t: TestContext, env: Readonly<Record<string, string>> = {}) {
	const [dataDir, place] = [newDirectory(), join(newDirectory(), "place")];
	const app = await lockedApp({ dataDir, now: NOW, env });
	t.after(() => app.close());
	const owner = await signIn(app, { role: "superadmin" });
	const site = await createSite(app, owner);
	await sendHits(app, [{ site, url: "https://shop.example/one" }]);
	return { app, dataDir, place, owner, site };
}

async function backUp(app: TestApp, place: string, ...more: string[]) {
	const printed = await beside(app, ["backup", "--to", place, "--json", ...more]);
	assert.equal(printed.code, 0, printed.error);
	return JSON.parse(printed.out) as { id: string; bytes: number; newBytes: number };
}

async function restored(place: string): Promise<string> {
	const dataDir = join(newDirectory(), "data");
	const printed = await footfall("restore", place, "--to", dataDir);
	assert.equal(printed.code, 0, printed.error);
	return dataDir;
}

test("while hits come, a backup has every hit that was answered before it, once, and every report is the same", async (t) => {
	const { app, place, owner, site } = await shop(t);
	const busy = await createSite(app, owner, { name: "Busy" });
	await fillWithDemo(app, { id: site, days: 40, rows: 5_000 });
	const before = await everyReport(app, owner, { site, ...asked });
	const good = [...before.values()].filter(({ status }) => status === 200);
	assert.ok(good.length > 40, `${good.length} reports answer`);
	assert.ok(JSON.stringify([...good]).length > 20_000, "and have figures");

	const answered: string[] = [];
	let isOver = false;
	const visit = async () => {
		for (let n = 0; n < MOST_HITS && !isOver; n++) {
			const path = `/page-${n}`;
			// A visitor each: one who sees hundreds of pages a minute is none.
			const ip = `198.51.${Math.floor(n / 250)}.${n % 250}`;
			if ((await sendHit(app, { site: busy, url: `https://shop.example${path}`, ip })) === 204) answered.push(path);
		}
	};
	const visiting = visit();
	await until(() => answered.length >= 20);
	const certain = [...answered];
	const { id } = await backUp(app, place);
	isOver = true;
	await visiting;
	const all = await storedPages(app, busy);
	assert.deepEqual([...all.keys()].sort(), answered.toSorted(), "the service itself has them all");

	const deep = await footfall("verify", place, "--deep");
	assert.match(deep.out, new RegExp(`^Backup ${id}: \\d+ files are whole, counts and sums are those of the manifest`));
	const again = await testApp({ dataDir: await restored(place), now: NOW });
	t.after(() => again.close());
	const pages = await storedPages(again, busy);
	assert.deepEqual([...new Set(pages.values())], [1], "none is there twice");
	assert.deepEqual(
		certain.filter((path) => !pages.has(path)),
		[],
		"none that was answered before is missing",
	);
	const ownerAgain = await signInAgain(again, owner);
	assert.deepEqual(await everyReport(again, ownerAgain, { site, ...asked }), before);
	assert.equal(await sendHit(again, { site, url: "https://shop.example/later" }), 204);
	assert.equal((await storedPages(again, site)).get("/later"), 1);
});

test("the next backup writes what has come since, each can be restored, and so many stay as are kept", async (t) => {
	const { app, place, site } = await shop(t);
	await fillWithDemo(app, { id: site, days: 40, rows: 5_000 });
	const first = await backUp(app, place);
	const second = await backUp(app, place);
	assert.equal(first.newBytes, first.bytes);
	assert.ok(second.newBytes < second.bytes, "parts are not written twice");
	await sendHits(app, [{ site, url: "https://shop.example/two" }]);
	const third = await backUp(app, place, "--keep", "2");
	assert.deepEqual(
		filesOf(place, "backup"),
		[second.id, third.id].map((id) => `backup-${id}.json`),
	);
	assert.equal(filesOf(place, "state").length, 2);
	assert.equal((await footfall("verify", place, "--backup", second.id, "--deep")).code, 0);
	const full = await backUp(app, place, "--full");
	assert.equal(full.newBytes, full.bytes);
	const listed = JSON.parse((await beside(app, ["backup", "--to", place, "--list", "--json"])).out);
	assert.deepEqual(
		listed.map(({ id, state }: { id: string; state: string }) => [id, state]),
		[second, third, full].map(({ id }) => [id, "complete"]),
	);
	assert.deepEqual(readdirSync(join(app.config.dataDir, "snapshots")), ["lock"], "nothing is left beside the data");
	for (const name of readdirSync(place)) assert.equal(statSync(join(place, name)).mode & 0o077, 0, name);
});

test("without a service the command makes the backup itself, with hits that wait for the event store", async (t) => {
	const [dataDir, place] = [newDirectory(), newDirectory()];
	const away = async () => {
		throw new ServiceError("database_unavailable");
	};
	const first = await testApp({ dataDir, now: NOW });
	const site = await createSite(first, await signIn(first));
	await sendHits(first, [{ site, url: "https://shop.example/stored" }]);
	await first.close();
	const second = await testApp({ dataDir, now: NOW, wrapEventStore: (store) => ({ ...store, insert: away }) });
	assert.equal(await sendHit(second, { site, url: "https://shop.example/waiting" }), 204);
	await second.close();
	const made = await command(["backup", "--to", place], { env: { NODE_ENV: "test", DATA_DIR: dataDir } });
	assert.match(made.out, /^Backup \S+ is complete/, made.error);
	const again = await testApp({ dataDir: await restored(place), now: NOW });
	t.after(() => again.close());
	assert.deepEqual(Object.fromEntries(await storedPages(again, site)), { "/stored": 1, "/waiting": 1 });
});

test("what a killed backup leaves is none, and the next one is complete", async (t) => {
	const peer = await startS3Peer();
	t.after(() => peer.close());
	const { app } = await shop(t);
	const place = peer.url(`${BUCKET}/footfall`);
	const running = runService(["backup", "--to", place], { DATA_DIR: app.config.dataDir });
	running.listening.catch(() => undefined);
	peer.fault = (request) => {
		if (!request.includes("/state-")) return undefined;
		running.child.kill("SIGKILL");
		return "cut before";
	};
	let isOver = false;
	void running.ended.then(() => {
		isOver = true;
	});
	await until(async () => {
		await app.jobs.runDue();
		return isOver;
	});
	peer.fault = () => undefined;
	assert.ok(
		peer.objects().some((name) => name.includes("part-")),
		"parts were written",
	);
	assert.equal((await footfall("verify", place)).error, "There is no complete backup in this place\n");
	assert.equal((await footfall("restore", place, "--to", join(newDirectory(), "data"))).code, 1);
	await backUp(app, place);
	assert.equal((await footfall("verify", place, "--deep")).code, 0);
	assert.deepEqual(readdirSync(join(app.config.dataDir, "snapshots")), ["lock"]);
});

test("a changed byte, a missing file and a damaged manifest are found, and nothing of them is restored", async (t) => {
	const { app, place } = await shop(t);
	const { id } = await backUp(app, place);
	const [part = ""] = filesOf(place, "part");
	const path = join(place, part);
	const bytes = readFileSync(path);
	const flip = (at: number) => {
		const changed = Buffer.from(bytes);
		changed[at] = (changed[at] ?? 0) ^ 1;
		writeFileSync(path, changed);
	};
	for (const at of [3, 700, Math.floor(bytes.length / 2), bytes.length - 1]) {
		flip(at);
		const told = await footfall("verify", place);
		assert.deepEqual([told.code, told.error.includes(part)], [1, true], `byte ${at}: ${told.error}`);
	}
	const to = join(newDirectory(), "data");
	assert.equal((await footfall("restore", place, "--to", to)).code, 1);
	assert.deepEqual(readdirSync(to), []);
	truncateSync(path, bytes.length - 10);
	assert.match((await footfall("verify", place)).error, /has \d+ bytes in place of \d+/);
	writeFileSync(path, bytes);
	assert.equal((await footfall("verify", place)).code, 0);
	const manifest = join(place, `backup-${id}.json`);
	writeFileSync(manifest, readFileSync(manifest, "utf8").replace('"page_views": 1', '"page_views": 2'));
	assert.match((await footfall("verify", place)).error, /The manifest of backup \S+ is damaged/);
});

test("a backup is only restored into an empty directory, and a place holds those of one installation", async (t) => {
	const { app, place, dataDir } = await shop(t);
	await backUp(app, place);
	assert.match((await footfall("restore", place, "--to", dataDir)).error, /is not empty/);
	const other = newDirectory();
	await (await testApp({ dataDir: other, now: NOW })).close();
	const foreign = await command(["backup", "--to", place], { env: { NODE_ENV: "test", DATA_DIR: other } });
	assert.match(foreign.error, /another installation/);
});

test("a bucket holds backups as a directory does, and one that breaks off there is none", async (t) => {
	const peer = await startS3Peer();
	t.after(() => peer.close());
	const { app, site } = await shop(t);
	const place = peer.url(`${BUCKET}/footfall`);
	peer.fault = (request) => (request.includes("/state-") ? "cut before" : undefined);
	const broken = await beside(app, ["backup", "--to", place]);
	assert.equal(broken.code, 1);
	assert.ok(!broken.error.includes("PEER"), "an address with a key stands in no error");
	peer.fault = () => undefined;
	assert.match((await footfall("verify", place)).error, /There is no complete backup/);
	const first = await backUp(app, place);
	const second = await backUp(app, place, "--keep", "1");
	assert.ok(second.newBytes < first.bytes);
	assert.equal((await footfall("verify", place, "--deep")).code, 0);
	assert.ok(!peer.objects().some((name) => name.includes(first.id)), "what is no longer kept is gone");
	const again = await testApp({ dataDir: await restored(place), now: NOW });
	t.after(() => again.close());
	assert.deepEqual(Object.fromEntries(await storedPages(again, site)), { "/one": 1 });
});

test("a disk that is full at the target says so, and leaves no backup", async (t) => {
	const { app } = await shop(t);
	await fillWithDemo(app, { id: "shop", days: 40, rows: 50_000 });
	const disk = smallDisk("place");
	if (disk === undefined) return t.skip("mounting a small file system needs root on Linux");
	t.after(() => disk.remove());
	const place = join(disk.dataDir, "place");
	const printed = await beside(app, ["backup", "--to", place]);
	assert.equal(printed.code, 1);
	assert.match(printed.error, /full|ENOSPC/);
	assert.equal(readdirSync(place).filter((name) => name.endsWith(".part") || name.startsWith("backup-")).length, 0);
	assert.match((await footfall("verify", place)).error, /There is no complete backup/);
});

test("accounts on PostgreSQL are backed up as they are, and come back in SQLite", { skip: postgresSkip }, async (t) => {
	const schema = await migratedSchema();
	t.after(() => schema.drop());
	const { app, place, owner, site } = await shop(t, { DATABASE_URL: schema.url });
	const printed = await beside(app, ["backup", "--to", place], { DATABASE_URL: schema.url });
	assert.equal(printed.code, 0, printed.error);
	const without = ["metadata_migrations", "jobs", "job_schedules", "backup_runs", ...withoutRequest];
	const before = await metadataSnapshot(app.metadata, without);
	const again = await testApp({ dataDir: await restored(place), now: NOW });
	t.after(() => again.close());
	assert.deepEqual(await metadataSnapshot(again.metadata, without), before);
	const next = await createSite(again, await signInAgain(again, owner), { name: "Next" });
	assert.notEqual(next, site);
});

test("backups are made by themselves; who runs the service hears once when they fail, and figures tell", async (t) => {
	const place = join(newDirectory(), "place");
	const { app, owner } = await shop(t, { BACKUP_TO: place, BACKUP_AT: "13:30", BACKUP_KEEP: "2" });
	const figures = async () => (await app.inject({ url: "/metrics" })).body.match(/^footfall_backup_.*$/gm);
	const system = async () => {
		const { headers } = await signInAgain(app, owner);
		return (await app.inject({ url: "/api/v1/admin/system", headers })).json().data.backups;
	};
	await app.jobs.runDue();
	const none = ["footfall_backup_failed 0", "footfall_backup_timestamp_seconds 0", "footfall_backup_bytes 0"];
	assert.deepEqual(await figures(), none);
	writeFileSync(place, "no directory");
	app.clock.set("2026-11-21T13:30:00.000Z");
	await app.jobs.runDue();
	app.clock.advance(60_000);
	await app.jobs.runDue();
	const told = await mailbox(app).to(owner.email);
	assert.deepEqual(
		told.map(({ subject }) => subject),
		["The backup of Footfall failed"],
	);
	assert.deepEqual(await figures(), ["footfall_backup_failed 1", ...none.slice(1)]);
	const failed = await system();
	assert.deepEqual([failed.last_done_at, failed.last_failed_at], [null, "2026-11-21T13:31:00.000Z"]);

	rmSync(place);
	for (const day of ["22", "23", "24"]) {
		app.clock.set(`2026-11-${day}T13:30:00.000Z`);
		await app.jobs.runDue();
	}
	assert.equal(filesOf(place, "backup").length, 2);
	assert.equal((await footfall("verify", place, "--deep")).code, 0);
	const done = await system();
	assert.deepEqual([done.last_done_at, done.last_error], ["2026-11-24T13:30:00.000Z", null]);
	assert.ok((await figures())?.includes("footfall_backup_failed 0"));
	assert.equal((await mailbox(app).to(owner.email)).length, 1);
});
