import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { InjectOptions } from "fastify";
import type { Condition } from "../../src/analytics/catalog/filters.ts";
import { registerAggregateStats } from "../../src/features/reporting/stats/index.ts";
import type { EventQuery, EventStore } from "../../src/platform/event-store/event-store.ts";
import type { App } from "../../src/platform/http/app.ts";
import { systemClock } from "../../src/platform/lib/clock.ts";
import { isCore } from "../support/hostile-texts.ts";
import { openOracleStore, oracleApp } from "../support/oracle-app.ts";
import { NOW } from "../support/oracle-data.ts";
import {
	assertAlike,
	assertSnapshot,
	committedRequests,
	recordingStore,
	tableRead,
	type Words,
} from "../support/sql-snapshots.ts";

const shop = { id: "shop", timezone: "Europe/Madrid" };
const store2 = { id: "store", timezone: "UTC" };
const sites = new Map([shop, store2].map((site) => [site.id, site]));
const byEvent = { by_event: "by_source" };

/** Reports whose SQL is that of a snapshot, in other words. */
const alike: Readonly<Record<string, readonly [name: string, words: Words]>> = {
	mediums: ["sources", { utm_medium: "utm_source" }],
	campaigns: ["sources", { utm_campaign: "utm_source" }],
	terms: ["sources", { utm_term: "utm_source", ...byEvent }],
	contents: ["sources", { utm_content: "utm_source", ...byEvent }],
	referrers: ["sources", { "referrer AS referrer_domain": "utm_source", referrer_domain: "utm_source" }],
	"geo/countries": ["sources", { country: "utm_source", by_audience: "by_source" }],
	"terms/top": ["campaigns-top", { utm_term: "utm_campaign", ...byEvent }],
	"contents/top": ["campaigns-top", { utm_content: "utm_campaign", ...byEvent }],
	"referrers/top": [
		"campaigns-top",
		{ "referrer AS referrer_domain": "utm_campaign", referrer_domain: "utm_campaign" },
	],
	"operating-systems": ["browsers", { os: "browser" }],
	"devices/types": ["browsers", { "device AS device_type": "browser", device_type: "browser" }],
};

/** The segment `saved`: single conditions, a group and a negated one. */
const saved: Condition = {
	all: [
		{ dimension: "country", operator: "in", values: ["FR"] },
		{ dimension: "path", operator: "starts_with", values: ["/p"] },
		{ any: [{ all: [{ dimension: "os", operator: "is", values: ["iOS"] }] }, { all: [] }] },
		{ not: { any: [{ dimension: "content_grouping", operator: "eq", values: ["draft"] }] } },
	],
};

let recorder: ReturnType<typeof recordingStore>;
let app: App;

before(async () => {
	const real = await openOracleStore();
	// Enough rows that the engine finds a projection worth reading.
	await real.command(`
		INSERT INTO events (site, date, hour, ts, session, kind, event_type, path, landing_path, landing_group,
			content_group, utm_source, country, device, entrance, page_view, conversion, microconversion, revenue)
		SELECT if(number % 3 = 2, 'store', 'shop'), toDate('2025-10-01') + number % 420, number % 24, now64(3), number, 'pageview',
			if(number % 100 < 2, 'signup', ''), '/p' || number % 20, '/p' || number % 10, 'blog', 'blog', 's' || number % 5,
			'ES', 'mobile', number % 3 = 0, 1, number % 100 = 0, number % 100 = 1, if(number % 100 = 0, 10, 0)
		FROM numbers(300000)`);
	await real.command("OPTIMIZE TABLE events FINAL");
	recorder = recordingStore(real);
	app = await oracleApp(recorder.store, sites, new Map([["saved", saved]]));
	registerAggregateStats(app, {
		eventStore: recorder.store,
		clock: { ...systemClock, now: () => NOW },
		segments: async () => undefined,
		sites: { get: (id) => sites.get(id) as never },
	});
});

after(async () => {
	await app?.close();
	await recorder?.store.close();
});

async function queriesOf(url: string, payload?: object) {
	recorder.taken();
	const about = url.includes("account_ids") ? url : `${url}${url.includes("?") ? "&" : "?"}site_id=shop`;
	const call: InjectOptions = payload === undefined ? { url: about } : { method: "POST", url: about, payload };
	const response = await app.inject(call);
	assert.equal(response.statusCode, 200, response.body);
	return { store: recorder.store, queries: recorder.taken() };
}

for (const { name, title, url, payload } of committedRequests("/stats/")) {
	test(`the SQL of ${name} is the committed text`, async () => {
		const { store, queries } = await queriesOf(url, payload);
		await assertSnapshot(store, { name, title, queries });
		// The rest asks again: imports are left out by what projections hold.
		if (isCore || payload !== undefined || /raw|propert/.test(url)) return;
		const without = (await queriesOf(`${url}&imports=exclude`)).queries;
		assert.deepEqual(await tablesRead(store, without), await tablesRead(store, queries));
	});
}

const tablesRead = (store: EventStore, queries: readonly EventQuery[]) =>
	Promise.all(queries.map((query) => tableRead(store, query)));

for (const [report, [name, others]] of Object.entries(alike)) {
	test(`the SQL of ${report} is that of ${name} in other words`, async () => {
		const { store, queries } = await queriesOf(`/stats/${report}?period=30d`);
		await assertAlike(store, { name, words: others, queries });
	});
}
