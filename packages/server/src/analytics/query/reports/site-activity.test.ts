import assert from "node:assert/strict";
import { test } from "node:test";
import { pageviewRow } from "../../../../test/support/event-rows.ts";
import { insertRows, openOracleStore } from "../../../../test/support/oracle-app.ts";
import type { EventRow } from "../../model/event-row.ts";
import { siteActivity } from "./site-activity.ts";

const row = (time: string, own: Partial<EventRow> = {}) => pageviewRow({ site: "shop", ts: Date.parse(time), ...own });

test("a site's activity is its first hit, its last hit and the hits of 14 days, imports left out", async (t) => {
	const eventStore = await openOracleStore();
	t.after(() => eventStore.close());
	const deps = { eventStore, clock: { now: () => Date.parse("2026-11-21T12:00:00.000Z") } };
	assert.deepEqual(await siteActivity(deps, "shop"), { firstHitAt: null, lastHitAt: null, recentHits: 0 });
	await insertRows(eventStore, [
		row("2020-01-01T00:00:00.000Z", { import_id: "import" }),
		row("2026-09-30T23:59:59.123Z"),
		row("2026-11-07T11:59:59.999Z", { kind: "conversion" }),
		row("2026-11-07T12:00:00.000Z", { kind: "microconversion" }),
		row("2026-11-21T11:00:00.000Z"),
		row("2026-11-21T11:00:00.001Z", { kind: "conversion" }),
		row("2026-11-21T11:30:00.000Z", { kind: "engaged" }),
		row("2026-11-21T11:30:00.001Z", { kind: "item" }),
		row("2026-11-21T11:59:00.000Z", { site: "other" }),
	]);
	assert.deepEqual(await siteActivity(deps, "shop"), {
		firstHitAt: Date.parse("2026-09-30T23:59:59.123Z"),
		lastHitAt: Date.parse("2026-11-21T11:00:00.001Z"),
		recentHits: 3,
	});
});
