// Real processes, as the promises are about a store process or its parent that is killed.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { test } from "node:test";
import { openEventStore } from "../../src/platform/event-store/open-event-store.ts";
import { openTestStore, silentLog } from "../support/test-store.ts";
import { until } from "../support/until.ts";

const ENDLESS = "SELECT count() FROM numbers(1000000000000) WHERE sipHash64(number) = 1";
const TABLE = `CREATE TABLE t (id UInt64) ENGINE = MergeTree ORDER BY id
	SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, non_replicated_deduplication_window = 100`;

const isUp = (answer: Promise<void>) =>
	answer.then(
		() => true,
		() => false,
	);

function isAlive(pid: number): boolean {
	try {
		return process.kill(pid, 0);
	} catch {
		return false;
	}
}

test("a killed store process comes back by itself; only what was under way fails, and no answered insert is lost", async (t) => {
	const { store, remove } = await openTestStore();
	t.after(remove);
	await store.command(TABLE);
	for (let round = 1; round <= 3; round++) {
		const insert = { table: "t", columns: ["id"], tsv: Buffer.from(`${round}\n`), deduplicationToken: `r${round}` };
		await store.insert(insert);
		const underWay = assert.rejects(store.query({ sql: ENDLESS }), { code: "database_unavailable" });
		await until(async () => {
			const rows = await store.query<{ n: number }>({ sql: "SELECT count() AS n FROM system.processes" });
			return rows[0]?.n === 2;
		});
		const killed = store.childPid();
		assert.ok(killed);
		process.kill(killed, "SIGKILL");
		await underWay;
		await assert.rejects(store.ping(), { code: "database_unavailable" });
		await until(() => isUp(store.ping()));
		assert.notEqual(store.childPid(), killed);
		await store.insert(insert);
		assert.deepEqual(await store.query({ sql: "SELECT count() AS n FROM t" }), [{ n: round }]);
	}
});

test("rows whose token a killed store process has noted, and not yet the rows, count when they come again", async (t) => {
	const { store, dataDir, remove } = await openTestStore();
	t.after(remove);
	await store.command(TABLE);
	const insert = (id: number) => ({
		table: "t",
		columns: ["id"],
		tsv: Buffer.from(`${id}\n`),
		deduplicationToken: `row ${id}`,
	});
	for (const id of [1, 2, 3]) await store.insert(insert(id));
	await store.command("OPTIMIZE TABLE t FINAL");
	await store.insert(insert(4));
	const [part] = await store.query<{ path: string }>({
		sql: "SELECT path FROM system.parts WHERE table = 't' AND active ORDER BY max_block_number DESC LIMIT 1",
	});
	await store.close();
	// As a kill between the two leaves it: the token is on the disk, the part is not.
	assert.ok(part);
	rmSync(resolve(join(dataDir, "events"), part.path), { recursive: true });
	const again = await openEventStore({ dataDir, log: silentLog });
	t.after(() => again.close());
	// Another one gets the number of the part that never was.
	for (const id of [5, 4, 3, 2, 1, 4]) await again.insert(insert(id));
	assert.deepEqual(
		await again.query({ sql: "SELECT id FROM t ORDER BY id" }),
		[1, 2, 3, 4, 5].map((id) => ({ id })),
	);
});

test("a stream cut off by a killed store process throws instead of ending early", async (t) => {
	const { store, remove } = await openTestStore();
	t.after(remove);
	const read = async () => {
		for await (const _ of store.stream({ sql: "SELECT number FROM numbers(1000000000000)" })) {
			const pid = store.childPid();
			if (pid !== undefined) process.kill(pid, "SIGKILL");
		}
	};
	await assert.rejects(read(), { code: "database_unavailable" });
});

test("the store process ends with its parent and leaves the directory free", {
	skip: process.platform === "win32",
}, async (t) => {
	const { store, dataDir, remove } = await openTestStore();
	t.after(remove);
	await store.command(TABLE);
	await store.close();
	const parent = spawn(process.execPath, ["--input-type=module", "--eval", PARENT, dataDir], {
		stdio: ["ignore", "pipe", "inherit"],
	});
	const [line] = (await once(parent.stdout, "data")) as [Buffer];
	const child = Number(line.toString());
	parent.kill("SIGKILL");
	await until(() => !isAlive(child));
	const again = await openEventStore({ dataDir, log: silentLog });
	assert.deepEqual(await again.query({ sql: "SELECT id FROM t" }), [{ id: 42 }]);
	await again.close();
});

const PARENT = `
	import { openEventStore } from ${JSON.stringify(new URL("../../src/platform/event-store/open-event-store.ts", import.meta.url).href)};
	const log = { info() {}, warn() {}, error() {} };
	const store = await openEventStore({ dataDir: process.argv[1], log });
	await store.insert({ table: "t", columns: ["id"], tsv: Buffer.from("42\\n"), deduplicationToken: "x" });
	console.log(store.childPid());
`;

test("a start on a directory that the engine cannot use fails with its reason", async (t) => {
	const { store, dataDir, remove } = await openTestStore();
	t.after(remove);
	await store.close();
	rmSync(join(dataDir, "events"), { recursive: true });
	mkdirSync(join(dataDir, "events", "status"), { recursive: true });
	await assert.rejects(openEventStore({ dataDir, log: silentLog }), /The event store did not start: .+/);
});

test("closing twice and closing with a query under way both end", async () => {
	const { store, remove } = await openTestStore();
	const underWay = store.query({ sql: ENDLESS }).catch((error: unknown) => error);
	await store.ping();
	await Promise.all([store.close(), store.close()]);
	assert.ok((await underWay) instanceof Error);
	await remove();
});
