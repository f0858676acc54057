// Real processes and real time, as a supervisor waits seconds for a stopped process before it kills it.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync } from "node:fs";
import { test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { processIdentity } from "../../src/platform/event-store/embedded/process-identity.ts";
import { openEventStore } from "../../src/platform/event-store/open-event-store.ts";
import { type Asker, askedBy } from "../../src/platform/lib/asker.ts";
import { openTestStore, silentLog } from "../support/test-store.ts";
import { until } from "../support/until.ts";

const ENDLESS = "SELECT count() FROM numbers(1000000000000) WHERE sipHash64(number) = 1";
const skip = process.platform === "win32";

const gone = (pid: number) => until(() => processIdentity(pid) === undefined);

test("a store process that no longer answers is killed and started again; who waits for it is told so", {
	skip,
}, async (t) => {
	const { store, remove } = await openTestStore();
	t.after(remove);
	await store.command("CREATE TABLE t (id UInt64) ENGINE = MergeTree ORDER BY id");
	const insert = { table: "t", columns: ["id"], tsv: Buffer.from("1\n"), deduplicationToken: "a" };
	await store.insert(insert);
	const frozen = store.childPid() ?? 0;
	process.kill(frozen, "SIGSTOP");
	const asker: Asker = { id: "key:1", tenant: "a", kind: "interactive", signal: new AbortController().signal };
	const report = askedBy(asker, () => store.query({ sql: "SELECT 1 AS one" }));
	await assert.rejects(report, { code: "database_unavailable" });
	await until(() => (store.childPid() ?? frozen) !== frozen);
	await gone(frozen);
	await store.insert({ ...insert, tsv: Buffer.from("2\n"), deduplicationToken: "b" });
	assert.deepEqual(await store.query({ sql: "SELECT id FROM t ORDER BY id" }), [{ id: 1 }, { id: 2 }]);
});

test("queries that keep every thread of the engine busy are no reason to kill it", async (t) => {
	const { store, remove } = await openTestStore();
	t.after(remove);
	const stop = new AbortController();
	const busy = Promise.allSettled(Array.from({ length: 8 }, () => store.query({ sql: ENDLESS, signal: stop.signal })));
	const pid = store.childPid();
	for (let seconds = 0; seconds < 9; seconds++) {
		await store.ping();
		await pause(1_000);
	}
	assert.equal(store.childPid(), pid);
	stop.abort(new Error("enough"));
	await busy;
});

test("closing ends when the store process does not answer, and leaves none", {
	skip,
}, async () => {
	const { store, dataDir, remove } = await openTestStore();
	const pid = store.childPid() ?? 0;
	process.kill(pid, "SIGSTOP");
	await store.close();
	assert.equal(processIdentity(pid), undefined);
	assert.deepEqual(readdirSync(dataDir), ["events"]);
	await remove();
});

test("a stopped store process whose parent was killed gives way to the next start", { skip }, async (t) => {
	const { store, dataDir, remove } = await openTestStore();
	t.after(remove);
	await store.close();
	const { parent, child } = await startParent(dataDir);
	process.kill(child, "SIGSTOP");
	parent.kill("SIGKILL");
	await once(parent, "exit");
	const again = await openEventStore({ dataDir, log: silentLog });
	assert.equal(processIdentity(child), undefined);
	assert.deepEqual(await again.query({ sql: "SELECT 1 AS one" }), [{ one: 1 }]);
	await again.close();
	assert.deepEqual(readdirSync(dataDir), ["events"]);
});

test("a stopped store process of a service that runs is nobody else's to kill", { skip }, async (t) => {
	const { store, dataDir, remove } = await openTestStore();
	t.after(remove);
	const pid = store.childPid() ?? 0;
	process.kill(pid, "SIGSTOP");
	await assert.rejects(openEventStore({ dataDir, log: silentLog }), /is in use by another process/);
	process.kill(pid, "SIGCONT");
	await store.ping();
	assert.equal(store.childPid(), pid);
	assert.deepEqual(await store.query({ sql: "SELECT 1 AS one" }), [{ one: 1 }]);
});

test("however the service ends by itself, a stopped store process ends with it", { skip }, async (t) => {
	const { store, dataDir, remove } = await openTestStore();
	t.after(remove);
	await store.close();
	const { parent, child } = await startParent(dataDir);
	process.kill(child, "SIGSTOP");
	parent.stdin.end("exit");
	await once(parent, "exit");
	await gone(child);
});

async function startParent(dataDir: string) {
	const parent = spawn(process.execPath, ["--input-type=module", "--eval", PARENT, dataDir], {
		stdio: ["pipe", "pipe", "inherit"],
	});
	const [line] = (await once(parent.stdout, "data")) as [Buffer];
	return { parent, child: Number(line.toString()) };
}

const PARENT = `
	import { openEventStore } from ${JSON.stringify(new URL("../../src/platform/event-store/open-event-store.ts", import.meta.url).href)};
	const log = { info() {}, warn() {}, error() {} };
	const store = await openEventStore({ dataDir: process.argv[1], log });
	process.stdin.on("data", () => process.exit(1));
	console.log(store.childPid());
`;
