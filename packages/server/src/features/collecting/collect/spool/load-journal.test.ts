import assert from "node:assert/strict";
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { silentLog } from "../../../../../test/support/test-store.ts";
import { LoadJournal } from "./load-journal.ts";
import { newSegment, type Segment } from "./segment.ts";
import { machineFiles, type SpoolFiles } from "./spool-files.ts";

const root = mkdtempSync(join(tmpdir(), "footfall-journal-"));
after(() => rmSync(root, { recursive: true }));

const freshDirectory = () => mkdtempSync(join(root, "spool-"));
const openJournal = (directory: string, files: SpoolFiles = machineFiles, log = silentLog) =>
	LoadJournal.open({ directory, files, log });
const segmentAt = (done: number, number = 7): Segment => ({ ...newSegment("", number, "0123456789abcdef"), done });
const fault = (code: string) => Object.assign(new Error(code), { code });

test("a write that a full disk cut short spoils no later line", async () => {
	const directory = freshDirectory();
	let room = 60;
	const write: SpoolFiles["write"] = (file, bytes, position) => {
		if (room === 0) return Promise.reject(fault("ENOSPC"));
		const part = bytes.subarray(0, room);
		room -= part.length;
		return machineFiles.write(file, part, position);
	};
	const journal = await openJournal(directory, { ...machineFiles, write });
	await journal.noteDone(segmentAt(100));
	await assert.rejects(journal.noteDone(segmentAt(200)), /ENOSPC/);
	assert.equal((await openJournal(directory)).doneOf(segmentAt(0)), 100);
	room = 1_000;
	await journal.noteDone(segmentAt(300));
	await journal.close();
	const again = await openJournal(directory);
	assert.deepEqual([again.doneOf(segmentAt(0)), again.highest], [300, 7]);
});

test("what could not be noted is noted when the journal is closed", async () => {
	const directory = freshDirectory();
	let fails = true;
	const datasync = (file: number) => (fails ? Promise.reject(fault("EIO")) : machineFiles.datasync(file));
	const journal = await openJournal(directory, { ...machineFiles, datasync });
	await assert.rejects(journal.noteDone(segmentAt(100)), /EIO/);
	fails = false;
	await journal.close();
	assert.equal((await openJournal(directory)).doneOf(segmentAt(0)), 100);
});

test("a damaged journal is survived and named; every line that is whole counts", async () => {
	const directory = freshDirectory();
	const path = join(directory, "journal");
	const journal = await openJournal(directory);
	await journal.noteDone(segmentAt(100));
	await journal.noteCut("0123456789abcdef-1-e", { at: 5, row: 2 });
	await journal.noteDone(segmentAt(200, 9));
	await journal.close();
	const bytes = readFileSync(path);
	bytes[bytes.length - 5] = 0x39;
	writeFileSync(path, bytes);
	appendFileSync(path, "torn li");
	const lines: unknown[] = [];
	const log = { ...silentLog, error: (fields: unknown) => lines.push(fields) };
	const again = await openJournal(directory, machineFiles, log);
	assert.deepEqual(lines, [{ file: path, lines: 1 }]);
	assert.deepEqual([again.doneOf(segmentAt(0)), again.highest], [100, 7]);
	assert.deepEqual(again.cutOf("0123456789abcdef-1-e"), { at: 5, row: 2 });
	await again.noteDone(segmentAt(300));
	await again.close();
	assert.equal((await openJournal(directory)).doneOf(segmentAt(0)), 300);
});

test("a journal that cannot be read is an error and not an empty one", async () => {
	const directory = freshDirectory();
	const size = () => Promise.reject(fault("EMFILE"));
	await assert.rejects(openJournal(directory, { ...machineFiles, size }), /EMFILE/);
	assert.equal((await openJournal(directory)).highest, 0);
});

test("a journal that has grown is written anew with what still counts, and a failure of that loses nothing", async () => {
	const directory = freshDirectory();
	let fails = true;
	const rename: SpoolFiles["rename"] = (from, to) =>
		fails ? Promise.reject(fault("ENOSPC")) : machineFiles.rename(from, to);
	const journal = await openJournal(directory, { ...machineFiles, rename });
	const cut = { at: 1, row: 1 };
	for (let n = 0; n < 30; n++) await journal.noteCut(`0123456789abcdef-${n}-e${".0".repeat(20_000)}`, cut);
	await journal.noteDone(segmentAt(400));
	assert.ok(readFileSync(join(directory, "journal")).length > 1024 * 1024);
	assert.equal((await openJournal(directory)).doneOf(segmentAt(0)), 400);
	fails = false;
	journal.keepOnly(new Set());
	await journal.noteDone(segmentAt(500));
	await journal.noteDone(segmentAt(600));
	await journal.close();
	assert.ok(readFileSync(join(directory, "journal")).length < 200);
	assert.equal((await openJournal(directory)).doneOf(segmentAt(0)), 600);
});
