import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { faultyFiles, seededRandom } from "../../../../../test/support/faulty-files.ts";
import { silentLog } from "../../../../../test/support/test-store.ts";
import { systemClock } from "../../../../platform/lib/clock.ts";
import { Spool } from "./spool.ts";
import { machineFiles, type SpoolFiles } from "./spool-files.ts";

const root = mkdtempSync(join(tmpdir(), "footfall-spool-"));
after(() => rmSync(root, { recursive: true }));

const freshDirectory = () => mkdtempSync(join(root, "spool-"));
const openSpool = (directory: string, more: { maxBytes?: number; files?: SpoolFiles } = {}) =>
	Spool.open({ directory, maxBytes: 1e9, clock: systemClock, log: silentLog, ...more });

const append = (spool: Spool, events: string, botHits = "", rows = 1) =>
	new Promise<void>((resolve, reject) =>
		spool.append("site", events, botHits, rows, (error) => (error === undefined ? resolve() : reject(error))),
	);

const segmentFiles = (directory: string) => readdirSync(directory).filter((name) => name.endsWith(".seg"));
const fault = (code: string) => Object.assign(new Error(code), { code });

test("rows are refused while the spool is full, and taken again when they are stored", async () => {
	const spool = await openSpool(freshDirectory(), { maxBytes: 100 });
	assert.equal(spool.accepts, true);
	await append(spool, "x".repeat(100));
	assert.equal(spool.accepts, false);
	const [segment] = spool.segments.all;
	assert.ok(segment);
	spool.segments.markDone(segment, segment.length);
	assert.deepEqual([spool.accepts, spool.waitingBytes], [true, 0]);
	await spool.close();
});

test("a group is measured in bytes, so that text of other alphabets cannot make one that is too large", async () => {
	const spool = await openSpool(freshDirectory(), { maxBytes: 3_000 });
	const stored = append(spool, "語".repeat(999), "語");
	assert.equal(spool.accepts, false);
	await stored;
	assert.equal(spool.waitingBytes, 28 + 3_000);
	await spool.close();
});

test("what is gathered while a write fails fails with it, the latest first", async () => {
	const told: string[] = [];
	const failing = Promise.withResolvers<never>();
	const began = Promise.withResolvers<void>();
	const write = (): Promise<number> => {
		began.resolve();
		return failing.promise;
	};
	const spool = await openSpool(freshDirectory(), { files: { ...machineFiles, write } });
	const tell = (name: string) =>
		spool.append("site", `${name}\n`, "", 1, (error) => told.push(`${name} ${error?.message}`));
	tell("first");
	tell("second");
	await began.promise;
	tell("third");
	tell("fourth");
	failing.reject(fault("EIO"));
	await spool.flush();
	assert.deepEqual(told, ["fourth EIO", "third EIO", "second EIO", "first EIO"]);
	assert.equal(spool.state.fault, "EIO");
	await spool.close();
});

for (const call of ["open", "syncDirectory", "write", "datasync"] as const) {
	test(`after a failed ${call} hits are taken again, and no descriptor and no empty file is left`, async () => {
		const directory = freshDirectory();
		const { files, open } = faultyFiles(seededRandom(1));
		let fails = true;
		const failing: SpoolFiles = {
			...files,
			[call]: (...values: unknown[]) =>
				fails ? Promise.reject(fault("EMFILE")) : (files[call] as (...all: unknown[]) => Promise<unknown>)(...values),
		};
		const spool = await openSpool(directory, { files: failing });
		await assert.rejects(append(spool, "lost\n"), /EMFILE/);
		await assert.rejects(append(spool, "lost\n"), /EMFILE/);
		fails = false;
		await append(spool, "kept\n");
		assert.equal(spool.waitingBytes, 33);
		await spool.release();
		const [file, ...more] = segmentFiles(directory);
		assert.deepEqual(more, []);
		assert.match(readFileSync(join(directory, file ?? ""), "latin1"), /kept\n$/);
		await spool.close();
		assert.deepEqual([...open.values()], []);
	});
}

test("a disk that takes only the beginning of a record leaves no gap before the next", async () => {
	const directory = freshDirectory();
	let room = 10;
	const write: SpoolFiles["write"] = (file, bytes, position) => {
		if (room === 0) return Promise.reject(fault("ENOSPC"));
		const part = bytes.subarray(0, room);
		room -= part.length;
		return machineFiles.write(file, part, position);
	};
	const spool = await openSpool(directory, { files: { ...machineFiles, write } });
	await assert.rejects(append(spool, "lost\n"), /ENOSPC/);
	room = 1e6;
	await append(spool, "kept\n");
	const [file = ""] = segmentFiles(directory);
	assert.equal(readFileSync(join(directory, file)).length, 33);
	await spool.close();
});

test("flush and turn end while hits keep coming, with all that came before them", async () => {
	const directory = freshDirectory();
	const spool = await openSpool(directory);
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
	const spool = await openSpool(freshDirectory());
	t.mock.method(systemClock, "sleep", () => Promise.withResolvers().promise);
	await append(spool, "row\n");
	await spool.close();
});

test("a step that ends while its last group is being written has that group, and no later one", async () => {
	let began = () => {};
	let gate = Promise.resolve();
	const datasync = async (file: number) => {
		began();
		await gate;
		await machineFiles.datasync(file);
	};
	const spool = await openSpool(freshDirectory(), { files: { ...machineFiles, datasync } });
	await append(spool, "one\n");
	const disk = Promise.withResolvers<void>();
	gate = disk.promise;
	const isWriting = new Promise<void>((resolve) => {
		began = resolve;
	});
	const second = append(spool, "two\n");
	await isWriting;
	const sealed = spool.seal();
	disk.resolve();
	await Promise.all([second, sealed]);
	const [segment] = spool.segments.all;
	assert.deepEqual([segment?.sealed, segment?.length], [64, 64]);
	await append(spool, "three\n");
	assert.deepEqual([segment?.sealed, segment?.length], [64, 98]);
	await spool.close();
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
	const second = await openSpool(directory);
	await append(second, "two\n");
	assert.equal(second.segments.all[0]?.number, 58);
	assert.ok(second.waitingBytes > 0);
	await second.close();
});

test("opening a spool reads nothing of its rows", async () => {
	const directory = freshDirectory();
	const first = await openSpool(directory);
	await append(first, "one\n");
	await first.close();
	const read = () => Promise.reject(fault("a read"));
	const second = await openSpool(directory, { files: { ...machineFiles, read } });
	assert.equal(second.waitingBytes, 32);
	await second.close();
});

test("a file that looks like a segment but is none is reported and left alone", async () => {
	const directory = freshDirectory();
	writeFileSync(join(directory, "0000000001.seg"), "of another version");
	const lines: unknown[] = [];
	const log = { ...silentLog, error: (fields: unknown) => lines.push(fields) };
	const spool = await Spool.open({ directory, maxBytes: 1e9, clock: systemClock, log });
	assert.deepEqual(lines, [{ file: "0000000001.seg" }]);
	assert.equal(spool.waitingBytes, 0);
	await spool.close();
	assert.deepEqual(segmentFiles(directory), ["0000000001.seg"]);
});
