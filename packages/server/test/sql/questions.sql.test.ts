import assert from "node:assert/strict";
import { after, test } from "node:test";
import { botStatistics, suspiciousSessions } from "../../src/analytics/query/reports/bot-hits.ts";
import { liveFigures } from "../../src/analytics/query/reports/live-figures.ts";
import { firstHits } from "../../src/analytics/query/reports/site-days.ts";
import { windowSums } from "../../src/analytics/query/reports/window-sums.ts";
import { systemClock } from "../../src/platform/lib/clock.ts";
import { pageviewRow } from "../support/event-rows.ts";
import { insertRows, openOracleStore } from "../support/oracle-app.ts";
import { assertSnapshot, recordingStore } from "../support/sql-snapshots.ts";

const NOON = Date.parse("2026-11-21T12:00:00.000Z");
const HOUR = 3_600_000;
const clock = { ...systemClock, now: () => NOON };

const recorder = recordingStore(await openOracleStore());
after(() => recorder.store.close());
const hours = [-25, -24, -1.5, -1, -0.5].map((at) => ({ site: "shop", ts: NOON + at * HOUR, revenue: 0.1 }));
await insertRows(recorder.store, hours.map(pageviewRow));

const hour = (until: number) => ({ from: until - HOUR, until });
const windows = [hour(NOON), hour(NOON - HOUR / 2), hour(NOON - 24 * HOUR)];

test("sums of windows that overlap, of several sites, and when sites were first visited", async () => {
	const deps = { eventStore: recorder.store };
	const sums = await windowSums(deps, { sites: ["shop", "none"], windows, conditions: [] });
	const shown = (site: string) => sums.get(site)?.map(({ page_views, revenue }) => [page_views, revenue].join());
	assert.deepEqual([shown("shop"), shown("none")], [["2,0.2", "2,0.2", "1,0.1"], Array(3).fill("0,0")]);
	assert.deepEqual([...(await firstHits(deps, ["shop", "none"]))], [["shop", NOON - 25 * HOUR]]);
});

const noSql = (dimension: "utm_source" | "country") =>
	({ dimension, operator: "eq", values: ["x' OR 1=1 --"] }) as const;
const range = { start: Temporal.PlainDate.from("2026-10-23"), end: Temporal.PlainDate.from("2026-11-21") };
const live = { site: "shop", now: NOON, hitsAfter: NOON - 10_000 };
type Deps = Parameters<typeof suspiciousSessions>[0];

/** Each snapshot with what it begins with, and what asks it. */
const asked: Readonly<Record<string, readonly [title: string, ask: (deps: Deps) => Promise<unknown>]>> = {
	"alert-windows": [
		"What alert rules measure",
		(deps) => windowSums(deps, { sites: ["shop"], windows, conditions: [noSql("utm_source")] }),
	],
	"first-hits": ["When sites were first visited", (deps) => firstHits(deps, ["shop", "none"])],
	"live-figures": ["What goes on at a site", (deps) => liveFigures(deps, { ...live, conditions: [noSql("country")] })],
	"bot-overview": ["bot-overview", (deps) => botStatistics(deps, "shop", range)],
	"suspicious-sessions": [
		"suspicious-sessions",
		(deps) => suspiciousSessions(deps, "shop", { minScore: 50, limit: 20 }),
	],
};

for (const [name, [title, ask]] of Object.entries(asked)) {
	test(`the SQL of ${name} is the committed text`, async () => {
		recorder.taken();
		await ask({ eventStore: recorder.store, clock });
		await assertSnapshot(recorder.store, { name, title, queries: recorder.taken() });
	});
}
