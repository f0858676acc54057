import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { relative } from "node:path";
import { after, before, describe, test } from "node:test";
import fc from "fast-check";
import { newDirectory } from "../../../test/support/new-directory.ts";
import { openTestStore, silentLog } from "../../../test/support/test-store.ts";
import { ServiceError } from "../errors/service-error.ts";
import type { EventStore, QueryParam, QueryStatistics } from "./event-store.ts";
import { openEventStore } from "./open-event-store.ts";

const characters = [..."\\'\"\t\n\r\0\bNn`{}[],é漢;-"];
const text = fc.oneof(
	fc.string({ unit: "binary", maxLength: 20 }),
	fc.string({ unit: fc.constantFrom(...characters), maxLength: 12 }),
);
const date = fc.integer({ min: 0, max: 40_000 }).map((days) => new Date(days * 86_400_000).toISOString().slice(0, 10));

/** Types of parameters and what may be bound as them. */
const bound: readonly (readonly [type: string, values: fc.Arbitrary<QueryParam>])[] = [
	["String", text],
	["Nullable(String)", fc.option(text)],
	["Array(Nullable(String))", fc.array(fc.option(text), { maxLength: 5 })],
	["Array(Array(String))", fc.array(fc.array(text, { maxLength: 3 }), { maxLength: 3 })],
	["Int32", fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 })],
	["Array(UInt64)", fc.array(fc.maxSafeNat(), { maxLength: 5 })],
	["Float64", fc.double({ noNaN: true, noDefaultInfinity: true })],
	["Array(Bool)", fc.array(fc.boolean(), { maxLength: 5 })],
	["Bool", fc.boolean()],
	["Date32", date],
	["Array(Date32)", fc.array(date, { maxLength: 5 })],
];

/** The promises of `EventStore`, whatever stands behind it. */
function eventStoreSuite(open: () => Promise<{ store: EventStore; remove: () => Promise<void> }>): void {
	let store: EventStore;
	let remove: () => Promise<void>;
	const table = `suite_${process.pid}_${Date.now()}`;
	const insert = (tsv: string, deduplicationToken: string) =>
		store.insert({ table, columns: ["id", "word"], tsv: Buffer.from(tsv), deduplicationToken });
	const count = async () => (await store.query<{ n: number }>({ sql: `SELECT count() AS n FROM ${table}` }))[0]?.n;

	before(async () => {
		({ store, remove } = await open());
		await store.command(
			`CREATE TABLE ${table} (id UInt64, word String) ENGINE = MergeTree ORDER BY id SETTINGS non_replicated_deduplication_window = 100`,
		);
	});
	after(async () => {
		await store.command(`DROP TABLE ${table}`);
		await remove();
	});

	for (const [type, values] of bound) {
		test(`any value bound as ${type} comes back as it is and is never read as SQL`, async () => {
			const twenty = fc.array(values, { minLength: 20, maxLength: 20 });
			const isSame = async (given: readonly QueryParam[]) => {
				const columns = given.map((_, at) => `{v${at}:${type}} AS v${at}`);
				const params = Object.fromEntries(given.map((value, at) => [`v${at}`, value]));
				const [row = {}] = await store.query({ sql: `SELECT ${columns}`, params });
				// JSON knows no negative zero.
				const expected = given.map((value) => (value === 0 ? 0 : value));
				assert.deepEqual(Object.values(row), expected);
			};
			await fc.assert(fc.asyncProperty(twenty, isSame), { numRuns: 3 });
		});
	}

	test("big integers keep every digit, and long lists every value", async () => {
		await store.ping();
		const list = Array.from({ length: 20_000 }, (_, index) => `/page/${index}`);
		const params = { n: 18_446_744_073_709_551_615n, l: [-9_223_372_036_854_775_808n], list };
		const sql =
			"SELECT toString({n:UInt64}) AS n, toString({l:Array(Int64)}) AS l, length({list:Array(String)}) AS many";
		const [row] = await store.query({ sql, params });
		assert.deepEqual(row, { n: "18446744073709551615", l: "[-9223372036854775808]", many: 20_000 });
	});

	test("decodes rows by their declared types", async () => {
		const rows = await store.query({
			sql: `SELECT toUInt64(7) AS big, sum(toDecimal64(1.25, 4)) AS money, map('k', '7') AS texts, '404' AS text,
				toDateTime64('2026-02-28 10:11:12.345', 3, 'UTC') AS at, [toUInt64(1)] AS list, toNullable(toInt64(404)) AS maybe,
				toLowCardinality('404') AS few, map('a', toDecimal128(1.5, 4)) AS map, map('b', ['7']) AS words,
				CAST(9, 'SimpleAggregateFunction(sum, UInt64)') AS simple`,
		});
		assert.deepEqual(rows, [
			{
				...{ big: 7, money: 1.25, texts: { k: "7" }, text: "404", at: "2026-02-28 10:11:12.345", list: [1] },
				...{ maybe: 404, few: "404", map: { a: 1.5 }, words: { b: ["7"] }, simple: 9 },
			},
		]);
	});

	test("tells what the engine spent", async () => {
		const told: QueryStatistics[] = [];
		const onStatistics = (statistics: QueryStatistics) => void told.push(statistics);
		const rows = await store.query({ sql: "SELECT number FROM numbers(1000)", onStatistics });
		const [spent, ...more] = told;
		assert.deepEqual([rows.length, spent?.rowsRead, more], [1000, 1000, []]);
		assert.ok((spent?.elapsed ?? 0) > 0);
	});

	test("an insert with a token counts once however often it is sent, and the next token counts again", async () => {
		await insert("1\ta\n2\tb\\tc\n", "one");
		await insert("1\ta\n2\tb\\tc\n", "one");
		assert.equal(await count(), 2);
		await insert("1\ta\n2\tb\\tc\n", "two");
		assert.equal(await count(), 4);
		assert.deepEqual(await store.query({ sql: `SELECT DISTINCT word FROM ${table} WHERE id = 2` }), [{ word: "b\tc" }]);
	});

	test("an insert with a faulty row leaves no row behind and shows no row in its error; names are identifiers", async () => {
		const before = await count();
		await assert.rejects(insert("5\tgood\nvisitor\tbad\n", "faulty"), (error) => {
			assert.ok(error instanceof ServiceError);
			assert.equal(error.code, "database_error");
			assert.doesNotMatch(JSON.stringify(error) + String(error.cause), /visitor/);
			return true;
		});
		const row = { table, columns: ["id"], tsv: Buffer.from("1\n"), deduplicationToken: "t" };
		await assert.rejects(store.insert({ ...row, table: "x; DROP" }));
		await assert.rejects(store.insert({ ...row, columns: ["id) SELECT 1 --"] }));
		assert.equal(await count(), before);
	});

	test("neither a command nor an insert has the time limit of queries", async () => {
		const limits = `${table}_limits`;
		const seconds = "Float64 DEFAULT toFloat64(getSetting('max_execution_time'))";
		await store.command(`CREATE TABLE ${limits} (id UInt8, seconds ${seconds}) ENGINE = Memory`);
		await store.command(`INSERT INTO ${limits} (id) VALUES (1)`);
		await store.insert({ table: limits, columns: ["id"], tsv: Buffer.from("2\n"), deduplicationToken: "" });
		const found = await store.query<object>({ sql: `SELECT groupArray(seconds) AS seconds FROM ${limits}` });
		await store.command(`DROP TABLE ${limits}`);
		assert.deepEqual(found, [{ seconds: [0, 0] }]);
	});

	test("streams all rows in batches, none of an empty answer, and throws when it fails on its way", async () => {
		const sql = "SELECT number AS n, toString(number) AS s FROM numbers(200000)";
		const batches = await Array.fromAsync(store.stream<{ n: number; s: string }>({ sql }));
		const rows = batches.flat();
		assert.deepEqual([rows.length, batches.length > 1], [200_000, true]);
		assert.ok(rows.every(({ n, s }, at) => n === at && s === String(at)));
		const empty = store.stream({ sql: "SELECT number FROM numbers(10) WHERE number > 10" });
		assert.deepEqual(await Array.fromAsync(empty), []);
		const failing = "SELECT throwIf(number = 900000) FROM numbers(1000000) SETTINGS max_block_size = 10000";
		await assert.rejects(Array.fromAsync(store.stream({ sql: failing })), { code: "database_error" });
	});

	test("a query over its time or memory answers gateway_timeout, one with a fault database_error; both name the engine's error", async () => {
		const slow = "SELECT count() FROM numbers(100000000000) WHERE sipHash64(number) = 1";
		await assert.rejects(store.query({ sql: slow, settings: { max_execution_time: 1 } }), { code: "gateway_timeout" });
		const large = "SELECT groupArray(number) FROM numbers(10000000)";
		await assert.rejects(store.query({ sql: large, settings: { max_memory_usage: 1_000_000 } }), (error) => {
			assert.ok(error instanceof ServiceError);
			assert.equal(error.code, "gateway_timeout");
			assert.match(error.message, /more memory/);
			assert.match(String(error.cause), /MEMORY_LIMIT_EXCEEDED \(241\)/);
			return true;
		});
		await assert.rejects(store.query({ sql: "SELECT nothing" }), { code: "database_error" });
		await assert.rejects(store.command("CREATE TABLE"), { code: "database_error" });
	});

	test("an aborted query rejects with the reason and ends in the engine", async () => {
		const aborting = new AbortController();
		const mark = `marked_${table}`;
		const slow = store.query({
			sql: `SELECT count() AS ${mark} FROM numbers(100000000000) WHERE sipHash64(number) = 1`,
			signal: aborting.signal,
		});
		const others = "position(query, {mark:String}) > 0 AND position(query, 'system.processes') = 0";
		const sql = `SELECT count() AS n FROM system.processes WHERE ${others}`;
		const running = async () => (await store.query<{ n: number }>({ sql, params: { mark } }))[0]?.n;
		while ((await running()) === 0);
		aborting.abort(new Error("enough"));
		await assert.rejects(slow, /enough/);
		while ((await running()) !== 0);
	});
}

describe("event store: embedded", () => eventStoreSuite(() => openTestStore()));

const { CLICKHOUSE_URL } = process.env;
describe("event store: ClickHouse server", {
	skip: CLICKHOUSE_URL === undefined && "CLICKHOUSE_URL is not set",
}, () => {
	eventStoreSuite(async () => {
		const store = await openEventStore({ clickhouseUrl: CLICKHOUSE_URL ?? "", dataDir: "", log: silentLog });
		return { store, remove: () => store.close() };
	});
});

test("a server that does not answer is database_unavailable", async () => {
	const store = await openEventStore({ clickhouseUrl: "http://127.0.0.1:9", dataDir: "", log: silentLog });
	await assert.rejects(store.query({ sql: "SELECT 1" }), { code: "database_unavailable" });
	await assert.rejects(store.ping(), { code: "database_unavailable" });
	await store.close();
});

test("a relative directory is taken from where the service was started", async () => {
	const dataDir = newDirectory();
	const store = await openEventStore({ dataDir: relative(process.cwd(), dataDir), log: silentLog });
	assert.deepEqual(await store.query({ sql: "SELECT 1 AS one" }), [{ one: 1 }]);
	await store.close();
	assert.deepEqual(readdirSync(dataDir), ["events"]);
});
