import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { exportTypes } from "../../src/features/delivering/exports/export-types.ts";
import { days, type ExportSite, exportSite } from "../support/export-site.ts";
import {
	assertAlike,
	assertSnapshot,
	committedRequests,
	recordingStore,
	type Words,
} from "../support/sql-snapshots.ts";
import { testApp } from "../support/test-app.ts";

const byAudience = { by_audience: "by_source" };

/** Exports whose SQL is that of the sources, in other words. */
const alike: Readonly<Record<string, Words>> = {
	mediums: { utm_medium: "utm_source" },
	campaigns: { utm_campaign: "utm_source" },
	terms: { utm_term: "utm_source", by_event: "by_source" },
	browsers: { browser: "utm_source", ...byAudience },
	os: { os: "utm_source", ...byAudience },
	devices: { "device AS device_type": "utm_source", device_type: "utm_source", ...byAudience },
};

let site: ExportSite;
let recorder: ReturnType<typeof recordingStore>;

before(async () => {
	const wrapEventStore = (store: Parameters<typeof recordingStore>[0]) => {
		recorder = recordingStore(store);
		return recorder.store;
	};
	site = await exportSite(await testApp({ wrapEventStore, env: { REPORT_CACHE_BYTES: "0" } }));
	// Enough rows that the engine finds a projection worth reading.
	await site.app.eventStore.command(`
		INSERT INTO events (site, date, hour, ts, session, kind, path, landing_path, utm_source, country, device, entrance, page_view)
		SELECT if(number % 2 = 0, 'shop', 'store'), toDate('2025-10-01') + number % 420, number % 24, now64(3), number,
			'pageview', '/p' || number % 20, '/p' || number % 10, 's' || number % 5, 'ES', 'mobile', number % 3 = 0, 1
		FROM numbers(200000)`);
	await site.app.eventStore.command("OPTIMIZE TABLE events FINAL");
});

after(() => site.app.close());

async function queriesOf(payload?: object) {
	recorder.taken();
	const response = await site.call("POST /exports/stream", payload);
	assert.equal(response.statusCode, 200, response.body);
	return recorder.taken();
}

const requests = committedRequests("/exports/");

for (const { name, title, payload } of requests) {
	test(`the SQL of ${name} is the committed text`, async () =>
		assertSnapshot(recorder.store, { name, title, queries: await queriesOf(payload) }));
}

test("each type of export has its SQL committed, or that of the sources", () => {
	const committed = requests.map(({ payload }) => Object(payload).export_type);
	assert.deepEqual([...new Set([...committed, ...Object.keys(alike)])].sort(), [...exportTypes].sort());
});

for (const [type, words] of Object.entries(alike)) {
	test(`the SQL of the export of ${type} is that of the sources in other words`, async () => {
		const queries = await queriesOf({ ...days, export_type: type });
		await assertAlike(recorder.store, { name: "export-sources", words, queries });
	});
}
