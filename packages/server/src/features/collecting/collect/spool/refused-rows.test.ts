import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { migrateEvents } from "../../../../../migrations/events/index.ts";
import { pageviewRow } from "../../../../../test/support/event-rows.ts";
import { ModelStore } from "../../../../../test/support/model-store.ts";
import { runSpool } from "../../../../../test/support/spool-run.ts";
import { openTestStore, type TestStore } from "../../../../../test/support/test-store.ts";
import { encodeEventRow } from "../../../../analytics/model/event-tsv.ts";
import type { EventInsert } from "../../../../platform/event-store/event-store.ts";
import { markRefused } from "./refused-folder.ts";
import { machineFiles } from "./spool-files.ts";

const NOON = Date.UTC(2026, 4, 20, 12);
const root = mkdtempSync(join(tmpdir(), "footfall-refused-"));
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

const refusedFiles = (directory: string) => readdirSync(join(directory, "refused"));

test("rows that the engine cannot read are set aside alone; operators take them back when the cause is mended", async () => {
	const directory = freshDirectory();
	const first = await runSpool({ directory, store: real.store });
	const good = Array.from({ length: 20 }, (_, minute) => line("mended", minute));
	const late = line("mended", 30);
	const spoiled = late.replace(/\t(\d{4}-\d\d-\d\d)\t/, "\tno date\t");
	assert.notEqual(spoiled, late);
	await Promise.all([...good.slice(0, 7), spoiled, ...good.slice(7)].map((row) => first.append(row)));
	await first.drain();
	assert.equal(await countRows("mended"), 20);
	assert.deepEqual({ ...first.spool.state.refused, bytes: 0 }, { rows: 1, files: 1, marked: 0, damaged: 0, bytes: 0 });
	await first.close();

	const [name = ""] = refusedFiles(directory);
	const path = join(directory, "refused", name);
	assert.match(readFileSync(path, "utf8"), /^footfall refused rows 1 [0-9a-f]{8}\n\{"table":"events","columns":\["/);
	assert.equal(await markRefused(machineFiles, directory), 1);
	const second = await runSpool({ directory, store: real.store });
	await second.loader.flush();
	assert.deepEqual([second.spool.state.refused.files, second.spool.state.refused.marked], [1, 0], "refused again");
	await second.close();
});

test("refused rows that are tried again go in under their own token, once", async () => {
	const directory = freshDirectory();
	const store = new ModelStore();
	store.refuses = "bad";
	const first = await runSpool({ directory, store });
	await first.append("good\nbad\n", "bot\n");
	await first.drain();
	assert.deepEqual(
		[...store.counts],
		[
			["good", 1],
			["bot", 1],
		],
	);
	await first.close();
	const [name = ""] = refusedFiles(directory);
	const copy = readFileSync(join(directory, "refused", name));
	store.refuses = undefined;
	for (let times = 0; times < 2; times++) {
		writeFileSync(join(directory, "refused", name), copy);
		await markRefused(machineFiles, directory);
		const run = await runSpool({ directory, store });
		await run.loader.flush();
		await run.close();
		assert.deepEqual(refusedFiles(directory), []);
	}
	assert.equal(store.counts.get("bad"), 1);
});

test("where one table refuses rows, the other's are neither set aside nor counted again", async () => {
	const directory = freshDirectory();
	const store = new ModelStore();
	store.refuses = "bad bot";
	const run = await runSpool({ directory, store });
	await run.append("event\n", "bad bot\n");
	await run.drain();
	assert.deepEqual([...store.counts], [["event", 1]]);
	assert.match(refusedFiles(directory).join(), /^bot_hits\./);
	await run.close();
});

test("a crash anywhere between the halves of a refused step counts nothing twice, also when the store has been mended", async () => {
	for (const isMended of [false, true]) {
		for (let survived = 1; survived < 24; survived++) {
			const directory = freshDirectory();
			const store = new ModelStore();
			store.refuses = "bad";
			const dying = {
				insert: (rows: EventInsert) =>
					store.inserts < survived ? store.insert(rows) : Promise.reject(new Error("killed")),
			};
			const first = await runSpool({ directory, store: dying });
			const names = Array.from({ length: 12 }, (_, n) => (n === 3 || n === 10 ? `bad ${n}` : `good ${n}`));
			await Promise.all(names.map((name) => first.append(`${name}\n`)));
			await first.loader.flush();
			await first.abandon();
			if (isMended) store.refuses = undefined;
			const second = await runSpool({ directory, store });
			await second.drain();
			await second.close();
			store.refuses = undefined;
			await markRefused(machineFiles, directory);
			const third = await runSpool({ directory, store });
			await third.loader.flush();
			await third.close();
			assert.deepEqual([...store.counts].sort(), names.map((name) => [name, 1]).sort(), `after ${survived} inserts`);
		}
	}
});
