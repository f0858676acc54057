import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { migrateEvents } from "../../../../../migrations/events/index.ts";
import { pageviewRow } from "../../../../../test/support/event-rows.ts";
import { engineError, ModelStore } from "../../../../../test/support/model-store.ts";
import { runSpool } from "../../../../../test/support/spool-run.ts";
import { createVirtualClock, fastClock } from "../../../../../test/support/test-clock.ts";
import { openTestStore, silentLog, type TestStore } from "../../../../../test/support/test-store.ts";
import { encodeEventRow } from "../../../../analytics/model/event-tsv.ts";
import type { EventInsert } from "../../../../platform/event-store/event-store.ts";
import { Spool } from "./spool.ts";
import { machineFiles } from "./spool-files.ts";

const NOON = Date.UTC(2026, 4, 20, 12);
const root = mkdtempSync(join(tmpdir(), "footfall-loader-"));
let real: TestStore;
before(async () => {
	real = await openTestStore();
	await migrateEvents(real.store);
});
after(async () => {
	await real.remove();
	rmSync(root, { recursive: true });
});

const freshDirectory = () => mkdtempSync(join(root, "spool-"));
const line = (site: string, minute: number) => encodeEventRow(pageviewRow({ site, ts: NOON + minute * 60_000 }));

async function countRows(site: string): Promise<number> {
	const sql = "SELECT count() AS rows FROM events WHERE site = {site:String}";
	return (await real.store.query<{ rows: number }>({ sql, params: { site } }))[0]?.rows ?? 0;
}

test("rows reach the event store once, also when the journal is lost and all is loaded again", async () => {
	const directory = freshDirectory();
	const first = await runSpool({ directory, store: real.store });
	await first.append(line("repeat", 0) + line("repeat", 1));
	await first.drain();
	await first.append(line("repeat", 2));
	await first.drain();
	assert.equal(await countRows("repeat"), 3);
	await first.abandon();

	rmSync(join(directory, "journal"));
	const second = await runSpool({ directory, store: real.store });
	assert.ok(second.spool.waitingBytes > 0, "there is something to load again");
	await second.drain();
	assert.equal(await countRows("repeat"), 3);
	await second.close();
});

test("after a pause rows are loaded at once, and those that follow wait until a second has gone by", async () => {
	const clock = createVirtualClock("2026-11-21T12:00:00Z");
	const run = await runSpool({ directory: freshDirectory(), store: new ModelStore(), clock });
	await run.append("first\n");
	await run.drain();
	clock.advance(2_000);
	let stored = run.nextStored();
	await run.append("second\n");
	clock.advance(100);
	await stored;
	stored = run.nextStored();
	await run.append("third\n");
	clock.advance(990);
	await run.append("fourth\n");
	assert.equal(run.stored.length, 2);
	clock.advance(10);
	await stored;
	assert.equal(run.stored.length, 3);
	await run.loader.flush();
	assert.equal(run.spool.waitingBytes, 0);
	await run.close();
});

test("a spool tells for how long its oldest rows have waited, and that none do", async () => {
	const directory = freshDirectory();
	const first = await runSpool({ directory, store: new ModelStore() });
	assert.equal(first.spool.state.waitingMs, undefined);
	await first.append("row\n");
	await first.append("another row\n");
	assert.ok((first.spool.state.waitingMs ?? -1) >= 0, "rows wait");
	await first.abandon();
	const second = await runSpool({ directory, store: new ModelStore() });
	assert.ok((second.spool.state.waitingMs ?? -1) >= 0, "rows of an earlier run wait");
	await second.drain();
	assert.equal(second.spool.state.waitingMs, undefined);
	await second.close();
});

for (const end of ["close", "abandon"] as const) {
	test(`after the last insert and ${end} nothing is left to repeat, so another event store counts nothing twice`, async () => {
		const directory = freshDirectory();
		const first = await runSpool({ directory, store: new ModelStore() });
		await first.append("row\n");
		await first.drain();
		assert.equal(first.spool.waitingBytes, 0);
		await first[end]();
		const another = new ModelStore();
		const second = await runSpool({ directory, store: another });
		await second.drain();
		assert.equal(another.inserts, 0);
		await second.close();
	});
}

test("while the event store refuses for a reason that may pass, rows wait, however often, and none is set aside", async () => {
	for (const name of [
		"AUTHENTICATION_FAILED",
		"TABLE_IS_READ_ONLY",
		"NOT_ENOUGH_SPACE",
		"MEMORY_LIMIT_EXCEEDED",
		"TOO_MANY_PARTS",
	]) {
		const store = new ModelStore();
		let refusals = 0;
		const refusing = {
			insert: (rows: EventInsert) => (refusals++ < 5 ? Promise.reject(engineError(name)) : store.insert(rows)),
		};
		const run = await runSpool({ directory: freshDirectory(), store: refusing });
		await run.append("row\n");
		await run.loader.flush();
		assert.equal(run.loader.isRefused, true, name);
		await run.drain();
		assert.deepEqual([store.counts.get("row"), run.loader.isRefused], [1, false], name);
		assert.equal(run.spool.state.refused.files, 0, name);
		await run.close();
	}
});

test("flushing again and again keeps the distance between attempts", async () => {
	const store = new ModelStore();
	store.mood = "away";
	const clock = createVirtualClock("2026-11-21T12:00:00Z");
	const run = await runSpool({ directory: freshDirectory(), store, clock });
	await run.append("row\n");
	await run.loader.flush();
	for (const [failures, wait] of [100, 250].entries()) {
		const flushed = run.loader.flush();
		await clock.pass(wait - 1);
		assert.equal(store.inserts, failures + 1);
		await clock.pass(1);
		await flushed;
		assert.equal(store.inserts, failures + 2);
	}
	await run.close();
});

test("damage in the middle of a segment is kept aside and reported, and the rest is loaded", async () => {
	const directory = freshDirectory();
	const store = new ModelStore();
	store.mood = "away";
	const first = await runSpool({ directory, store });
	for (const row of ["one\n", "two\n", "three\n"]) await first.append(row);
	await first.close();
	const [name = ""] = readdirSync(directory).filter((file) => file.endsWith(".seg"));
	const bytes = readFileSync(join(directory, name));
	bytes[40] = (bytes[40] ?? 0) ^ 1;
	writeFileSync(join(directory, name), bytes);

	store.mood = "well";
	const lines: Record<string, unknown>[] = [];
	const log = {
		info: () => {},
		warn: () => {},
		error: (fields: Readonly<Record<string, unknown>>) => lines.push(fields),
	};
	const second = await runSpool({ directory, store, log });
	await second.drain();
	assert.deepEqual([...store.counts.keys()], ["one", "three"]);
	const file = `${name.slice(11, 27)}-32.damage`;
	assert.deepEqual(lines, [{ segment: join(directory, name), from: 32, bytes: 32, file }]);
	assert.equal(readFileSync(join(directory, "refused", file)).length, 32);
	assert.equal(second.spool.state.refused.damaged, 1);
	await second.close();
});

test("a segment whose end the disk has lost is loaded up to there, and the log says how much is missing", async () => {
	const directory = freshDirectory();
	const store = new ModelStore();
	store.mood = "away";
	const first = await runSpool({ directory, store });
	for (const row of ["one\n", "two\n", "three\n"]) await first.append(row);
	await first.close();
	const [name = ""] = readdirSync(directory).filter((file) => file.endsWith(".seg"));
	truncateSync(join(directory, name), 32 + 32 + 30);

	store.mood = "well";
	const lines: unknown[] = [];
	const log = {
		info: () => {},
		error: () => {},
		warn: (fields: Readonly<Record<string, unknown>>, message: string) => lines.push([fields, message.slice(0, 40)]),
	};
	const second = await runSpool({ directory, store, log });
	await second.drain();
	assert.deepEqual([...store.counts.keys()], ["one", "two"]);
	const fields = { segment: join(directory, name), bytes: 30 };
	assert.deepEqual(lines, [[fields, "the end of a segment of the spool is tor"]]);
	await second.close();
});

test("what was just written is loaded from memory, and its sites are told; after a start all are meant", async () => {
	const directory = freshDirectory();
	const store = new ModelStore();
	const open: typeof machineFiles.open = (path, mode) =>
		mode === "read" ? Promise.reject(new Error("nothing is to be read")) : machineFiles.open(path, mode);
	const first = await runSpool({ directory, store, files: { ...machineFiles, open } });
	await Promise.all([first.append("one\n", "", "a"), first.append("two\n", "", "b")]);
	await first.drain();
	assert.deepEqual(first.stored.flatMap((sites) => [...sites]).sort(), ["a", "b"]);
	store.mood = "away";
	await first.append("three\n");
	await first.close();
	store.mood = "well";
	const second = await runSpool({ directory, store });
	await second.drain();
	assert.deepEqual(second.stored, ["all"]);
	assert.equal(store.counts.size, 3);
	await second.close();
});

test("a step that is larger than a piece is read whole, and steps have 50,000 rows at most", async () => {
	const directory = freshDirectory();
	const spool = await Spool.open({ directory, maxBytes: 1e9, clock: fastClock, log: silentLog });
	const append = (rows: number, text: (row: number) => string) =>
		spool.append("site", Array.from({ length: rows }, (_, row) => `${text(row)}\n`).join(""), "", rows, () => {});
	for (let n = 0; n < 4; n++) {
		append(20_000, (row) => `${n}-${row} ${"x".repeat(100)}`);
		await spool.flush();
	}
	append(1, () => "x".repeat(3_000_000));
	await spool.close();
	const store = new ModelStore();
	const run = await runSpool({ directory, store });
	await run.drain();
	assert.deepEqual([store.counts.size, store.tokens.size], [80_001, 2]);
	await run.close();
});

test("a segment that somebody removed is reported and holds nothing up", async () => {
	const directory = freshDirectory();
	const store = new ModelStore();
	store.mood = "away";
	const first = await runSpool({ directory, store });
	await first.append("gone\n");
	await first.close();
	store.mood = "well";
	const second = await runSpool({ directory, store });
	for (const name of readdirSync(directory)) if (name.endsWith(".seg")) rmSync(join(directory, name));
	await second.append("after\n");
	await second.drain();
	assert.deepEqual([...store.counts.keys()].at(-1), "after");
	assert.equal(second.spool.waitingBytes, 0);
	await second.close();
});
