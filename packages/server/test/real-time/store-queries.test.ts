// Real time, as the engine says by its list of queries alone which of them run, and frees their places when it comes to it.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { type Asker, askedBy } from "../../src/platform/lib/asker.ts";
import { ENDLESS, person } from "../support/askers.ts";
import { openTestStore } from "../support/test-store.ts";
import { until } from "../support/until.ts";

const ROWS = "SELECT number FROM numbers(1000000000000) WHERE sipHash64(number) = 1 OR number < 10000000";

const open = await openTestStore();
after(() => open.remove());

const ask = (asker: Asker | undefined, sql: string) => askedBy(asker, () => open.store.query<{ n: number }>({ sql }));

/** Endless queries that the engine runs now. */
async function running(): Promise<number> {
	const rows = await ask(
		undefined,
		"SELECT count() AS n FROM system.processes WHERE position(query, 'sipHash64(number) = 1') > 0 AND query NOT LIKE '%system.processes%'",
	);
	return rows[0]?.n ?? -1;
}
const untilRunning = (count: number) => until(async () => (await running()) === count);

test("clients that hang up free the engine, even when every place was taken", async () => {
	const stop = new AbortController();
	const start = (length: number) =>
		Array.from({ length }, () => open.store.query({ sql: ENDLESS, signal: stop.signal }));
	const running7 = start(7);
	await untilRunning(7);
	// One takes the last place, the others wait.
	const ended = Promise.allSettled([...running7, ...start(6)]);
	stop.abort(new Error("enough"));
	await ended;
	await untilRunning(0);
});

test("readers that are slow to take their streams hold up no query, and let the next ones in when they leave", async () => {
	const streams = Array.from({ length: 6 }, () => open.store.stream({ sql: ROWS })[Symbol.asyncIterator]());
	const [slow, late] = [streams.slice(0, 4), streams.slice(4)];
	await Promise.all(slow.map((stream) => stream.next()));
	const begun = Promise.all(late.map((stream) => stream.next()));
	assert.equal(await running(), 4);
	for (const stream of slow) await stream.return?.();
	for (const { value } of await begun) assert.deepEqual(value?.[0], { number: 0 });
	for (const stream of late) await stream.return?.();
	await untilRunning(0);
});

test("one who floods the store has three places; another is answered at once, and all ends when the one has gone", async () => {
	const flooder = person("key:1");
	const flood = Promise.allSettled(Array.from({ length: 40 }, () => ask(flooder, ENDLESS)));
	await untilRunning(3);
	const other = await Promise.all(Array.from({ length: 10 }, () => ask(person("key:2"), "SELECT 1 AS n")));
	assert.deepEqual(other.flat(), Array(10).fill({ n: 1 }));
	assert.equal(await running(), 3);
	// Rows go in while a crowd holds every place that it may have.
	const crowd = ["key:3", "key:4"].map(person);
	const reads = Promise.allSettled(crowd.flatMap((one) => Array.from({ length: 20 }, () => ask(one, ENDLESS))));
	await untilRunning(7);
	await open.store.command("CREATE TABLE rows (id UInt64) ENGINE = MergeTree ORDER BY id");
	await open.store.insert({ table: "rows", columns: ["id"], tsv: Buffer.from("1\n"), deduplicationToken: "a" });
	for (const one of crowd) one.leave();
	await reads;
	assert.deepEqual(await ask(undefined, "SELECT count() AS n FROM rows"), [{ n: 1 }]);
	flooder.leave();
	const ends = (await flood).map((end) => (end.status === "rejected" ? String(end.reason) : "answered"));
	assert.deepEqual(new Set(ends), new Set(["Error: key:1 is gone"]));
	await untilRunning(0);
	await assert.rejects(ask(flooder, "SELECT 1"), /key:1 is gone/);
});

test("one has two streams at a time, and leaving one lets the next begin", async () => {
	const reader = person("key:1");
	const begin = (asker: Asker) => {
		const rows = askedBy(asker, () => open.store.stream({ sql: ROWS })[Symbol.asyncIterator]());
		return { rows, first: askedBy(asker, () => rows.next()) };
	};
	const [one, two, three] = [begin(reader), begin(reader), begin(reader)];
	await Promise.all([one.first, two.first]);
	const other = begin(person("key:2"));
	await other.first;
	// Queries of another test may still be ending.
	await untilRunning(3);
	await one.rows.return?.();
	await three.first;
	for (const { rows } of [two, three, other]) await rows.return?.();
	await untilRunning(0);
});
