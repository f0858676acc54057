import assert from "node:assert/strict";
import { appendFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { faultyFiles, seededRandom } from "../../../../../test/support/faulty-files.ts";
import { freshDirectories } from "../../../../../test/support/spool-run.ts";
import { silentLog } from "../../../../../test/support/test-store.ts";
import { systemClock } from "../../../../platform/lib/clock.ts";
import { LoadJournal } from "./load-journal.ts";
import { parseStretch } from "./parse-stretch.ts";
import { newSegment, type Segment } from "./segment.ts";
import { Spool } from "./spool.ts";
import { machineFiles, type SpoolFiles } from "./spool-files.ts";
import { RecordBuffer, saltOf, sealRecord } from "./spool-record.ts";

const freshDirectory = freshDirectories();
const openSpool = async (directory: string, files: Partial<SpoolFiles> = {}, maxBytes = 1e9, log = silentLog) => {
	const options = { directory, maxBytes, clock: systemClock, log, files: { ...machineFiles, ...files } };
	const spool = await Spool.open(options);
	return Object.assign(spool, { [Symbol.asyncDispose]: () => spool.close() });
};
const append = (spool: Spool, events: string, botHits = "") =>
	new Promise<void>((resolve, reject) =>
		spool.append("site", events, botHits, 1, (error) => (error === undefined ? resolve() : reject(error))),
	);
const segmentFiles = (directory: string) => readdirSync(directory).filter((name) => name.endsWith(".seg"));
const fault = (code: string) => Object.assign(new Error(code), { code });

test("rows are refused while the spool is full, in bytes of whatever alphabet, and taken again when they are stored", async () => {
	await using spool = await openSpool(freshDirectory(), {}, 3_000);
	const stored = append(spool, "語".repeat(999), "語");
	assert.equal(spool.accepts, false);
	await stored;
	assert.deepEqual([spool.accepts, spool.waitingBytes], [false, 28 + 3_000]);
	const [segment] = spool.segments.all;
	assert.ok(segment);
	spool.segments.markDone(segment, segment.length);
	assert.deepEqual([spool.accepts, spool.waitingBytes], [true, 0]);
});

test("hits gathered while a write fails fail with it, the latest first", async () => {
	const told: string[] = [];
	const failing = Promise.withResolvers<never>();
	const began = Promise.withResolvers<void>();
	const write = (): Promise<number> => {
		began.resolve();
		return failing.promise;
	};
	await using spool = await openSpool(freshDirectory(), { write });
	const tell = (name: string) =>
		spool.append("site", `${name}\n`, "", 1, (error) => told.push(`${name} ${error?.message}`));
	for (const name of ["first", "second"]) tell(name);
	await began.promise;
	for (const name of ["third", "fourth"]) tell(name);
	failing.reject(fault("EIO"));
	await spool.flush();
	assert.deepEqual(told, ["fourth EIO", "third EIO", "second EIO", "first EIO"]);
	assert.equal(spool.state.fault, "EIO");
});

/** What a disk with room for ten bytes does, whenever it is asked. */
const cutWrite: SpoolFiles["write"] = async (file, bytes, position) => {
	if (position >= 10) throw fault("EMFILE");
	return machineFiles.write(file, bytes.subarray(0, 10 - position), position);
};

for (const call of ["open", "syncDirectory", "write", "cut write", "datasync"] as const) {
	test(`after a failed ${call} hits are taken again, and no descriptor, no empty file and no gap is left`, async () => {
		const directory = freshDirectory();
		const { files, open } = faultyFiles(seededRandom(1));
		let fails = true;
		const name = call === "cut write" ? "write" : call;
		const failure = call === "cut write" ? cutWrite : () => Promise.reject(fault("EMFILE"));
		const failing = (...values: unknown[]) =>
			((fails ? failure : files[name]) as (...all: unknown[]) => Promise<unknown>)(...values);
		const spool = await openSpool(directory, { ...files, [name]: failing });
		for (let times = 0; times < 2; times++) await assert.rejects(append(spool, "lost\n"), /EMFILE/);
		fails = false;
		await append(spool, "kept\n");
		assert.deepEqual([spool.waitingBytes, spool.state.fault], [33, undefined]);
		await spool.release();
		const [file, ...more] = segmentFiles(directory);
		assert.deepEqual(more, []);
		const text = readFileSync(join(directory, file ?? ""), "latin1");
		assert.match(text, /kept\n$/);
		assert.equal(text.length, 33);
		await spool.close();
		assert.deepEqual([...open.values()], []);
	});
}

test("flush and turn end while hits keep coming, with all that came before them", async () => {
	const spool = await openSpool(freshDirectory());
	let [sent, durable, goesOn] = [0, 0, true];
	const send = () => {
		sent++;
		spool.append("site", "row\n", "", 1, () => {
			durable++;
			if (goesOn) send();
		});
	};
	// Two at a time: when one becomes durable, the other waits.
	send();
	await spool.flush();
	send();
	for (const call of ["flush", "turn"] as const) {
		const before = sent;
		await spool[call]();
		assert.ok(durable >= before, call);
	}
	assert.equal(spool.segments.all[0]?.sealed, spool.segments.all[0]?.length);
	goesOn = false;
	await spool.close();
	assert.equal(durable, sent);
});

test("the first hit after a pause waits for no clock", async (t) => {
	await using spool = await openSpool(freshDirectory());
	t.mock.method(systemClock, "sleep", () => Promise.withResolvers().promise);
	await append(spool, "row\n");
});

test("a step that ends while its last group is being written has that group, and no later one", async () => {
	const isWriting = Promise.withResolvers<void>();
	const disk = Promise.withResolvers<void>();
	let syncs = 0;
	const datasync = async (file: number) => {
		if (++syncs === 2) {
			isWriting.resolve();
			await disk.promise;
		}
		await machineFiles.datasync(file);
	};
	await using spool = await openSpool(freshDirectory(), { datasync });
	await append(spool, "one\n");
	const second = append(spool, "two\n");
	await isWriting.promise;
	const sealed = spool.seal();
	disk.resolve();
	await Promise.all([second, sealed]);
	const [segment] = spool.segments.all;
	assert.deepEqual([segment?.sealed, segment?.length], [64, 64]);
	await append(spool, "three\n");
	assert.deepEqual([segment?.sealed, segment?.length], [64, 98]);
});

test("a segment is numbered above all that were there, also when only the journal remembers them", async () => {
	const directory = freshDirectory();
	const first = await openSpool(directory);
	await append(first, "one\n");
	const [segment] = first.segments.all;
	assert.ok(segment);
	await first.journal.noteDone({ ...segment, number: 57 });
	await first.close();
	for (const name of segmentFiles(directory)) rmSync(join(directory, name));
	await using second = await openSpool(directory);
	await append(second, "two\n");
	assert.equal(second.segments.all[0]?.number, 58);
	assert.ok(second.waitingBytes > 0);
});

test("opening a spool reads nothing of its rows, and reports a file that looks like a segment and leaves it alone", async () => {
	const directory = freshDirectory();
	const first = await openSpool(directory);
	await append(first, "one\n");
	await first.close();
	writeFileSync(join(directory, "0000000001.seg"), "of another version");
	const lines: unknown[] = [];
	const log = { ...silentLog, error: (fields: unknown) => lines.push(fields) };
	const second = await openSpool(directory, { read: () => Promise.reject(fault("a read")) }, 1e9, log);
	assert.deepEqual([second.waitingBytes, lines], [32, [{ file: "0000000001.seg" }]]);
	await second.close();
	assert.ok(segmentFiles(directory).includes("0000000001.seg"));
});

const openJournal = (directory: string, files: Partial<SpoolFiles> = {}, log = silentLog) =>
	LoadJournal.open({ directory, files: { ...machineFiles, ...files }, log });
const segmentAt = (done: number, number = 7): Segment => ({ ...newSegment("", number, "0123456789abcdef"), done });
/** How far the segment is done and the highest number, as the journal of a directory says. */
const journalOf = async (directory: string) => {
	const journal = await openJournal(directory);
	return [journal.doneOf(segmentAt(0)), journal.highest];
};

/** A disk that takes as many bytes as there is room. */
function smallDisk(room: number) {
	const disk = { room };
	const write: SpoolFiles["write"] = (file, bytes, position) => {
		if (disk.room === 0) return Promise.reject(fault("ENOSPC"));
		const part = bytes.subarray(0, disk.room);
		disk.room -= part.length;
		return machineFiles.write(file, part, position);
	};
	return { disk, write };
}

test("a write to the journal that a full disk cut short spoils no later line", async () => {
	const directory = freshDirectory();
	const { disk, write } = smallDisk(60);
	const journal = await openJournal(directory, { write });
	await journal.noteDone(segmentAt(100));
	await assert.rejects(journal.noteDone(segmentAt(200)), /ENOSPC/);
	assert.deepEqual(await journalOf(directory), [100, 7]);
	disk.room = 1_000;
	await journal.noteDone(segmentAt(300));
	await journal.close();
	assert.deepEqual(await journalOf(directory), [300, 7]);
});

test("an entry that could not be noted is noted when the journal is closed", async () => {
	const directory = freshDirectory();
	let fails = true;
	const datasync = (file: number) => (fails ? Promise.reject(fault("EIO")) : machineFiles.datasync(file));
	const journal = await openJournal(directory, { datasync });
	await assert.rejects(journal.noteDone(segmentAt(100)), /EIO/);
	fails = false;
	await journal.close();
	assert.deepEqual(await journalOf(directory), [100, 7]);
});

test("a damaged journal is survived and named, and every whole line counts; one that cannot be read is an error", async () => {
	const directory = freshDirectory();
	const file = join(directory, "journal");
	const journal = await openJournal(directory);
	await journal.noteDone(segmentAt(100));
	await journal.noteCut("0123456789abcdef-1-e", { at: 5, row: 2 });
	await journal.noteDone(segmentAt(200, 9));
	await journal.close();
	const bytes = readFileSync(file);
	bytes[bytes.length - 5] = 0x39;
	writeFileSync(file, bytes);
	appendFileSync(file, "torn li");
	const lines: unknown[] = [];
	const again = await openJournal(directory, {}, { ...silentLog, error: (fields: unknown) => lines.push(fields) });
	assert.deepEqual(lines, [{ file, lines: 1 }]);
	assert.deepEqual([again.doneOf(segmentAt(0)), again.highest], [100, 7]);
	assert.deepEqual(again.cutOf("0123456789abcdef-1-e"), { at: 5, row: 2 });
	await again.noteDone(segmentAt(300));
	await again.close();
	assert.deepEqual(await journalOf(directory), [300, 7]);
	await assert.rejects(openJournal(directory, { size: () => Promise.reject(fault("EMFILE")) }), /EMFILE/);
});

test("a journal that has grown is written anew with what still counts, and a failure of that loses nothing", async () => {
	const directory = freshDirectory();
	let fails = true;
	const rename: SpoolFiles["rename"] = (from, to) =>
		fails ? Promise.reject(fault("ENOSPC")) : machineFiles.rename(from, to);
	const journal = await openJournal(directory, { rename });
	const cut = { at: 1, row: 1 };
	for (let n = 0; n < 30; n++) await journal.noteCut(`0123456789abcdef-${n}-e${".0".repeat(20_000)}`, cut);
	await journal.noteDone(segmentAt(400));
	assert.ok(readFileSync(join(directory, "journal")).length > 1024 * 1024);
	assert.deepEqual(await journalOf(directory), [400, 7]);
	fails = false;
	journal.keepOnly(new Set());
	await journal.noteDone(segmentAt(500));
	await journal.noteDone(segmentAt(600));
	await journal.close();
	assert.ok(readFileSync(join(directory, "journal")).length < 200);
	assert.deepEqual(await journalOf(directory), [600, 7]);
});

const SALT = saltOf("0123456789abcdef");

function record(step: number, events: string, salt = SALT): Buffer {
	const buffer = new RecordBuffer();
	buffer.write(events);
	const eventsLength = buffer.length;
	const bytes = buffer.finish();
	sealRecord(bytes, salt, { step, eventsLength, rows: 3 });
	return Buffer.from(bytes);
}

const parse = (bytes: Buffer, isEnd = true) => parseStretch(bytes, { from: 0, salt: SALT, isEnd });
const eventsOf = (bytes: Buffer) => parse(bytes)?.records.map(({ events }) => Buffer.from(events).toString());
const damageOf = (bytes: Buffer) => parse(bytes)?.damage.map(({ from, bytes: part }) => [from, part.length]);
const flipped = (bytes: Buffer, at: number) =>
	Buffer.from(bytes.map((byte, index) => (index === at ? byte ^ 4 : byte)));

test("any flipped bit costs the record that it stands in, which is kept aside, and no other", () => {
	const texts = ["first\n", "second\n", "third\n"];
	const bytes = Buffer.concat(texts.map((text) => record(1, text)));
	for (let at = 0; at < bytes.length; at++) {
		const hit = at < 34 ? 0 : at < 69 ? 1 : 2;
		const damage = [
			[0, 34],
			[34, 35],
			[69, 34],
		][hit];
		assert.deepEqual(eventsOf(flipped(bytes, at)), texts.toSpliced(hit, 1), `byte ${at}`);
		assert.deepEqual(damageOf(flipped(bytes, at)), [damage], `byte ${at}`);
	}
});

test("a record of another file is none; a piece that ends within a record, a step or damage asks for more", () => {
	const foreign = record(1, "forged\n", saltOf("fedcba9876543210"));
	const mixed = Buffer.concat([record(1, "kept\n"), foreign, record(1, "kept too\n")]);
	assert.deepEqual([eventsOf(mixed), damageOf(mixed)], [["kept\n", "kept too\n"], [[33, 35]]]);
	// A power cut leaves bytes that were never written.
	assert.deepEqual(damageOf(Buffer.concat([record(1, "kept\n"), Buffer.alloc(4096)])), []);
	const bytes = Buffer.concat([record(1, "first\n"), record(2, "second\n")]);
	assert.equal(parse(bytes)?.to, 34);
	assert.deepEqual([eventsOf(bytes.subarray(34)), parse(bytes.subarray(34, 60))?.torn], [["second\n"], 26]);
	for (const piece of [bytes.subarray(0, 20), bytes.subarray(0, 34), flipped(bytes, 3).subarray(0, 40)])
		assert.equal(parse(piece, false), undefined);
	assert.equal(parse(bytes, false)?.to, 34);
});
