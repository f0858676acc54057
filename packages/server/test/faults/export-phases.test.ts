import assert from "node:assert/strict";
import { cpSync } from "node:fs";
import { test } from "node:test";
import type { EventStore } from "../../src/platform/event-store/event-store.ts";
import { days, exportSite, filesBelow, type Job } from "../support/export-site.ts";
import { newDirectory } from "../support/new-directory.ts";
import { lendEventStore } from "../support/stores-on-shared-engine.ts";
import { testApp } from "../support/test-app.ts";

const LEASE_MS = 10 * 60_000;
const ROWS = { order: 150_000, purchase: 2 };

/** Where the process ends, with the state of the export and what it leaves; few rows are exported within the request. */
const phases = [
	{ phase: "counting", type: "order", status: "estimating", left: [] },
	{ phase: "before the first row", type: "order", status: "generating", left: [".csv.part"] },
	{ phase: "in the middle", type: "order", status: "generating", left: [".csv.part"] },
	{ phase: "between the file and the state", type: "order", status: "generating", left: [".csv"] },
	{ phase: "between the file and the state", type: "purchase", status: "generating", left: [".csv"] },
] as const;

test("a process that is killed in each phase of an export: nothing is offered, ten minutes later each is made whole, and nothing is left over", async (t) => {
	const events = await lendEventStore();
	t.after(events.giveBack);
	let dataDir = newDirectory();
	const site = await exportSite(await testApp({ dataDir, events }));
	await site.addConversions(ROWS.order);
	const headers = { "x-api-key": (await site.call("POST /api-tokens", { name: "exports" })).json().data.token };
	await site.app.close();

	for (const { phase, type, left } of phases) {
		const before = filesBelow(dataDir);
		const killed = newDirectory();
		const isNew = (name: string) => !before.includes(name);
		/** Copies the data directory as a kill at this moment would leave it. */
		let copy = () => cpSync(dataDir, killed, { recursive: true });
		const copyIn = (reached: string, isSo = true) => {
			if (reached !== phase || !isSo) return;
			copy();
			copy = () => undefined;
		};
		let counts = 0;
		const wrapEventStore = (store: EventStore): EventStore => ({
			...store,
			query: async (query) => {
				// The first count is that of the request.
				if (/^SELECT count\(\) AS total\nFROM/.test(query.sql)) copyIn("counting", ++counts === 2);
				return store.query(query);
			},
			async *streamBytes(query) {
				copyIn("before the first row");
				let pieces = 0;
				for await (const piece of store.streamBytes(query)) {
					yield piece;
					copyIn("in the middle", ++pieces === 2);
				}
			},
		});
		const app = await testApp({ dataDir, events, wrapEventStore, env: { REPORT_CACHE_BYTES: "0" } });
		const { now } = app.clock;
		const isWritten = () => filesBelow(dataDir).some((name) => name.endsWith(".csv") && isNew(name));
		Object.assign(app.clock, { now: () => copyIn("between the file and the state", isWritten()) ?? now() });
		const payload = { export_type: "conversions", ...days, filters: { conversion_type: type } };
		await app.inject({ method: "POST", url: "/api/v1/exports?account_id=shop", headers, payload });
		await app.jobs.runDue();
		await app.close();
		const extensions = filesBelow(killed).filter(isNew);
		assert.deepEqual(
			extensions.map((name) => name.replace(/^[^.]*/, "")),
			left,
			phase,
		);
		dataDir = killed;
	}

	await using app = await testApp({ dataDir, events });
	const exports = async (): Promise<Job[]> =>
		(await app.inject({ url: "/api/v1/exports?limit=10&account_id=shop", headers })).json().exports;
	const statuses = async () => (await exports()).map(({ status }) => status).sort();
	const left = phases.map(({ status }) => status).sort();
	assert.deepEqual(await statuses(), left);
	assert.ok((await exports()).every((job) => job.download_url === null && job.actual_rows === null));
	app.clock.advance(LEASE_MS - 1);
	await app.jobs.runDue();
	assert.deepEqual(await statuses(), left);
	app.clock.advance(1);
	await app.jobs.runDue();
	assert.equal(filesBelow(dataDir).length, phases.length);
	const rows: number[] = [];
	for (const { job_id, status, download_url, actual_rows } of await exports()) {
		assert.equal(status, "completed");
		const file = await app.inject({ url: download_url.replace(/^http:\/\/[^/]+/, "") });
		assert.equal(file.body.split("\r\n").length, Number(actual_rows) + 2);
		await app.inject({ method: "DELETE", url: `/api/v1/exports/${job_id}?account_id=shop`, headers });
		rows.push(Number(actual_rows));
	}
	assert.deepEqual(rows.toSorted(), phases.map(({ type }) => ROWS[type]).toSorted());
	await app.jobs.runDue();
	assert.deepEqual(filesBelow(dataDir), []);
});
