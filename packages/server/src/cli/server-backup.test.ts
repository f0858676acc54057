import assert from "node:assert/strict";
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import { createSite, signIn, signInAgain } from "../../test/support/accounts.ts";
import { filesOf, lockedApp, newDirectory } from "../../test/support/backups.ts";
import { cli } from "../../test/support/cli.ts";
import { clickHouseWithDisk } from "../../test/support/clickhouse-with-disk.ts";
import { fillWithDemo } from "../../test/support/demo-site.ts";
import { everyReport } from "../../test/support/every-report.ts";
import { sendHits } from "../../test/support/hits.ts";
import { BUCKET, startS3Peer } from "../../test/support/s3-peer.ts";
import { testApp } from "../../test/support/test-app.ts";
import type { Manifest } from "../features/operating/backup/index.ts";

const asked = { from: "2026-10-25", to: "2026-11-20" };
const clickhouse = await clickHouseWithDisk();
after(() => clickhouse.close());

const run = (env: Readonly<Record<string, string>>, ...args: string[]) =>
	cli(args, { env: { NODE_ENV: "test", CLICKHOUSE_URL: clickhouse.url, ...env } });

/** A service with the events of a site on the server. */
async function shop(env: Readonly<Record<string, string>>) {
	const app = await lockedApp({
		dataDir: newDirectory(),
		now: "2026-11-21T12:00:00.000Z",
		env: { CLICKHOUSE_URL: clickhouse.url, ...env },
	});
	const owner = await signIn(app, { role: "superadmin" });
	const site = await createSite(app, owner);
	await fillWithDemo(app, { id: site, days: 40, rows: 5_000 });
	return { app, owner, site };
}

const manifestsOf = (place: string): Manifest[] =>
	filesOf(place, "backup").map((name) => JSON.parse(readFileSync(join(place, name), "utf8")).manifest);

const filesBelow = (directory: string) =>
	readdirSync(directory, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());

test("a scheduled backup has the server write its events, the first one of a month whole; each is verified and restored", async () => {
	await clickhouse.empty();
	const place = newDirectory();
	const env = { BACKUP_TO: place, BACKUP_AT: "13:30", CLICKHOUSE_BACKUP_TO: "disk:backups" };
	const { app, owner, site } = await shop(env);
	await app.jobs.runDue();
	const backUpOn = async (day: string) => {
		app.clock.set(`2026-${day}T13:30:00.000Z`);
		await app.jobs.runDue();
	};
	await backUpOn("11-21");
	await sendHits(app, [{ site, url: "https://shop.example/two" }]);
	await backUpOn("11-22");
	const reports = await everyReport(app, await signInAgain(app, owner), { site, ...asked });
	await backUpOn("12-01");
	const manifests = manifestsOf(place);
	const [first, second, third] = manifests.map(({ server }) => server);
	assert.deepEqual([first?.base, second?.base, third?.base], [null, first?.name, null]);
	const expected = manifests.map(({ id }) => `events-${id}`);
	assert.deepEqual(readdirSync(clickhouse.disk), expected);
	const counts = readdirSync(clickhouse.disk).map((name) => filesBelow(join(clickhouse.disk, name)).length);
	assert.ok((counts[1] ?? 0) < (counts[0] ?? 0) / 2 && (counts[2] ?? 0) >= (counts[0] ?? 0), String(counts));

	for (const { id } of manifests) {
		const verified = await run({}, "verify", place, "--deep", "--backup", id);
		assert.match(verified.out, /counts and sums match the manifest/, verified.error);
	}
	const shallow = await run({}, "verify", place);
	assert.match(shallow.out, /events of the ClickHouse server are read by --deep alone/);
	const unset = await run({ CLICKHOUSE_URL: "" }, "verify", place, "--deep");
	assert.match(unset.error, /CLICKHOUSE_URL must name the server/);

	const id = manifests[1]?.id ?? "";
	const full = newDirectory();
	const refused = await run({}, "restore", place, "--to", full, "--backup", id);
	assert.match(refused.error, /did not back up or restore its events \(CANNOT_RESTORE_TABLE\)/);
	assert.deepEqual(readdirSync(full), [], "nothing is restored beside events that are there already");
	await app.close();
	await clickhouse.empty();
	const dataDir = newDirectory();
	const restored = await run({}, "restore", place, "--to", dataDir, "--backup", id);
	assert.match(restored.out, /has restored its events in the database of CLICKHOUSE_URL/, restored.error);
	await using again = await testApp({
		dataDir,
		now: "2026-11-22T13:30:00.000Z",
		env: { CLICKHOUSE_URL: clickhouse.url },
	});
	assert.deepEqual(await everyReport(again, await signInAgain(again, owner), { site, ...asked }), reports);

	rmSync(join(clickhouse.disk, first?.name ?? "", "data"), { recursive: true });
	const broken = await run({}, "verify", place, "--deep", "--backup", id);
	assert.equal(broken.code, 1);
	assert.match(broken.error, /did not back up or restore its events \(\w+\)/);
	const left = await clickhouse.store.query({
		sql: "SELECT name FROM system.databases WHERE name LIKE 'footfall_verify_%'",
	});
	assert.deepEqual(left, []);
});

test("with CLICKHOUSE_BACKUP_TO=bucket the server writes beside the files of the backup, and no message has the bucket's secret", async (t) => {
	await clickhouse.empty();
	const peer = await startS3Peer({ region: "us-east-1" });
	t.after(() => peer.close());
	const { app, site } = await shop({});
	t.after(() => app.close());
	await sendHits(app, [{ site, url: "https://shop.example/one" }]);
	const env = { DATA_DIR: app.config.dataDir, CLICKHOUSE_BACKUP_TO: "bucket" };
	const place = peer.url(`${BUCKET}/footfall`);
	peer.fault = (request) => (request.includes("/events-") ? 403 : undefined);
	const failed = await run(env, "backup", "--to", place);
	assert.equal(failed.code, 1);
	assert.match(failed.error, /^The ClickHouse server did not back up or restore its events \(S3_ERROR\); /m);
	assert.doesNotMatch(failed.error, /PEER|secret/);
	peer.fault = () => undefined;
	const made = await run(env, "backup", "--to", place);
	assert.match(made.out, /The ClickHouse server has written its events to events-\S+ \(bucket\)/, made.error);
	assert.ok(peer.objects().some((name) => /^footfall\/events-[^/]+\/\.backup$/.test(name)));

	const other = await clickHouseWithDisk();
	t.after(() => other.close());
	const to = newDirectory();
	const restored = await run({ CLICKHOUSE_URL: other.url }, "restore", place, "--to", to);
	assert.equal(restored.code, 0, restored.error);
	const rows = async ({ store }: typeof other) =>
		store.query({ sql: "SELECT count() AS rows, sum(entrance) AS entrances FROM events" });
	assert.deepEqual(await rows(other), await rows(clickhouse));
});

test("a backup without the events says so; a bucket in a directory and a cluster that the server does not know are refused", async (t) => {
	await clickhouse.empty();
	const { app } = await shop({});
	t.after(() => app.close());
	const place = newDirectory();
	const env = { DATA_DIR: app.config.dataDir };
	const without = await run(env, "backup", "--to", place);
	assert.match(without.out, /does not include events, .*: set CLICKHOUSE_BACKUP_TO/);
	const refused = await run({ ...env, CLICKHOUSE_BACKUP_TO: "bucket" }, "backup", "--to", place);
	assert.match(refused.error, /needs a bucket, and the place is a directory/);
	assert.equal(filesOf(place, "backup").length, 1);
	const cluster = { ...env, CLICKHOUSE_BACKUP_TO: "disk:backups", CLICKHOUSE_CLUSTER: "far" };
	assert.match((await run(cluster, "backup", "--to", place)).error, /its events \(CLUSTER_DOESNT_EXIST\)/);
	assert.equal((await run({ ...cluster, CLICKHOUSE_CLUSTER: "" }, "backup", "--to", place)).code, 0);
	const elsewhere = ["restore", place, "--to", newDirectory()];
	assert.match((await run({ CLICKHOUSE_CLUSTER: "far" }, ...elsewhere)).error, /its events \(CLUSTER_DOESNT_EXIST\)/);
});
