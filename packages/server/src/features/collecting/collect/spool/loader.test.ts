import assert from "node:assert/strict";
import { readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { after, test } from "node:test";
import fc from "fast-check";
import { migrateEvents } from "../../../../../migrations/events/index.ts";
import { pageviewRow } from "../../../../../test/support/event-rows.ts";
import { engineError, ModelStore } from "../../../../../test/support/model-store.ts";
import { freshDirectories, runSpool } from "../../../../../test/support/spool-run.ts";
import { createVirtualClock, fastClock } from "../../../../../test/support/test-clock.ts";
import { openTestStore, silentLog } from "../../../../../test/support/test-store.ts";
import { encodeEventRow } from "../../../../analytics/model/event-tsv.ts";
import type { EventInsert } from "../../../../platform/event-store/event-store.ts";
import { type Batch, halve, middleOf } from "./halve.ts";
import { markRefused } from "./refused-folder.ts";
import { Spool } from "./spool.ts";
import { machineFiles } from "./spool-files.ts";

const real = await openTestStore();
await migrateEvents(real.store);
after(() => real.remove());
const freshDirectory = freshDirectories();
const refusedFiles = (directory: string) => readdirSync(join(directory, "refused"));

/** A store that is away. */
const awayStore = () => Object.assign(new ModelStore(), { mood: "away" as const });
/** Leaves rows in a spool of their own, loaded by nobody; the directory and the path of their segment. */
async function spooled(...rows: readonly string[]) {
	const directory = freshDirectory();
	await using run = await runSpool({ directory, store: awayStore() });
	for (const row of rows) await run.append(`${row}\n`);
	const name = readdirSync(directory).find((file) => file.endsWith(".seg")) ?? "";
	return { directory, segment: join(directory, name) };
}

test("rows reach the event store once, also when all is loaded again; those that it cannot read are set aside alone", async () => {
	const directory = freshDirectory();
	const line = (minute: number) =>
		encodeEventRow(pageviewRow({ site: "mended", ts: Date.UTC(2026, 4, 20, 12, minute) }));
	const good = Array.from({ length: 20 }, (_, minute) => line(minute));
	const spoiled = line(30).replace(/\t(\d{4}-\d\d-\d\d)\t/, "\tno date\t");
	const first = await runSpool({ directory, store: real.store });
	await Promise.all([...good.slice(0, 7), spoiled, ...good.slice(7)].map((row) => first.append(row)));
	await first.drain();
	const stored = async () => (await real.store.query({ sql: "SELECT count() AS rows FROM events" }))[0];
	assert.deepEqual(await stored(), { rows: 20 });
	assert.deepEqual({ ...first.spool.state.refused, bytes: 0 }, { rows: 1, files: 1, marked: 0, damaged: 0, bytes: 0 });
	await first.append(line(40));
	await first.drain();
	await first.abandon();
	rmSync(join(directory, "journal"));
	const second = await runSpool({ directory, store: real.store });
	assert.ok(second.spool.waitingBytes > 0, "there is something to load again");
	await second.drain();
	assert.deepEqual(await stored(), { rows: 21 });
	await second.close();

	const path = join(directory, "refused", refusedFiles(directory)[0] ?? "");
	assert.match(readFileSync(path, "utf8"), /^footfall refused rows 1 [0-9a-f]{8}\n\{"table":"events","columns":\["/);
	const again = async () => {
		assert.equal(await markRefused(machineFiles, directory), 1);
		await using run = await runSpool({ directory, store: real.store });
		await run.loader.flush();
		return run.spool.state.refused;
	};
	const { files, marked } = await again();
	assert.deepEqual([files, marked], [1, 0], "refused again");
	writeFileSync(path, "damaged");
	await again();
	assert.deepEqual(refusedFiles(directory), [basename(path)], "a damaged file is left to the operator");
});

test("after a pause rows are loaded at once, and those that follow wait until a second has gone by", async () => {
	const clock = createVirtualClock("2026-11-21T12:00:00Z");
	await using run = await runSpool({ directory: freshDirectory(), clock });
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
});

for (const end of ["close", "abandon"] as const) {
	test(`a spool tells for how long its oldest rows have waited; after the last insert and ${end} none do`, async () => {
		const { directory } = await spooled("row", "another row");
		const clock = createVirtualClock("2026-11-21T12:00:00Z");
		const first = await runSpool({ directory, clock });
		clock.advance(5_000);
		assert.equal(first.spool.state.waitingMs, 5_000);
		await first.drain();
		assert.deepEqual([first.spool.waitingBytes, first.spool.state.waitingMs], [0, undefined]);
		await first[end]();
		// Nothing is left to repeat, so another event store counts nothing twice.
		await using second = await runSpool({ directory });
		await second.drain();
		assert.equal(second.model.inserts, 0);
	});
}

test("while the event store refuses for a reason that may pass, rows wait, however often, and none is set aside", async () => {
	const passing = ["AUTHENTICATION_FAILED", "TABLE_IS_READ_ONLY", "NOT_ENOUGH_SPACE", "MEMORY_LIMIT_EXCEEDED"];
	for (const name of [...passing, "TOO_MANY_PARTS"]) {
		const store = new ModelStore();
		let refusals = 0;
		const insert = (rows: EventInsert) => (refusals++ < 5 ? Promise.reject(engineError(name)) : store.insert(rows));
		await using run = await runSpool({ directory: freshDirectory(), store: { insert } });
		await run.append("row\n");
		await run.loader.flush();
		assert.equal(run.loader.isRefused, true, name);
		await run.drain();
		assert.deepEqual([store.counts.get("row"), run.loader.isRefused], [1, false], name);
		assert.equal(run.spool.state.refused.files, 0, name);
	}
});

test("flushing again and again keeps the distance between attempts", async () => {
	const store = awayStore();
	const clock = createVirtualClock("2026-11-21T12:00:00Z");
	await using run = await runSpool({ directory: freshDirectory(), store, clock });
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
});

test("damage in a segment is kept aside, a lost end passed over, both are reported, and the rest is loaded", async () => {
	for (const way of ["damaged", "torn"]) {
		const { directory, segment } = await spooled("one", "two", "three");
		const bytes = readFileSync(segment);
		bytes[40] = (bytes[40] ?? 0) ^ 1;
		if (way === "damaged") writeFileSync(segment, bytes);
		else truncateSync(segment, 32 + 32 + 30);
		const lines: unknown[] = [];
		const note = (fields: unknown) => void lines.push(fields);
		await using run = await runSpool({ directory, log: { ...silentLog, error: note, warn: note } });
		await run.drain();
		assert.deepEqual([...run.model.counts.keys()], way === "damaged" ? ["one", "three"] : ["one", "two"]);
		if (way === "torn") assert.deepEqual(lines, [{ segment, bytes: 30 }]);
		else {
			const file = `${segment.slice(-20, -4)}-32.damage`;
			assert.deepEqual(lines, [{ segment, from: 32, bytes: 32, file }]);
			assert.equal(readFileSync(join(directory, "refused", file)).length, 32);
			assert.equal(run.spool.state.refused.damaged, 1);
		}
	}
});

test("hits just written are loaded from memory, and their sites are told; after a start all sites are", async () => {
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
	await using second = await runSpool({ directory, store });
	await second.drain();
	assert.deepEqual([second.stored, store.counts.size], [["all"], 3]);
});

test("a step that is larger than a piece is read whole, and steps have 50,000 rows at most", async () => {
	const directory = freshDirectory();
	const spool = await Spool.open({ directory, maxBytes: 1e9, clock: fastClock, log: silentLog });
	const rows = Array.from({ length: 20_000 }, (_, row) => `${row} ${"x".repeat(100)}\n`);
	for (let n = 0; n < 4; n++) {
		spool.append("site", rows.map((row) => `${n}-${row}`).join(""), "", rows.length, () => {});
		await spool.flush();
	}
	spool.append("site", `${"x".repeat(3_000_000)}\n`, "", 1, () => {});
	await spool.close();
	await using run = await runSpool({ directory });
	await run.drain();
	assert.deepEqual([run.model.counts.size, run.model.tokens.size], [80_001, 2]);
});

test("rows that the event store refuses by the hundred are set aside after 200 attempts to find them one by one, and take their part of the spool", async () => {
	const directory = freshDirectory();
	const run = await runSpool({ directory });
	run.model.refuses = "bad";
	await run.append("bad\n".repeat(1000));
	await run.drain();
	const { inserts } = run.model;
	assert.ok(inserts >= 200 && inserts < 220, `${inserts} inserts`);
	const { rows, bytes } = run.spool.state.refused;
	assert.equal(rows, 1000);
	await run.close();
	for (const [maxBytes, accepts] of [
		[bytes, false],
		[bytes + 1, true],
	] as const) {
		const again = await Spool.open({ directory, maxBytes, clock: fastClock, log: silentLog });
		assert.equal(again.accepts, accepts);
		await again.close();
	}
});

test("a segment gives its bytes back once it has four megabytes and all of them are stored", async () => {
	const directory = freshDirectory();
	await using run = await runSpool({ directory });
	for (const row of [`${"x".repeat(5_000_000)}\n`, "next\n"]) {
		await run.append(row);
		await run.drain();
	}
	const sizes = readdirSync(directory)
		.filter((name) => name.endsWith(".seg"))
		.map((name) => statSync(join(directory, name)).size);
	assert.deepEqual(sizes, [33]);
});

test("a segment that somebody removed is reported and holds nothing up", async () => {
	const { directory, segment } = await spooled("gone");
	await using run = await runSpool({ directory });
	rmSync(segment);
	await run.append("after\n");
	await run.drain();
	assert.equal([...run.model.counts.keys()].at(-1), "after");
	assert.equal(run.spool.waitingBytes, 0);
});

test("refused rows do not touch those of the other table, and go in under their own token, once, when they are tried again", async () => {
	const directory = freshDirectory();
	const store = new ModelStore();
	store.refuses = "bad";
	const first = await runSpool({ directory, store });
	await first.append("good\nbad\n", "bot\n");
	await first.append("event\n", "bad bot\n");
	await first.drain();
	assert.deepEqual(Object.fromEntries(store.counts), { good: 1, bot: 1, event: 1 });
	await first.close();
	const kept = refusedFiles(directory).map((name) => [name, readFileSync(join(directory, "refused", name))] as const);
	assert.deepEqual(kept.map(([name]) => name.split(".")[0]).sort(), ["bot_hits", "events"]);
	store.refuses = undefined;
	for (let times = 0; times < 2; times++) {
		for (const [name, copy] of kept) writeFileSync(join(directory, "refused", name), copy);
		await markRefused(machineFiles, directory);
		const run = await runSpool({ directory, store });
		await run.loader.flush();
		await run.close();
		assert.deepEqual([refusedFiles(directory), run.stored], [[], ["all", "all"]]);
	}
	assert.deepEqual(Object.fromEntries(store.counts), { good: 1, bot: 1, event: 1, bad: 1, "bad bot": 1 });
});

test("halves of halves are the single rows, in order, each under a token of its own, also when a record is lost", () => {
	const lists = fc.array(fc.array(fc.constantFrom("a", "bb", "ccc"), { minLength: 1, maxLength: 5 }), { minLength: 1 });
	const textOf = ({ parts }: Batch) => parts.map(({ bytes }) => Buffer.from(bytes).toString()).join("");
	/** The rows by their token when a batch is cut where another is. */
	const cutWith = (batch: Batch, like: Batch): Map<string, string> => {
		const cut = middleOf(like);
		if (cut === undefined) return new Map([[batch.token, textOf(batch)]]);
		const halves = new Map(halve(batch, cut).map((half) => [half.token, half]));
		return new Map(
			halve(like, cut).flatMap((half) => [...cutWith(halves.get(half.token) ?? { ...half, parts: [] }, half)]),
		);
	};
	fc.assert(
		fc.property(lists, fc.nat(), (rows, dice) => {
			const parts = rows.map((lines, index) => {
				const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(""));
				return { at: index * 100, first: 0, bytes };
			});
			const whole: Batch = { token: "t", parts };
			const all = cutWith(whole, whole);
			const single = rows.flat().map((row) => `${row}\n`);
			assert.deepEqual([...all.values()], single);
			const lost = dice % rows.length;
			const rest = cutWith({ ...whole, parts: parts.filter((_, index) => index !== lost) }, whole);
			for (const [token, row] of rest) assert.ok(row === "" || row === all.get(token));
		}),
	);
});
