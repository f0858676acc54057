import assert from "node:assert/strict";
import { test } from "node:test";
import { insertRows, openOracleStore } from "../../../../test/support/oracle-app.ts";
import { counts, factToRow, type Labels } from "../../../../test/support/oracle-facts.ts";
import type { EventKind } from "../../model/event-columns.ts";
import { siteActivity } from "./site-activity.ts";

const labels: Labels = {
	path: "/",
	content_grouping: "",
	landing_content_grouping: "",
	landing_page: "/",
	referrer_domain: "",
	utm_source: "(direct)",
	utm_medium: "(none)",
	utm_campaign: "",
	utm_term: "",
	utm_content: "",
	country: "Unknown",
	device_type: "desktop",
	browser: "Unknown",
	os: "Unknown",
	channel_group: "Direct",
};

const row = (time: string, kind: EventKind, importId = "", site = "shop") => ({
	...factToRow({
		site,
		at: Date.parse(time),
		date: time.slice(0, 10),
		hour: Number(time.slice(11, 13)),
		session: "1",
		kind,
		labels,
		clid: "",
		event_type: "",
		properties: {},
		rejoined: false,
		counts: counts({}),
	}),
	import_id: importId,
});

test("a site's activity is its first hit, its last hit and the hits of 14 days, imports left out", {
	timeout: 60_000,
}, async () => {
	const eventStore = await openOracleStore();
	try {
		const deps = { eventStore, clock: { now: () => Date.parse("2026-11-21T12:00:00.000Z") } };
		const empty = { firstHitAt: null, lastHitAt: null, recentHits: 0 };
		assert.deepEqual(await siteActivity(deps, "shop"), empty);
		await insertRows(eventStore, [
			row("2020-01-01T00:00:00.000Z", "pageview", "import"),
			row("2026-09-30T23:59:59.123Z", "pageview"),
			row("2026-11-07T11:59:59.999Z", "conversion"),
			row("2026-11-07T12:00:00.000Z", "microconversion"),
			row("2026-11-21T11:00:00.000Z", "pageview"),
			row("2026-11-21T11:00:00.001Z", "conversion"),
			row("2026-11-21T11:30:00.000Z", "engaged"),
			row("2026-11-21T11:30:00.001Z", "item"),
			row("2026-11-21T11:59:00.000Z", "pageview", "", "other"),
		]);
		assert.deepEqual(await siteActivity(deps, "shop"), {
			firstHitAt: Date.parse("2026-09-30T23:59:59.123Z"),
			lastHitAt: Date.parse("2026-11-21T11:00:00.001Z"),
			recentHits: 3,
		});
	} finally {
		await eventStore.close();
	}
});
