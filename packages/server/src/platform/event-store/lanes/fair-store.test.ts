import assert from "node:assert/strict";
import { availableParallelism } from "node:os";
import { after, before, test } from "node:test";
import { eventually, openTestStore, type TestStore } from "../../../../test/support/test-store.ts";
import { type Asker, askedBy } from "../../lib/asker.ts";

const ENDLESS = "SELECT count() FROM numbers(1000000000000) WHERE sipHash64(number) = 1";
const ROWS = "SELECT number FROM numbers(1000000000000) WHERE sipHash64(number) = 1 OR number < 10000000";

let open: TestStore;
before(async () => {
	open = await openTestStore();
});
after(() => open.remove());

/** Somebody who asks, and may go away. */
function person(id: string): Asker & { readonly leave: () => void } {
	const gone = new AbortController();
	return {
		id,
		tenant: `tenant of ${id}`,
		kind: "interactive",
		signal: gone.signal,
		leave: () => gone.abort(new Error(`${id} is gone`)),
	};
}

const ask = (asker: Asker | undefined, sql: string) => askedBy(asker, () => open.store.query<{ n: number }>({ sql }));

/** Endless queries that the engine runs now. */
async function running(): Promise<number> {
	const rows = await ask(
		undefined,
		"SELECT count() AS n FROM system.processes WHERE position(query, 'sipHash64(number) = 1') > 0 AND query NOT LIKE '%system.processes%'",
	);
	return rows[0]?.n ?? -1;
}

test("one who floods the store has three places; another is answered at once, and all ends when the one has gone", async () => {
	const flooder = person("key:1");
	const flood = Promise.allSettled(Array.from({ length: 40 }, () => ask(flooder, ENDLESS)));
	await eventually(async () => assert.equal(await running(), 3));
	const other = await Promise.all(Array.from({ length: 10 }, () => ask(person("key:2"), "SELECT 1 AS n")));
	assert.deepEqual(other.flat(), Array(10).fill({ n: 1 }));
	assert.equal(await running(), 3);
	flooder.leave();
	const ends = (await flood).map((end) => (end.status === "rejected" ? String(end.reason) : "answered"));
	assert.deepEqual(new Set(ends), new Set(["Error: key:1 is gone"]));
	await eventually(async () => assert.equal(await running(), 0));
	await assert.rejects(ask(flooder, "SELECT 1"), /key:1 is gone/);
});

test("beyond sixty waiting questions of one the answer is 503 with a moment to come back", async () => {
	const flooder = person("key:1");
	const flood = Array.from({ length: 64 }, () => ask(flooder, ENDLESS));
	const settled = Promise.allSettled(flood);
	await assert.rejects(Promise.race(flood), { code: "service_unavailable", retryAfter: 5 });
	flooder.leave();
	const refused = (await settled).filter((end) => end.status === "rejected" && end.reason.code !== undefined);
	assert.equal(refused.length, 1);
});

test("questions of one tenant that run side by side have the processors together; another's has all of them", async () => {
	const all = availableParallelism();
	const threads = "SELECT toUInt32(getSetting('max_threads')) AS n, sleep(0.2)";
	const one = person("key:11");
	const asked = [one, one, one, person("key:12")].map((asker) => ask(asker, threads));
	const had = (await Promise.all(asked)).flat().map(({ n }) => n);
	assert.deepEqual(
		had,
		[all, Math.floor(all / 2), Math.floor(all / 3), all].map((n) => Math.max(1, n)),
	);
});

test("rows go in while readers hold every place that they may have", async () => {
	await open.store.command("CREATE TABLE rows (id UInt64) ENGINE = MergeTree ORDER BY id");
	const crowd = ["key:1", "key:2", "key:3"].map(person);
	const reads = Promise.allSettled(crowd.flatMap((one) => Array.from({ length: 20 }, () => ask(one, ENDLESS))));
	await eventually(async () => assert.equal(await running(), 7));
	await open.store.insert({ table: "rows", columns: ["id"], tsv: Buffer.from("1\n"), deduplicationToken: "a" });
	for (const one of crowd) one.leave();
	await reads;
	assert.deepEqual(await ask(undefined, "SELECT count() AS n FROM rows"), [{ n: 1 }]);
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
	// What another test has left may still be on its way out.
	await eventually(async () => assert.equal(await running(), 3));
	await one.rows.return?.();
	await three.first;
	for (const { rows } of [two, three, other]) await rows.return?.();
	await eventually(async () => assert.equal(await running(), 0));
});
