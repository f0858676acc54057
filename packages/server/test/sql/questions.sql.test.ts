import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { botStatistics } from "../../src/analytics/query/reports/bot-statistics.ts";
import { firstHits } from "../../src/analytics/query/reports/first-hits.ts";
import { liveFigures } from "../../src/analytics/query/reports/live-figures.ts";
import { suspiciousSessions } from "../../src/analytics/query/reports/suspicious-sessions.ts";
import { windowSums } from "../../src/analytics/query/reports/window-sums.ts";
import { systemClock } from "../../src/platform/lib/clock.ts";
import { pageviewRow } from "../support/event-rows.ts";
import { insertRows, openOracleStore } from "../support/oracle-app.ts";
import { assertSnapshot, recordingStore } from "../support/sql-snapshots.ts";

const NOON = Date.parse("2026-11-21T12:00:00.000Z");
const HOUR = 3_600_000;

let recorder: ReturnType<typeof recordingStore>;
before(async () => {
	recorder = recordingStore(await openOracleStore());
	const hours = [-25, -24, -1.5, -1, -0.5].map((at) => ({ site: "shop", ts: NOON + at * HOUR, revenue: 0.1 }));
	const row = (site: string, seconds: number, session: string, path: string) =>
		pageviewRow({ site, ts: NOON - seconds * 1000, session, path });
	await insertRows(recorder.store, [
		...hours.map(pageviewRow),
		...[row("live", 1, "1", "/cart"), row("live", 299, "2", "/"), row("live", 300, "3", "/old")],
		row("other", 1, "4", "/other"),
	]);
});
after(() => recorder.store.close());

test("sums of windows that overlap, of several sites, with a text that is no SQL", async () => {
	const hour = (until: number) => ({ from: until - HOUR, until });
	const windows = [hour(NOON), hour(NOON - HOUR / 2), hour(NOON - 24 * HOUR)];
	const sums = await windowSums({ eventStore: recorder.store }, { sites: ["shop", "none"], windows, conditions: [] });
	const shown = (site: string) => sums.get(site)?.map(({ page_views, revenue }) => [page_views, revenue].join());
	assert.deepEqual([shown("shop"), shown("none")], [["2,0.2", "2,0.2", "1,0.1"], Array(3).fill("0,0")]);
	recorder.taken();
	const condition = { dimension: "utm_source", operator: "eq", values: ["x' OR 1=1 --"] } as const;
	await windowSums({ eventStore: recorder.store }, { sites: ["shop"], windows, conditions: [condition] });
	const queries = recorder.taken();
	await assertSnapshot(recorder.store, { name: "alert-windows", title: "What alert rules measure", queries });
});

test("when sites were first visited", async () => {
	recorder.taken();
	const found = await firstHits({ eventStore: recorder.store }, ["shop", "none"]);
	assert.deepEqual([...found], [["shop", NOON - 25 * HOUR]]);
	const queries = recorder.taken();
	await assertSnapshot(recorder.store, { name: "first-hits", title: "When sites were first visited", queries });
});

test("what goes on at a site is one statement, with a text that is no SQL", async () => {
	const question = { site: "live", conditions: [], now: NOON, hitsAfter: NOON - 10_000 };
	const { activeVisits, pages, hits } = await liveFigures({ eventStore: recorder.store }, question);
	const shown = pages.map(({ label, visits }) => [label, visits]);
	assert.deepEqual(
		[activeVisits, shown, hits.map(({ path }) => path)],
		[
			2,
			[
				["/", 1],
				["/cart", 1],
			],
			["/cart"],
		],
	);
	recorder.taken();
	const condition = { dimension: "country", operator: "eq", values: ["x' OR 1=1 --"] } as const;
	const asked = { ...question, site: "shop", conditions: [condition] };
	const none = await liveFigures({ eventStore: recorder.store }, asked);
	assert.deepEqual([none.activeVisits, none.pages, none.hits, none.minutes.length], [0, [], [], 30]);
	const queries = recorder.taken();
	await assertSnapshot(recorder.store, { name: "live-figures", title: "What goes on at a site", queries });
});

test("the SQL of reports about bots is the committed text", async () => {
	const clock = { ...systemClock, now: () => NOON };
	const range = { start: Temporal.PlainDate.from("2026-10-23"), end: Temporal.PlainDate.from("2026-11-21") };
	const eventStore = recorder.store;
	recorder.taken();
	await botStatistics({ eventStore }, "shop", range);
	await assertSnapshot(eventStore, { name: "bot-overview", title: "bot-overview", queries: recorder.taken() });
	recorder.taken();
	await suspiciousSessions({ eventStore, clock }, "shop", { minScore: 50, limit: 20 });
	await assertSnapshot(eventStore, {
		name: "suspicious-sessions",
		title: "suspicious-sessions",
		queries: recorder.taken(),
	});
});
