import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { liveFigures } from "../../src/analytics/query/reports/live-figures.ts";
import { pageviewRow } from "../support/event-rows.ts";
import { insertRows, openOracleStore } from "../support/oracle-app.ts";
import { assertSnapshot, recordingStore } from "../support/sql-snapshots.ts";

const NOON = Date.parse("2026-11-21T12:00:00.000Z");

let recorder: ReturnType<typeof recordingStore>;

before(async () => {
	recorder = recordingStore(await openOracleStore());
	const ago = (seconds: number) => NOON - seconds * 1000;
	await insertRows(recorder.store, [
		pageviewRow({ site: "shop", ts: ago(1), session: "1", path: "/cart" }),
		pageviewRow({ site: "shop", ts: ago(299), session: "2", path: "/" }),
		pageviewRow({ site: "shop", ts: ago(300), session: "3", path: "/old" }),
		pageviewRow({ site: "other", ts: ago(1), session: "4", path: "/other" }),
	]);
});
after(() => recorder.store.close());

test("what goes on at a site is one statement, with a text that is no SQL", async () => {
	const question = { site: "shop", conditions: [], now: NOON, hitsAfter: NOON - 10_000 };
	const { activeVisits, pages, hits } = await liveFigures({ eventStore: recorder.store }, question);
	assert.deepEqual(
		{ activeVisits, pages, hits: hits.map(({ path }) => path) },
		{
			activeVisits: 2,
			pages: [
				{ label: "/", visits: 1 },
				{ label: "/cart", visits: 1 },
			],
			hits: ["/cart"],
		},
	);
	recorder.taken();
	const condition = { dimension: "country", operator: "eq", values: ["x' OR 1=1 --"] } as const;
	const none = await liveFigures({ eventStore: recorder.store }, { ...question, conditions: [condition] });
	assert.deepEqual([none.activeVisits, none.pages, none.hits, none.minutes.length], [0, [], [], 30]);
	const queries = recorder.taken();
	await assertSnapshot(recorder.store, { name: "live-figures", title: "What goes on at a site", queries });
});
