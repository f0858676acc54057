// Real processes and real time: the promises are about processes that are killed or stopped, for which a supervisor waits seconds.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { type TestContext, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { processIdentity } from "../../src/platform/event-store/embedded/process-identity.ts";
import { openEventStore } from "../../src/platform/event-store/open-event-store.ts";
import { type Asker, askedBy } from "../../src/platform/lib/asker.ts";
import { ENDLESS } from "../support/askers.ts";
import { openTestStore, silentLog } from "../support/test-store.ts";
import { until } from "../support/until.ts";

const TABLE = `CREATE TABLE t (id UInt64) ENGINE = MergeTree ORDER BY id
	SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, non_replicated_deduplication_window = 100`;
const skip = process.platform === "win32";

const insertOf = (id: number) => ({
	table: "t",
	columns: ["id"],
	tsv: Buffer.from(`${id}\n`),
	deduplicationToken: `row ${id}`,
});
const IDS = { sql: "SELECT id FROM t ORDER BY id" };
const gone = (pid: number) => until(() => processIdentity(pid) === undefined);

/** A store, removed at the end of the test. */
async function openStore(t: TestContext) {
	const open = await openTestStore();
	t.after(open.remove);
	return { ...open, store: open.store, pid: open.store.childPid() ?? 0 };
}

test("rows whose token a killed store process has noted, and not yet the rows, count when they come again", async (t) => {
	const { store, dataDir } = await openStore(t);
	await store.command(TABLE);
	for (const id of [1, 2, 3]) await store.insert(insertOf(id));
	await store.command("OPTIMIZE TABLE t FINAL");
	await store.insert(insertOf(4));
	const [part] = await store.query<{ path: string }>({
		sql: "SELECT path FROM system.parts WHERE table = 't' AND active ORDER BY max_block_number DESC LIMIT 1",
	});
	await store.close();
	// As a kill between the two leaves it: the token is on the disk, the part is not.
	rmSync(resolve(join(dataDir, "events"), part?.path ?? assert.fail()), { recursive: true });
	const again = await openEventStore({ dataDir, log: silentLog });
	t.after(() => again.close());
	// Another one gets the number of the part that never was.
	for (const id of [5, 4, 3, 2, 1, 4]) await again.insert(insertOf(id));
	assert.deepEqual(
		await again.query(IDS),
		[1, 2, 3, 4, 5].map((id) => ({ id })),
	);
});

test("a stream cut off by a killed store process throws instead of ending early", async (t) => {
	const { store, pid } = await openStore(t);
	let isKilled = false;
	const read = async () => {
		for await (const _ of store.stream({ sql: "SELECT number FROM numbers(1000000000000)" })) {
			if (!isKilled) isKilled = process.kill(pid, "SIGKILL");
		}
	};
	await assert.rejects(read(), { code: "database_unavailable" });
});

test("a store process that no longer answers is killed and started again; who waits for it is told so", {
	skip,
}, async (t) => {
	const { store, pid } = await openStore(t);
	await store.command(TABLE);
	await store.insert(insertOf(1));
	process.kill(pid, "SIGSTOP");
	const asker: Asker = { id: "key:1", tenant: "a", kind: "interactive", signal: new AbortController().signal };
	const report = askedBy(asker, () => store.query({ sql: "SELECT 1 AS one" }));
	await assert.rejects(report, { code: "database_unavailable" });
	await until(() => (store.childPid() ?? pid) !== pid);
	await gone(pid);
	await store.insert(insertOf(2));
	assert.deepEqual(await store.query(IDS), [{ id: 1 }, { id: 2 }]);
});

test("queries that keep every thread of the engine busy are no reason to kill it", async (t) => {
	const { store, pid } = await openStore(t);
	const stop = new AbortController();
	const busy = Promise.allSettled(Array.from({ length: 8 }, () => store.query({ sql: ENDLESS, signal: stop.signal })));
	for (let seconds = 0; seconds < 9; seconds++) {
		await store.ping();
		await pause(1_000);
	}
	assert.equal(store.childPid(), pid);
	stop.abort(new Error("enough"));
	await busy;
});

test("closing ends when the store process does not answer, when it is asked, and when it was closed already", {
	skip,
}, async (t) => {
	const { store, dataDir, pid } = await openStore(t);
	const underWay = store.query({ sql: ENDLESS }).catch((error: unknown) => error);
	await store.ping();
	process.kill(pid, "SIGSTOP");
	await Promise.all([store.close(), store.close()]);
	assert.ok((await underWay) instanceof Error);
	assert.equal(processIdentity(pid), undefined);
	assert.deepEqual(readdirSync(dataDir), ["events"]);
});

test("a stopped store process of a service that runs is nobody else's to kill", { skip }, async (t) => {
	const { store, dataDir, pid } = await openStore(t);
	process.kill(pid, "SIGSTOP");
	await assert.rejects(openEventStore({ dataDir, log: silentLog }), /is in use by another process/);
	process.kill(pid, "SIGCONT");
	await store.ping();
	assert.equal(store.childPid(), pid);
});

const PARENT = `
	import { openEventStore } from ${JSON.stringify(new URL("../../src/platform/event-store/open-event-store.ts", import.meta.url).href)};
	const log = { info() {}, warn() {}, error() {} };
	const store = await openEventStore({ dataDir: process.argv[1], log });
	await store.insert({ table: "t", columns: ["id"], tsv: Buffer.from("42\\n"), deduplicationToken: "x" });
	process.stdin.on("data", () => process.exit(1));
	console.log(store.childPid());
`;

for (const { title, isStopped, end } of [
	{ title: "the store process ends with its parent", isStopped: false, end: "kill" },
	{ title: "a stopped one whose parent was killed gives way to the next start", isStopped: true, end: "kill" },
	{ title: "a stopped one ends when its parent ends by itself", isStopped: true, end: "exit" },
] as const) {
	test(`${title}, and leaves the directory free`, { skip }, async (t) => {
		const { store, dataDir } = await openStore(t);
		await store.command(TABLE);
		await store.close();
		const parent = spawn(process.execPath, ["--input-type=module", "--eval", PARENT, dataDir], {
			stdio: ["pipe", "pipe", "inherit"],
		});
		const [line] = (await once(parent.stdout, "data")) as [Buffer];
		const child = Number(line.toString());
		if (isStopped) process.kill(child, "SIGSTOP");
		if (end === "kill") parent.kill("SIGKILL");
		else parent.stdin.end("exit");
		await once(parent, "exit");
		if (!isStopped || end === "exit") await gone(child);
		const again = await openEventStore({ dataDir, log: silentLog });
		assert.equal(processIdentity(child), undefined);
		assert.deepEqual(await again.query(IDS), [{ id: 42 }]);
		await again.close();
	});
}

test("a start on a directory that the engine cannot use fails with its reason", async (t) => {
	const { store, dataDir } = await openStore(t);
	await store.close();
	rmSync(join(dataDir, "events"), { recursive: true });
	mkdirSync(join(dataDir, "events", "status"), { recursive: true });
	await assert.rejects(openEventStore({ dataDir, log: silentLog }), /The event store did not start: .+/);
});
