import assert from "node:assert/strict";
import { readFileSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { after, before, test } from "node:test";
import { Client } from "undici";
import { openTestStore, silentLog, type TestStore } from "../../../../test/support/test-store.ts";
import { openEventStore } from "../open-event-store.ts";

// Each test pins a rule that keeps the embedded engine safe; run them again at every upgrade of chDB.

let open: TestStore;
before(async () => {
	open = await openTestStore();
	await open.store.command(
		"CREATE TABLE t (id UInt64) ENGINE = MergeTree ORDER BY id SETTINGS non_replicated_deduplication_window = 100",
	);
});
after(() => open.remove());

const countOf = async (sql: string) => (await open.store.query<{ n: number }>({ sql }))[0]?.n;

test("a query that failed after it produced output leaves none of it to the next ones", async () => {
	for (let round = 0; round < 5; round++) {
		await assert.rejects(
			open.store.query({
				sql: "SELECT 'secret', throwIf(number = 200000) FROM numbers(300000) SETTINGS max_block_size = 1000",
			}),
			{ code: "database_error" },
		);
		const answers = await Promise.all(
			Array.from({ length: 8 }, (_, n) => open.store.query({ sql: "SELECT {n:UInt8} AS n", params: { n } })),
		);
		assert.deepEqual(
			answers,
			[0, 1, 2, 3, 4, 5, 6, 7].map((n) => [{ n }]),
		);
	}
});

test("settings and parameters of a query are gone for the next one", async () => {
	const blockSize = (settings?: Record<string, number>) =>
		open.store.query({ sql: "SELECT toUInt64(getSetting('max_block_size')) AS size", ...(settings && { settings }) });
	const usual = await blockSize();
	assert.deepEqual(await blockSize({ max_block_size: 77 }), [{ size: 77 }]);
	for (let round = 0; round < 8; round++) assert.deepEqual(await blockSize(), usual);
	await open.store.query({ sql: "SELECT {mine:String} AS a", params: { mine: "x" } });
	for (let round = 0; round < 8; round++) {
		await assert.rejects(open.store.query({ sql: "SELECT {mine:String} AS a" }), { code: "database_error" });
	}
});

test("a deduplication token is gone for the next insert", async () => {
	await open.store.insert({ table: "t", columns: ["id"], tsv: Buffer.from("1\n"), deduplicationToken: "leak" });
	for (let id = 2; id <= 9; id++) await open.store.command(`INSERT INTO t SELECT ${id}`);
	assert.equal(await countOf("SELECT count() AS n FROM t"), 9);
	await open.store.command("TRUNCATE TABLE t");
});

test("an insert of more rows than one statement takes is dropped as a whole when it is repeated", async () => {
	const tsv = Buffer.from(Array.from({ length: 120_001 }, (_, id) => `${id}\n`).join(""));
	const insert = { table: "t", columns: ["id"], tsv, deduplicationToken: "large" };
	await open.store.insert(insert);
	await open.store.insert(insert);
	assert.equal(await countOf("SELECT count() AS n FROM t"), 120_001);
});

test("an insert into two partitions of which a crash let only one through is completed by its repetition", async () => {
	await open.store.command(
		`CREATE TABLE months (day Date) ENGINE = MergeTree PARTITION BY toYYYYMM(day) ORDER BY day
		SETTINGS non_replicated_deduplication_window = 100`,
	);
	const insert = (text: string) =>
		open.store.insert({ table: "months", columns: ["day"], tsv: Buffer.from(text), deduplicationToken: "same" });
	await insert("2026-01-31\n2026-01-31\n");
	await insert("2026-01-31\n2026-01-31\n2026-02-01\n");
	await insert("2026-01-31\n2026-01-31\n2026-02-01\n");
	assert.equal(await countOf("SELECT count() AS n FROM months"), 3);
});

test("the secret is not on the command line, and the socket answers nobody without it", async () => {
	const { superviseStoreProcess } = await import("./supervisor.ts");
	const supervisor = await superviseStoreProcess({
		directory: `${open.dataDir}/other`,
		memoryBytes: 2 ** 30,
		log: silentLog,
	});
	const { url, socketPath = "" } = supervisor.address() ?? { url: "http://localhost" };
	const { password } = new URL(url);
	const connection = new Client("http://localhost", { socketPath });
	const ask = async (headers: Record<string, string>) => {
		const { statusCode, body } = await connection.request({ method: "POST", path: "/", body: "SELECT 1", headers });
		return { status: statusCode, text: await body.text() };
	};
	const basic = (text: string) => ({ authorization: `Basic ${Buffer.from(text).toString("base64")}` });
	assert.equal((await ask({})).status, 403);
	assert.equal((await ask(basic("footfall:wrong"))).status, 403);
	assert.equal((await ask(basic("footfall:"))).status, 403);
	assert.equal((await ask(basic(`footfall:${password}`))).text, "1\n");
	assert.equal(statSync(dirname(socketPath)).mode & 0o777, 0o700);
	if (process.platform === "linux") {
		assert.ok(!readFileSync(`/proc/${supervisor.pid()}/cmdline`, "utf8").includes(password));
	}
	await connection.close();
	await supervisor.close();
});

test("a second process on the same directory is refused in plain words", async () => {
	await assert.rejects(openEventStore({ dataDir: open.dataDir, log: silentLog }), {
		message: `The event store in ${open.dataDir}/events is in use by another process`,
	});
	assert.deepEqual(await open.store.query({ sql: "SELECT 1 AS one" }), [{ one: 1 }]);
});
