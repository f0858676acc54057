import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { after, type TestContext, test } from "node:test";
import tar from "tar-stream";
import { createSite, signIn, signInAgain } from "../../test/support/accounts.ts";
import { beside, endWithWaitingHit, filesOf, lockedApp, newDirectory } from "../../test/support/backups.ts";
import { cli } from "../../test/support/cli.ts";
import { fillWithDemo } from "../../test/support/demo-site.ts";
import { everyReport } from "../../test/support/every-report.ts";
import { sendHit, sendHits } from "../../test/support/hits.ts";
import { mailbox } from "../../test/support/mailbox.ts";
import { metadataSnapshot, withoutRequest } from "../../test/support/metadata-snapshot.ts";
import { BUCKET, startS3Peer } from "../../test/support/s3-peer.ts";
import { mountSkip, smallDisk } from "../../test/support/small-disk.ts";
import { storedPages } from "../../test/support/stored-pages.ts";
import { type TestApp, testApp } from "../../test/support/test-app.ts";
import { migratedSchema, postgresSkip } from "../../test/support/test-schema.ts";
import { readManifest, writeManifest } from "../features/operating/backup/manifest.ts";

const NOW = "2026-11-21T12:00:00.000Z";
const asked = { from: "2026-10-25", to: "2026-11-20" };

const run = (env: Readonly<Record<string, string>>, ...args: string[]) =>
	cli(args, { env: { NODE_ENV: "test", ...env } });
const footfall = (...args: string[]) => run({}, ...args);
const newPlace = () => join(newDirectory(), "place");

/** A service on a directory with a user, a site and a hit. */
async function shop(env: Readonly<Record<string, string>> = {}) {
	const app = await lockedApp({ dataDir: newDirectory(), now: NOW, env });
	const owner = await signIn(app, { role: "superadmin" });
	const site = await createSite(app, owner);
	await sendHits(app, [{ site, url: "https://shop.example/one" }]);
	return { app, owner, site };
}

const { app, owner, site } = await shop();
await fillWithDemo(app, { id: site, days: 40, rows: 5_000 });
after(() => app.close());

async function backUp(place: string, ...more: string[]) {
	const printed = await beside(app, ["backup", "--to", place, "--json", ...more]);
	assert.equal(printed.code, 0, printed.error);
	return JSON.parse(printed.out) as { id: string; bytes: number; newBytes: number };
}

async function restored(place: string): Promise<string> {
	const dataDir = newDirectory();
	const printed = await footfall("restore", place, "--to", dataDir);
	assert.equal(printed.code, 0, printed.error);
	return dataDir;
}

/** The service on what a backup holds. */
async function restoredApp(t: TestContext, place: string): Promise<TestApp> {
	const again = await testApp({ dataDir: await restored(place), now: NOW });
	t.after(() => again.close());
	return again;
}

/** A directory of another installation, which has never run. */
async function otherData(): Promise<string> {
	const dataDir = newDirectory();
	const user = ["users", "create", "--email", "bob@example.com", "--name", "Bob", "--password-stdin"];
	const env = { NODE_ENV: "test", DATA_DIR: dataDir };
	assert.equal((await cli(user, { env, input: "correct horse battery staple 7" })).code, 0);
	return dataDir;
}

test("a backup beside hits has each hit that was answered before it, once, and every report is the same", async (t) => {
	const place = newPlace();
	const busy = await createSite(app, owner, { name: "Busy" });
	const before = await everyReport(app, owner, { site, ...asked });
	const good = [...before.values()].filter(({ status }) => status === 200);
	assert.ok(good.length > 40 && JSON.stringify([...good]).length > 20_000, "reports answer and have figures");

	const paths = Array.from({ length: 120 }, (_, n) => `/page-${n}`);
	// A visitor each: one who sees hundreds of pages a minute is none.
	const send = async (path: string, n: number) =>
		assert.equal(await sendHit(app, { site: busy, url: `https://shop.example${path}`, ip: `198.51.100.${n}` }), 204);
	const certain = paths.slice(0, 20);
	await Promise.all(certain.map(send));
	const [{ id }] = await Promise.all([backUp(place), ...paths.slice(20).map((path, n) => send(path, n + 20))]);
	const all = await storedPages(app, busy);
	assert.deepEqual([...all.keys()].sort(), paths.toSorted(), "the service itself has them all");

	const deep = await footfall("verify", place, "--deep");
	assert.match(deep.out, new RegExp(`^Backup ${id}: \\d+ files are intact, counts and sums match the manifest`));
	const again = await restoredApp(t, place);
	const pages = await storedPages(again, busy);
	assert.deepEqual([...new Set(pages.values())], [1], "none is there twice");
	for (const path of certain) assert.ok(pages.has(path), `${path} was answered before and is missing`);
	assert.deepEqual(await everyReport(again, await signInAgain(again, owner), { site, ...asked }), before);
	assert.equal(await sendHit(again, { site, url: "https://shop.example/later" }), 204);
	assert.equal((await storedPages(again, site)).get("/later"), 1);
});

test("the next backup writes what has come since, each can be restored, and so many stay as are kept", async () => {
	const place = newPlace();
	const snapshots = join(app.config.dataDir, "snapshots");
	mkdirSync(join(snapshots, "of-a-killed-backup", "tree"), { recursive: true });
	const first = await backUp(place);
	const second = await backUp(place);
	assert.equal(first.newBytes, first.bytes);
	assert.ok(second.newBytes < second.bytes, "parts are not written twice");
	await sendHits(app, [{ site, url: "https://shop.example/two" }]);
	const third = await backUp(place, "--keep", "2");
	assert.deepEqual(filesOf(place, "backup"), [`backup-${second.id}.json`, `backup-${third.id}.json`]);
	assert.equal(filesOf(place, "state").length, 2);
	assert.equal((await footfall("verify", place, "--backup", second.id, "--deep")).code, 0);
	const full = await backUp(place, "--full");
	assert.equal(full.newBytes, full.bytes);
	const { data } = (await app.inject({ url: "/api/v1/admin/system", headers: owner.headers })).json();
	assert.equal(data.backups.bytes, full.bytes, "the running service tells of it");
	const listed = (await beside(app, ["backup", "--to", place, "--list"])).out;
	const ids = listed.match(/^\S+(?=.* complete\b)/gm);
	const expected = [second, third, full].map(({ id }) => id);
	assert.deepEqual(ids, expected);
	assert.deepEqual(readdirSync(snapshots), ["lock"], "nothing is left beside the data, not of a killed backup either");
	const again = await restored(place);
	for (const directory of [place, again]) {
		for (const name of readdirSync(directory)) assert.equal(statSync(join(directory, name)).mode & 0o077, 0, name);
	}
	const jobs = await run({ DATA_DIR: again }, "jobs");
	assert.doesNotMatch(`${jobs.out}${jobs.error}`, /^(snapshot|backup|Error)/m, "the backup is not begun again there");
});

test("without a service the command makes the backup itself, with hits that wait for the event store", async (t) => {
	const [dataDir, place] = [newDirectory(), newDirectory()];
	const site = await endWithWaitingHit((options) => testApp({ ...options, dataDir, now: NOW }));
	const made = await run({ DATA_DIR: dataDir }, "backup", "--to", place);
	assert.match(made.out, /^Backup \S+ is complete/, made.error);
	const pages = await storedPages(await restoredApp(t, place), site);
	assert.deepEqual(Object.fromEntries(pages), { "/stored": 1, "/waiting": 1 });
});

test("a changed byte, a missing file and a damaged manifest are found, and nothing of them is restored", async () => {
	const place = newPlace();
	const { id } = await backUp(place);
	const [part = ""] = filesOf(place, "part");
	const path = join(place, part);
	const bytes = readFileSync(path);
	for (const at of [3, 700, Math.floor(bytes.length / 2), bytes.length - 1]) {
		const changed = Buffer.from(bytes);
		changed[at] = (changed[at] ?? 0) ^ 1;
		writeFileSync(path, changed);
		const told = await footfall("verify", place);
		assert.deepEqual([told.code, told.error.includes(part)], [1, true], `byte ${at}: ${told.error}`);
	}
	const to = newDirectory();
	assert.equal((await footfall("restore", place, "--to", to)).code, 1);
	assert.deepEqual(readdirSync(to), []);
	const fault = async () => (await footfall("verify", place)).error;
	rmSync(path);
	assert.match(await fault(), /^part-\S+ is missing$/m);
	writeFileSync(path, bytes.subarray(10));
	assert.match(await fault(), /has \d+ bytes in place of \d+/);
	writeFileSync(path, bytes);
	assert.equal((await footfall("verify", place)).code, 0);
	const manifest = join(place, `backup-${id}.json`);
	writeFileSync(manifest, readFileSync(manifest, "utf8").replace('"page_views": 1', '"page_views": 2'));
	assert.match(await fault(), /The manifest of backup \S+ is damaged/);
});

test("an archive that leads out of its directory, or holds what no backup does, is refused and writes nothing", async () => {
	type Entry = Parameters<tar.Pack["entry"]>[0];
	const file = (name: string): Entry => ({ name, type: "file" });
	const link = (name: string, linkname: string): Entry => ({ name, type: "symlink", linkname });
	const outside = newDirectory();
	const hostile: Record<string, Entry[]> = {
		"an absolute link and a file behind it": [link("events/a", outside), file("events/a/x")],
		"a relative link out": [link("events/a", "../../../outside"), file("events/a/x")],
		"a link up through a nested one": [link("events/b/c/d", "../.."), link("events/e", "b/c/d/../../../..")],
		"a link below a link": [link("events/b", "c"), link("events/b/d", "..")],
		"a link outside of the engine's directory": [link("spool/a", "../events")],
		"a link in place of a file": [file("events/a"), link("events/a", "b")],
		"a hard link": [{ name: "events/a", type: "link", linkname: join(outside, "x") }],
		"a device": [{ name: "events/a", type: "character-device" }],
		"a path up": [file("events/../../x")],
		"an absolute path": [file(join(outside, "x"))],
		"settings of the service": [file("stores.env")],
	};
	const whole = newPlace();
	const { id } = await backUp(whole);
	const manifest = readManifest(id, readFileSync(join(whole, `backup-${id}.json`), "utf8"));
	for (const [what, entries] of Object.entries(hostile)) {
		const place = newDirectory();
		const pack = tar.pack();
		for (const entry of entries) pack.entry(entry, entry.type === "file" ? "x" : "");
		pack.finalize();
		const [name, bytes] = [`state-${id}.tar`, await buffer(pack)];
		const sha256 = createHash("sha256").update(bytes).digest("hex");
		writeFileSync(join(place, name), bytes);
		writeFileSync(join(place, `backup-${id}.json`), writeManifest(manifest, [{ name, bytes: bytes.length, sha256 }]));
		const to = newDirectory();
		const printed = await footfall("restore", place, "--to", to);
		assert.equal(printed.code, 1, what);
		assert.match(printed.error, /is no path of a backup|which no backup holds|that no backup holds/, what);
		assert.deepEqual([readdirSync(to), readdirSync(outside)], [[], []], what);
	}
});

test("a backup is only restored into an empty directory, but for the remains of a restore; a place holds those of one installation", async () => {
	const place = newPlace();
	await backUp(place);
	assert.match((await footfall("restore", place, "--to", app.config.dataDir)).error, /is not empty/);
	const foreign = await run({ DATA_DIR: await otherData() }, "backup", "--to", place);
	assert.match(foreign.error, /another installation/);
	const to = newDirectory();
	for (const name of ["restoring", "lost+found"]) mkdirSync(join(to, name));
	writeFileSync(join(to, "restoring", "metadata.sqlite"), "of one that was interrupted");
	assert.equal((await footfall("restore", place, "--to", to)).code, 0);
	assert.ok(!readdirSync(to).includes("restoring"));
});

test("with BACKUP_PASSPHRASE a backup holds secret.key sealed, and only that passphrase restores it", async () => {
	const [dataDir, place, to] = [await otherData(), newPlace(), join(newDirectory(), "data")];
	const right = { BACKUP_PASSPHRASE: "orchard lantern 77 violet" };
	const wrong = { BACKUP_PASSPHRASE: "orchard lantern 77 violet." };
	const secret = readFileSync(join(dataDir, "secret.key"), "utf8").trim();
	const made = await run({ ...right, DATA_DIR: dataDir }, "backup", "--to", place);
	assert.equal(made.code, 0, made.error);
	for (const name of readdirSync(place)) assert.ok(!readFileSync(join(place, name)).includes(secret), name);

	const restore = (given: Readonly<Record<string, string>>, ...more: string[]) =>
		run(given, "restore", place, "--to", to, ...more);
	const kept = () => readdirSync(to).filter((name) => name.startsWith("secret"));
	assert.match((await restore({})).error, /is sealed: set BACKUP_PASSPHRASE to its passphrase/);
	assert.match((await restore(wrong)).error, /BACKUP_PASSPHRASE is not the one of/);
	assert.deepEqual(readdirSync(to), []);
	assert.equal((await restore(right)).code, 0);
	assert.deepEqual([kept(), readFileSync(join(to, "secret.key"), "utf8")], [["secret.key"], `${secret}\n`]);
	rmSync(to, { recursive: true });
	assert.match((await restore({}, "--without-secret")).out, /The secret is not restored/);
	assert.deepEqual(kept(), []);
	for (const given of [{}, right]) assert.equal((await run(given, "verify", place, "--deep")).code, 0);
	assert.match((await run(wrong, "verify", place, "--deep")).error, /BACKUP_PASSPHRASE is not the one of/);
});

test("a bucket holds backups as a directory does, and one that breaks off there is none", async (t) => {
	const peer = await startS3Peer();
	t.after(() => peer.close());
	const place = peer.url(`${BUCKET}/footfall`);
	peer.fault = (request) => (request.includes("/state-") ? "cut before" : undefined);
	const broken = await beside(app, ["backup", "--to", place]);
	assert.equal(broken.code, 1);
	assert.ok(!broken.error.includes("PEER"), "an address with a key stands in no error");
	peer.fault = () => undefined;
	assert.match((await footfall("verify", place)).error, /There is no complete backup/);
	const first = await backUp(place);
	const second = await backUp(place, "--keep", "1");
	assert.ok(second.newBytes < first.bytes);
	assert.equal((await footfall("verify", place, "--deep")).code, 0);
	assert.ok(!peer.objects().some((name) => name.includes(first.id)), "what is no longer kept is gone");
	assert.ok(readdirSync(await restored(place)).includes("metadata.sqlite"));
});

test("a disk that is full at the target says so, and leaves no backup", { skip: mountSkip }, async (t) => {
	await fillWithDemo(app, { id: site, days: 40, rows: 50_000 });
	const disk = smallDisk("place");
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
	const { app, owner, site } = await shop({ DATABASE_URL: schema.url });
	t.after(() => app.close());
	const place = newPlace();
	const printed = await beside(app, ["backup", "--to", place], { DATABASE_URL: schema.url });
	assert.equal(printed.code, 0, printed.error);
	const without = ["metadata_migrations", "jobs", "job_schedules", "backup_runs", ...withoutRequest];
	const before = await metadataSnapshot(app.metadata, without);
	const again = await restoredApp(t, place);
	assert.deepEqual(await metadataSnapshot(again.metadata, without), before);
	const next = await createSite(again, await signInAgain(again, owner), { name: "Next" });
	assert.notEqual(next, site);
});

test("backups are made by themselves; who runs the service hears once when they fail, and figures tell", async (t) => {
	const place = newPlace();
	const { app, owner } = await shop({ BACKUP_TO: place, BACKUP_AT: "13:30", BACKUP_KEEP: "1" });
	t.after(() => app.close());
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
	const [told, ...more] = await mailbox(app).to(owner.email);
	assert.deepEqual([told?.subject, more], ["Footfall backup failed", []]);
	assert.deepEqual(await figures(), ["footfall_backup_failed 1", ...none.slice(1)]);
	const failed = await system();
	assert.deepEqual([failed.last_done_at, failed.last_failed_at], [null, "2026-11-21T13:31:00.000Z"]);

	rmSync(place);
	const snapshots = join(app.config.dataDir, "snapshots");
	mkdirSync(join(snapshots, "of-a-killed-backup"));
	for (const day of ["22", "23"]) {
		app.clock.set(`2026-11-${day}T13:30:00.000Z`);
		await app.jobs.runDue();
	}
	assert.deepEqual([filesOf(place, "backup").length, readdirSync(snapshots)], [1, ["lock"]]);
	assert.equal((await footfall("verify", place)).code, 0);
	const done = await system();
	assert.deepEqual([done.last_done_at, done.last_error], ["2026-11-23T13:30:00.000Z", null]);
	assert.ok((await figures())?.includes("footfall_backup_failed 0"));
	assert.equal((await mailbox(app).to(owner.email)).length, 1);
});
