import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Condition } from "../../src/analytics/catalog/filters.ts";
import type { App } from "../../src/platform/http/app.ts";
import { openOracleStore, oracleApp } from "../support/oracle-app.ts";
import { assertAlike, assertSnapshot, recordingStore, type Words } from "../support/sql-snapshots.ts";

const site = { id: "shop", timezone: "Europe/Madrid" };

/** Each snapshot with the request whose SQL it holds. */
const requests: Readonly<Record<string, string>> = {
	overview: "/stats/overview?period=30d",
	"overview-daily-compare": "/stats/overview?period=7d&compare=previous&country=ES&country=FR",
	"overview-hourly": "/stats/overview?period=today&granularity=hourly",
	sources: "/stats/sources?period=30d",
	"sources-search-totals-compare":
		"/stats/sources?period=12m&search=goo&include_totals=true&compare=yoy&sort_by=revenue&sort_order=asc&page=2",
	"sources-all-filter-operators": `/stats/sources?filters=${encodeURIComponent(
		[
			"utm_source:eq:google",
			"utm_medium:ne:cpc",
			"utm_campaign:contains:sale",
			"utm_term:not_contains:brand",
			"utm_content:regex:^a",
			"referrer:not_regex:t$",
			"country:in:ES|FR",
			"os:not_in:Windows|Linux",
			"path:eq:/landing",
		].join(","),
	)}`,
	pages: "/stats/pages?period=30d",
	"pages-all-columns":
		"/stats/pages?period=30d&include_utm=true&include=device&include=browser&include=os&include=channel_group",
	"pages-top": "/stats/pages/top?period=30d&country=ES",
	"pages-content-groups": "/stats/pages/content-groups?period=30d",
	"pages-content-groups-compare": "/stats/pages/content-groups?period=30d&compare=yoy",
	"sources-top": "/stats/sources/top?period=30d&landing_page=/p1",
	"campaigns-top": "/stats/campaigns/top?period=30d",
	"countries-compare": "/stats/geo/countries?period=30d&compare=previous&include_totals=true",
	"countries-compare-elapsed": "/stats/geo/countries?period=this_week&compare=previous&compare_align=elapsed",
	"overview-compare-elapsed": "/stats/overview?period=this_week&compare=previous&compare_align=elapsed",
	"overview-country-compare-elapsed":
		"/stats/overview?period=this_week&compare=previous&compare_align=elapsed&country=ES",
	"pages-country-compare": "/stats/pages?period=30d&compare=previous&country=ES",
	"channels-compare-later":
		"/stats/channels?start_date=2026-05-01&end_date=2026-05-31&compare=custom&compare_start=2026-06-01&compare_end=2026-06-30",
	devices: "/stats/devices?period=30d",
	browsers: "/stats/browsers?period=30d",
	"landing-pages": "/stats/landing-pages?period=30d",
	"landing-pages-all-columns-compare":
		"/stats/landing-pages?period=30d&include_utm=true&include=os&sort_by=bounce_rate&compare=yoy&content_grouping=blog",
	"landing-pages-top": "/stats/landing-pages/top?period=30d",
	"landing-pages-by-content-group": "/stats/landing-pages/by-content-group?period=30d",
	channels: "/stats/channels?period=30d&channel_group=",
	"channels-top": "/stats/top-channels?period=30d",
	conversions: "/stats/conversions?period=30d&sort_by=avg_value",
	microconversions: "/stats/microconversions?period=30d&conversion_type=signup",
	"microconversions-type": "/stats/microconversions/signup?period=30d",
	"microconversions-types": "/stats/microconversions-types?period=30d",
	"segment-with-groups": "/stats/browsers?period=30d&segment=saved&country=ES",
	"sources-visits-with-an-event":
		"/stats/sources?period=30d&filters=conversion_type:in:signup|lead,hour:ne:8,content_grouping:starts_with:b",
	"sources-visits-without-an-event-compare": "/stats/sources?period=30d&compare=yoy&filters=conversion_type:ne:signup",
	"conversions-by-type-filter": "/stats/conversions?period=30d&filters=conversion_type:ends_with:up",
	"segment-filters": `/stats/browsers?period=30d&segment=saved&segment_filters=${encodeURIComponent(
		JSON.stringify({ conditions: [{ field: "os", operator: "neq", value: "iOS" }], not_groups: [{ conditions: [] }] }),
	)}`,
	"pages-path-filter": "/stats/pages?period=30d&path_filter=50%25_off&content_grouping=blog&compare=previous",
};

const byEvent = { by_event: "by_source" };

/** Requests whose SQL is that of a snapshot, in other words. */
const alike: readonly (readonly [url: string, name: string, words: Words])[] = [
	["/stats/mediums?period=30d", "sources", { utm_medium: "utm_source" }],
	["/stats/campaigns?period=30d", "sources", { utm_campaign: "utm_source" }],
	["/stats/terms?period=30d", "sources", { utm_term: "utm_source", ...byEvent }],
	["/stats/contents?period=30d", "sources", { utm_content: "utm_source", ...byEvent }],
	[
		"/stats/referrers?period=30d",
		"sources",
		{ "referrer AS referrer_domain": "utm_source", referrer_domain: "utm_source" },
	],
	["/stats/geo/countries?period=30d", "sources", { country: "utm_source", by_audience: "by_source" }],
	["/stats/terms/top?period=30d", "campaigns-top", { utm_term: "utm_campaign", ...byEvent }],
	["/stats/contents/top?period=30d", "campaigns-top", { utm_content: "utm_campaign", ...byEvent }],
	[
		"/stats/referrers/top?period=30d",
		"campaigns-top",
		{ "referrer AS referrer_domain": "utm_campaign", referrer_domain: "utm_campaign" },
	],
	["/stats/operating-systems?period=30d", "browsers", { os: "browser" }],
	["/stats/devices/types?period=30d", "browsers", { "device AS device_type": "browser", device_type: "browser" }],
];

/** The segment `saved`: single conditions, a group and a negated one. */
const saved: Condition = {
	all: [
		{ dimension: "country", operator: "in", values: ["FR"] },
		{ dimension: "path", operator: "starts_with", values: ["/p"] },
		{ any: [{ all: [{ dimension: "os", operator: "is", values: ["iOS"] }] }, { all: [] }] },
		{ not: { any: [{ dimension: "content_grouping", operator: "eq", values: ["draft"] }] } },
	],
};

let recorder: ReturnType<typeof recordingStore> | undefined;
let app: App | undefined;

before(async () => {
	const real = await openOracleStore();
	// Enough rows that the engine finds a projection worth reading.
	await real.command(`
		INSERT INTO events (site, date, hour, ts, session, kind, event_type, path, landing_path, landing_group,
			content_group, utm_source, country, device, entrance, page_view, conversion, microconversion, revenue)
		SELECT 'shop', toDate('2025-10-01') + number % 420, number % 24, now64(3), number, 'pageview',
			if(number % 100 < 2, 'signup', ''), '/p' || number % 20, '/p' || number % 10, 'blog', 'blog', 's' || number % 5,
			'ES', 'mobile', number % 3 = 0, 1, number % 100 = 0, number % 100 = 1, if(number % 100 = 0, 10, 0)
		FROM numbers(200000)`);
	await real.command("OPTIMIZE TABLE events FINAL");
	recorder = recordingStore(real);
	app = await oracleApp(recorder.store, new Map([[site.id, site]]), new Map([["saved", saved]]));
});

after(async () => {
	await app?.close();
	await recorder?.store.close();
});

/** The queries that a request makes. */
async function queriesOf(url: string) {
	assert.ok(app && recorder);
	recorder.taken();
	const response = await app.inject({ url: `${url}${url.includes("?") ? "&" : "?"}site_id=${site.id}` });
	assert.equal(response.statusCode, 200, response.body);
	return { store: recorder.store, queries: recorder.taken() };
}

for (const [name, url] of Object.entries(requests)) {
	test(`the SQL of ${name} is the committed text`, async () => {
		const { store, queries } = await queriesOf(url);
		await assertSnapshot(store, { name, title: `GET ${decodeURIComponent(url)}`, queries });
	});
}

for (const [url, name, words] of alike) {
	test(`the SQL of ${url} is that of ${name} in other words`, async () => {
		const { store, queries } = await queriesOf(url);
		await assertAlike(store, { name, words, queries });
	});
}
