import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { firstHits } from "../../src/analytics/query/reports/first-hits.ts";
import { windowSums } from "../../src/analytics/query/reports/window-sums.ts";
import { pageviewRow } from "../support/event-rows.ts";
import { insertRows, openOracleStore } from "../support/oracle-app.ts";
import { assertSnapshot, recordingStore } from "../support/sql-snapshots.ts";

const NOON = Date.parse("2026-11-21T12:00:00.000Z");
const HOUR = 3_600_000;

let recorder: ReturnType<typeof recordingStore>;

before(async () => {
	recorder = recordingStore(await openOracleStore());
	await insertRows(
		recorder.store,
		[-25, -24, -1.5, -1, -0.5].map((hours) => pageviewRow({ site: "shop", ts: NOON + hours * HOUR, revenue: 0.1 })),
	);
});
after(() => recorder.store.close());

const hour = (until: number) => ({ from: until - HOUR, until });

test("sums of windows that overlap, of several sites, with a text that is no SQL", async () => {
	recorder.taken();
	const windows = [hour(NOON), hour(NOON - HOUR / 2), hour(NOON - 24 * HOUR)];
	const sums = await windowSums({ eventStore: recorder.store }, { sites: ["shop", "none"], windows, conditions: [] });
	const shown = (site: string) => sums.get(site)?.map(({ page_views, revenue }) => [page_views, revenue]);
	assert.deepEqual(shown("shop"), [
		[2, 0.2],
		[2, 0.2],
		[1, 0.1],
	]);
	assert.deepEqual(shown("none"), [
		[0, 0],
		[0, 0],
		[0, 0],
	]);
	const condition = { dimension: "utm_source", operator: "eq", values: ["x' OR 1=1 --"] } as const;
	await windowSums({ eventStore: recorder.store }, { sites: ["shop"], windows, conditions: [condition] });
	const queries = recorder.taken().slice(-1);
	await assertSnapshot(recorder.store, { name: "alert-windows", title: "What alert rules measure", queries });
});

test("when sites were first visited", async () => {
	recorder.taken();
	const found = await firstHits({ eventStore: recorder.store }, ["shop", "none"]);
	assert.deepEqual([...found], [["shop", NOON - 25 * HOUR]]);
	const queries = recorder.taken();
	await assertSnapshot(recorder.store, { name: "first-hits", title: "When sites were first visited", queries });
});
