import assert from "node:assert/strict";
import { readFileSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { after, test } from "node:test";
import fc from "fast-check";
import { Client } from "undici";
import { openTestStore, silentLog } from "../../../../test/support/test-store.ts";
import { defaultMemory, openEventStore } from "../open-event-store.ts";
import { sliceRows } from "./engine.ts";
import { setStatement } from "./set-statement.ts";
import { superviseStoreProcess } from "./supervisor.ts";

// Each test on the store pins a rule that keeps the embedded engine safe; run them again at every upgrade of chDB.

const MIB = 1024 ** 2;

const open = await openTestStore({ memoryBytes: 512 * MIB });
for (const table of [
	"t (id UInt64) ENGINE = MergeTree",
	"months (id Date) ENGINE = MergeTree PARTITION BY toYYYYMM(id)",
]) {
	await open.store.command(`CREATE TABLE ${table} ORDER BY id SETTINGS non_replicated_deduplication_window = 100`);
}
after(() => open.remove());

const insert = (table: string, text: string, deduplicationToken: string) =>
	open.store.insert({ table, columns: ["id"], tsv: Buffer.from(text), deduplicationToken });
const countOf = async (table: string) =>
	(await open.store.query<{ n: number }>({ sql: `SELECT count() AS n FROM ${table}` }))[0]?.n;

test("a query that failed after it produced output leaves none of it to the next ones", async () => {
	const failing = "SELECT 'secret', throwIf(number = 200000) FROM numbers(300000) SETTINGS max_block_size = 1000";
	for (let round = 0; round < 5; round++) {
		await assert.rejects(open.store.query({ sql: failing }), { code: "database_error" });
		const answers = [0, 1, 2, 3, 4, 5, 6, 7].map((n) =>
			open.store.query({ sql: "SELECT {n:UInt8} AS n", params: { n } }),
		);
		const found = (await Promise.all(answers)).flat();
		const expected = [0, 1, 2, 3, 4, 5, 6, 7].map((n) => ({ n }));
		assert.deepEqual(found, expected);
	}
});

test("settings and parameters of a query and the token of an insert are gone for the next ones", async () => {
	const blockSize = (settings?: Record<string, number>) =>
		open.store.query({ sql: "SELECT toUInt64(getSetting('max_block_size')) AS size", ...(settings && { settings }) });
	const usual = await blockSize();
	assert.deepEqual(await blockSize({ max_block_size: 77 }), [{ size: 77 }]);
	await open.store.query({ sql: "SELECT {mine:String} AS a", params: { mine: "x" } });
	await insert("t", "1\n", "leak");
	for (let round = 2; round <= 9; round++) {
		assert.deepEqual(await blockSize(), usual);
		await assert.rejects(open.store.query({ sql: "SELECT {mine:String} AS a" }), { code: "database_error" });
		await open.store.command(`INSERT INTO t SELECT ${round}`);
	}
	assert.equal(await countOf("t"), 9);
});

test("an insert of more rows than one statement takes is dropped as a whole when it is repeated", async () => {
	await open.store.command("TRUNCATE TABLE t");
	const rows = Array.from({ length: 120_001 }, (_, id) => `${id}\n`).join("");
	for (let times = 0; times < 2; times++) await insert("t", rows, "large");
	assert.equal(await countOf("t"), 120_001);
});

test("an insert into two partitions of which a crash let only one through is completed by its repetition", async () => {
	const whole = "2026-01-31\n2026-01-31\n2026-02-01\n";
	for (const rows of ["2026-01-31\n2026-01-31\n", whole, whole]) await insert("months", rows, "same");
	assert.equal(await countOf("months"), 3);
});

test("the secret is not on the command line, and the socket answers nobody without it", async () => {
	const directory = `${open.dataDir}/other`;
	const supervisor = await superviseStoreProcess({ directory, memoryBytes: 2 ** 30, log: silentLog });
	const { url, socketPath = "" } = supervisor.address() ?? { url: "http://localhost" };
	const { password } = new URL(url);
	const connection = new Client("http://localhost", { socketPath });
	const ask = async (credential?: string) => {
		const headers = credential && { authorization: `Basic ${Buffer.from(credential).toString("base64")}` };
		const request = { method: "POST", path: "/", body: "SELECT 1", ...(headers && { headers }) } as const;
		const { statusCode, body } = await connection.request(request);
		return { status: statusCode, text: await body.text() };
	};
	for (const credential of [undefined, "footfall:wrong", "footfall:"]) {
		assert.equal((await ask(credential)).status, 403, String(credential));
	}
	assert.equal((await ask(`footfall:${password}`)).text, "1\n");
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

test("a query may use half of the store's memory, and those beside it are answered", async () => {
	const list = (rows: number) => ({ sql: `SELECT length(groupArray(repeat('x', 100))) AS n FROM numbers(${rows})` });
	const large = assert.rejects(open.store.query(list(4_000_000)), { code: "gateway_timeout" });
	assert.deepEqual(await open.store.query(list(1000)), [{ n: 1000 }]);
	await large;
});

test("the store takes a share of the memory that a process may have", () => {
	const table = { 256: 128, 512: 192, 1024: 512, 2048: 1024, 8192: 2048, 65536: 4096 };
	for (const [all, memory] of Object.entries(table)) assert.equal(defaultMemory(Number(all) * MIB), memory * MIB, all);
});

test("values of settings become string literals that cannot end early; a name that is no identifier is refused", () => {
	const settings = { max_threads: "2", param_a: "it's \\' ; DROP TABLE t" };
	const statement = "SET max_threads='2', param_a='it\\'s \\\\\\' ; DROP TABLE t'";
	assert.equal(setStatement(new Map(Object.entries(settings))), statement);
	assert.equal(setStatement(new Map()), "");
	for (const name of ["a=1, b", ""]) assert.throws(() => setStatement(new Map([[name, "x"]])), /Not the name/);
});

test("slices put together are the rows, each a whole number of them within the limits", () => {
	const slicesOf = (text: string, rows: number, bytes: number) =>
		sliceRows(Buffer.from(text), { rows, bytes }).map(String);
	assert.deepEqual(slicesOf("a\nb\nc\nd\n", 2, 100), ["a\nb\n", "c\nd\n"]);
	const slices = slicesOf("aa\nbb\nccccccccc\nd\n", 10, 6);
	assert.deepEqual(slices, ["aa\nbb\n", "ccccccccc\n", "d\n"], "a long row stays whole");
	assert.deepEqual(slicesOf("a\nb", 1, 100), ["a\n", "b"], "a last row without line feed");
	const lines = fc.array(fc.stringMatching(/^[a-z]{0,5}$/));
	fc.assert(
		fc.property(lines, fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 9 }), (words, rows, bytes) => {
			const text = words.map((word) => `${word}\n`).join("");
			const parts = slicesOf(text, rows, bytes);
			assert.equal(parts.join(""), text);
			for (const slice of parts) assert.ok(slice.endsWith("\n") && slice.split("\n").length - 1 <= rows);
		}),
	);
});
