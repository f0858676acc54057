import assert from "node:assert/strict";
import { appendFile, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import fc from "fast-check";
import { migrateEvents } from "../../../../../migrations/events/index.ts";
import { pageviewRow } from "../../../../../test/support/event-rows.ts";
import { encodeEventRow } from "../../../../analytics/model/event-tsv.ts";
import { openEventStore } from "../../../../platform/event-store/open-event-store.ts";
import { LoadJournal } from "./load-journal.ts";
import { Loader } from "./loader.ts";
import { Spool } from "./spool.ts";
import { decodeSpoolRecords, encodeSpoolRecord } from "./spool-record.ts";

const log = { info: () => {}, warn: () => {}, error: () => {} };
const HOUR = 3_600_000;
const NOON = Date.UTC(2026, 4, 20, 12);

let directory: string;
let store: Awaited<ReturnType<typeof openEventStore>>;
before(async () => {
	directory = await mkdtemp(join(tmpdir(), "footfall-spool-"));
	store = await openEventStore({ dataDir: directory, log });
	await migrateEvents(store);
});
after(async () => {
	await store.close();
	await rm(directory, { recursive: true });
});

let spools = 0;
const freshDirectory = () => join(directory, `spool-${++spools}`);
const openSpool = (path: string, maxBytes = 1e9) => Spool.open({ directory: path, maxBytes });

async function openLoader(path: string) {
	const spool = await openSpool(path);
	const journal = await LoadJournal.open(path);
	const loader = new Loader({ spool, journal, store, log });
	loader.start();
	const close = async () => {
		await loader.stop();
		await spool.close();
		await journal.close();
	};
	return { spool, journal, loader, close };
}

const append = (spool: Spool, events: string, rows = 1) =>
	new Promise<void>((resolve, reject) =>
		spool.append("shop", events, "", rows, (error) => (error === undefined ? resolve() : reject(error))),
	);

const line = (site: string, minute: number) => encodeEventRow(pageviewRow({ site, ts: NOON + minute * 60_000 }));

async function countRows(site: string): Promise<number> {
	const [row] = await store.query<{ rows: number }>({
		sql: "SELECT count() AS rows FROM events WHERE site = {site:String}",
		params: { site },
	});
	return row?.rows ?? 0;
}

test("records are read back as they were written, up to the first that is cut or changed", () => {
	const rows = fc.record({ events: fc.string(), botHits: fc.string() });
	fc.assert(
		fc.property(fc.array(rows, { minLength: 1 }), fc.nat(), (written, at) => {
			const records = written.map(({ events, botHits }) => encodeSpoolRecord(events, botHits, 3));
			const bytes = Buffer.concat(records);
			const read = [...decodeSpoolRecords(bytes)];
			assert.deepEqual(
				read.map(({ events, botHits }) => [Buffer.from(events).toString(), Buffer.from(botHits).toString()]),
				written.map(({ events, botHits }) => [Buffer.from(events).toString(), Buffer.from(botHits).toString()]),
			);
			const place = at % bytes.length;
			const intact = records.findIndex((_, index) => {
				const end = records.slice(0, index + 1).reduce((sum, { length }) => sum + length, 0);
				return place < end;
			});
			assert.equal([...decodeSpoolRecords(bytes.subarray(0, place))].length, intact);
			bytes.writeUInt8(bytes.readUInt8(place) ^ 1, place);
			assert.equal([...decodeSpoolRecords(bytes)].length, intact);
		}),
	);
});

test("what a crash left behind the last whole record is cut off, what stands before it stays", async () => {
	const path = freshDirectory();
	const spool = await openSpool(path);
	await append(spool, "one\n");
	await append(spool, "two\n");
	await spool.close();
	await appendFile(join(path, "0000000001.seg"), encodeSpoolRecord("three\n", "", 1).subarray(0, 22));
	const reopened = await openSpool(path);
	assert.deepEqual(reopened.segments, [{ number: 1, length: 48 }]);
	await append(reopened, "four\n");
	assert.deepEqual(
		reopened.segments.map(({ number }) => number),
		[1, 2],
	);
	await reopened.close();
});

test("rows are refused while the spool is full", async () => {
	const spool = await openSpool(freshDirectory(), 100);
	assert.equal(spool.accepts, true);
	await append(spool, "x".repeat(100));
	assert.equal(spool.accepts, false);
	await spool.close();
});

test("a file system that takes no more rows fails them, and the rows after them are kept", async () => {
	const path = freshDirectory();
	const spool = await openSpool(path);
	// A file in the way of the next segment stands for a disk that refuses.
	await writeFile(join(path, "0000000001.seg"), "");
	await assert.rejects(append(spool, "lost\n"));
	await rm(join(path, "0000000001.seg"));
	await append(spool, "kept\n");
	assert.deepEqual(spool.segments, [{ number: 1, length: 25 }]);
	await spool.close();
});

test("committed rows reach the event store once, also when the last step is repeated after a crash", async () => {
	const path = freshDirectory();
	const first = await openLoader(path);
	await append(first.spool, line("repeat", 0) + line("repeat", 1), 2);
	await first.loader.flush();
	assert.equal(await countRows("repeat"), 2);
	await first.close();

	const second = await openLoader(path);
	await append(second.spool, line("repeat", 2));
	await second.loader.flush();
	assert.equal(await countRows("repeat"), 3);
	await second.close();

	const third = await openLoader(path);
	await third.loader.flush();
	assert.equal(await countRows("repeat"), 3);
	await third.close();
});

test("a step that was written down but not inserted is done with its own bounds and token", async () => {
	const path = freshDirectory();
	const spool = await openSpool(path);
	await append(spool, line("planned", 0));
	const to = spool.bytes;
	await append(spool, line("planned", 1));
	await spool.close();
	const journal = await LoadJournal.open(path);
	await journal.begin({ segment: 1, from: 0, to, token: "step-of-the-crashed-run" });
	await journal.close();

	const { loader, close } = await openLoader(path);
	await loader.flush();
	assert.equal(await countRows("planned"), 2);
	await close();
});

test("while the event store is away rows wait in the spool, and reach it when it is back", async () => {
	const path = freshDirectory();
	const { spool, loader, close } = await openLoader(path);
	process.kill(store.childPid() ?? 0, "SIGKILL");
	await append(spool, line("away", 0));
	while (!loader.isDrained) await loader.flush();
	assert.equal(await countRows("away"), 1);
	await close();
});

test("rows that the event store refuses for good are set aside and hold nothing up", async () => {
	const path = freshDirectory();
	const { spool, loader, close } = await openLoader(path);
	await append(spool, "no row at all\n");
	while (!loader.isDrained) await loader.flush();
	await append(spool, line("after", 0));
	await loader.flush();
	assert.equal(await countRows("after"), 1);
	assert.equal((await readdir(join(path, "refused"))).length, 1);
	await close();
});

test("segments whose rows are all in the event store are removed, the last one stays", async () => {
	const path = freshDirectory();
	const first = await openSpool(path);
	await append(first, line("segments", 0));
	await first.close();
	const { spool, loader, close } = await openLoader(path);
	await append(spool, encodeEventRow(pageviewRow({ site: "segments", ts: NOON + HOUR })));
	await loader.flush();
	assert.equal(await countRows("segments"), 2);
	assert.deepEqual(
		(await readdir(path)).filter((name) => name.endsWith(".seg")),
		["0000000002.seg"],
	);
	await close();
});
