import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { shareLists } from "../../src/access/index.ts";
import { routesOf } from "../support/access-table.ts";
import { addressOf, unknownIds } from "../support/access-targets.ts";
import { operationsOf } from "../support/operations.ts";
import { type SharedShop, sharedShop, lastWeek as site } from "../support/shared-shop.ts";
import type { TestApp } from "../support/test-app.ts";
import { words } from "../support/words.ts";

const EVERYTHING = [...shareLists];

let app: TestApp;
let ask: SharedShop["ask"];
let visits: SharedShop["visits"];
let link: SharedShop["link"];
before(async () => {
	({ app, ask, visits, link } = await sharedShop());
});
after(() => app.close());

/** Routes that a shared link opens, by its list: all others are closed, whatever the link shows. */
const byList: Readonly<Record<string, readonly string[]>> = {
	overview: ["GET /stats/overview", "POST /batch"],
	channels: ["GET /stats/channels /stats/top-channels"],
	sources: ["GET /stats/sources /stats/sources/top"],
	mediums: ["GET /stats/mediums"],
	campaigns: ["GET /stats/campaigns /stats/campaigns/top"],
	terms: ["GET /stats/terms /stats/terms/top"],
	contents: ["GET /stats/contents /stats/contents/top"],
	referrers: ["GET /stats/referrers /stats/referrers/top"],
	pages: ["GET /stats/pages /stats/pages/top"],
	landing_pages: ["GET /stats/landing-pages /stats/landing-pages/top"],
	exit_pages: ["GET /stats/exit-pages"],
	content_groups: ["GET /stats/pages/content-groups /stats/landing-pages/by-content-group"],
	countries: ["GET /stats/geo/countries"],
	devices: ["GET /stats/devices/types"],
	browsers: ["GET /stats/browsers"],
	systems: ["GET /stats/operating-systems"],
	conversions: ["GET /stats/conversions"],
	microconversions: ["GET /stats/microconversions"],
	properties: ["GET /stats/properties/keys"],
	hours: ["POST /stats/query"],
};
const opened: Readonly<Record<string, string>> = Object.fromEntries(
	Object.entries(byList).flatMap(([list, lines]) => lines.flatMap(routesOf).map((route) => [route, list])),
);

const days = { date_from: "2026-11-15", date_to: "2026-11-21" };
const bodies: Readonly<Record<string, object>> = {
	"POST /stats/query": { ...days, dimensions: ["day_of_week", "hour"] },
	"POST /batch": { queries: [{ id: "q", endpoint: "/stats/overview", params: { site_id: "shop" } }] },
};

test("a link opens the routes of its lists, and of all others on the table of routes none", async () => {
	const lists: readonly (readonly string[])[] = [[], EVERYTHING, ...shareLists.map((list) => [list])];
	const readers = await Promise.all(lists.map(async (shown) => ({ shown, ...(await link({ lists: shown })) })));
	const wrong: string[] = [];
	const isPublic = (route: string, security: readonly object[]) => security.length === 0 && opened[route] === undefined;
	const guarded = operationsOf(app).filter(({ route, security }) => !isPublic(route, security));
	assert.ok(guarded.length > 150);
	for (const operation of guarded) {
		const { route, method, hasBody } = operation;
		const list = opened[route];
		const asked = list === undefined ? readers.slice(0, 2) : readers;
		for (const { shown, reader } of asked) {
			const isOpen = list === "overview" || (list !== undefined && shown.includes(list));
			const url = isOpen
				? `/api/v1${route.split(" ")[1]}${route === "POST /batch" ? "" : "?site_id=shop"}`
				: addressOf(operation, { ...unknownIds, id: "shop" }, "shop");
			const payload = bodies[route] ?? {};
			const response = await app.inject({ method, url, headers: { ...reader }, ...(hasBody && { payload }) });
			const { error } = response.body.startsWith("{") ? response.json() : { error: undefined };
			const isRefused =
				[403, 404].includes(response.statusCode) &&
				["forbidden", "insufficient_scope", "not_found"].includes(error?.code);
			if (isOpen ? response.statusCode !== 200 : !isRefused) {
				wrong.push(`${route} with ${shown}: ${response.statusCode} ${error?.code ?? ""}`);
			}
		}
	}
	assert.deepEqual(wrong, []);
	const there = new Set(guarded.map(({ route }) => route));
	assert.deepEqual(
		Object.keys(opened).filter((route) => !there.has(route)),
		[],
		"named, but not there",
	);
});

test("a link opens one site, by whatever name another one is asked for", async () => {
	const { reader } = await link({ lists: EVERYTHING, may_filter: true });
	for (const query of [
		...words(`
		site_id=second account_id=second site_id=nowhere site_id=shop&account_id=second site_id=shop&site_id=second
		site_id[]=shop&site_id[]=second
	`),
		"",
	]) {
		const { status } = await ask(reader, `GET /stats/overview?${query}`);
		assert.ok(status >= 400, query);
	}
	const second = await ask(reader, "GET /stats/overview?site_id=second");
	const nowhere = await ask(reader, "GET /stats/overview?site_id=nowhere");
	assert.deepEqual([second.status, second.code], [nowhere.status, nowhere.code]);
	const { body } = await ask(reader, "POST /batch", {
		queries: [
			{ id: "own", endpoint: "/stats/overview", params: { site_id: "shop" } },
			{ id: "other", endpoint: "/stats/overview", params: { site_id: "second" } },
			{ id: "live", endpoint: "/stats/properties/values", params: { site_id: "shop", property_key: "a" } },
			{
				id: "why",
				endpoint: "/stats/explain",
				params: { site_id: "shop", ...days, metric: "entrances", compare: "previous" },
			},
			{ id: "steps", endpoint: "/stats/funnel", params: { site_id: "shop", steps: ["/", "purchase"] } },
		],
	});
	const outcome = Object.values<{ status: string; error?: { code: string } }>(body.results);
	assert.deepEqual(
		outcome.map(({ status, error }) => error?.code ?? status),
		["success", "forbidden", "forbidden", "insufficient_scope", "forbidden"],
	);
});

test("the segment of a link holds beside all that its reader asks, and cannot be lifted", async () => {
	const { reader } = await link({ segment_id: "spain", lists: EVERYTHING, may_filter: true });
	assert.equal(await visits(reader), 2);
	const france = (conditions: object) => `&segment_filters=${encodeURIComponent(JSON.stringify(conditions))}`;
	const inFrance = { field: "country", operator: "in", value: ["FR"] };
	for (const query of [
		"&country=FR",
		"&country=FR&country=DE",
		"&filters=country:eq:FR",
		"&filters=country:in:FR|DE",
		france({ conditions: [inFrance] }),
		france({ conditions: [], groups: [{ operator: "or", conditions: [inFrance] }] }),
	]) {
		assert.equal(await visits(reader, query), 0, query);
	}
	for (const query of ["&country=ES", "&filters=country:ne:FR", "&country=ES&country=FR", "&filters=country:regex:."]) {
		assert.equal(await visits(reader, query), 2, query);
	}
	assert.equal(await visits(reader, "&utm_source=google"), 1);
	const { body: countries } = await ask(reader, `GET /stats/geo/countries?${site}&include_totals=true`);
	assert.deepEqual(
		[countries.data.map((row: { country: string }) => row.country), countries.totals.entrances],
		[["ES"], 2],
	);
	for (const segment of ["&segment=spain", "&segment=", "&segment=mobile", "&segment[]=x"]) {
		assert.equal(await visits(reader, segment), 403, segment);
	}
	const query = (filters: object, more = "") =>
		ask(reader, `POST /stats/query?site_id=shop${more}`, {
			...days,
			dimensions: ["hour"],
			metrics: ["entrances"],
			filters,
		});
	const rowsOf = async (filters: object, more = "") => (await query(filters, more)).body.data;
	assert.deepEqual(await rowsOf({}), [{ hour: 10, entrances: 2 }]);
	assert.deepEqual(await rowsOf({ country: "FR" }), []);
	assert.deepEqual(await rowsOf({ country: ["ES", "FR"] }), [{ hour: 10, entrances: 2 }]);
	assert.deepEqual(await rowsOf({}, france({ conditions: [inFrance] })), []);
	assert.equal((await query({}, "&segment=spain")).code, "forbidden");
	const batch = await ask(reader, "POST /batch", {
		queries: [
			{ id: "all", endpoint: "/stats/overview", params: { site_id: "shop", period: "7d" } },
			{ id: "fr", endpoint: "/stats/overview", params: { site_id: "shop", period: "7d", country: ["FR"] } },
			{ id: "lift", endpoint: "/stats/overview", params: { site_id: "shop", period: "7d", segment: "all" } },
		],
	});
	const { all, fr, lift } = batch.body.results;
	assert.deepEqual(
		[all.data.data.traffic.entrances, fr.data.data.traffic.entrances, lift.error.code],
		[2, 0, "forbidden"],
	);
	const compared = await ask(reader, `GET /stats/overview?site_id=shop&period=today&compare=previous`);
	assert.equal(compared.body.data.traffic_change.entrances, 2);
});

test("a link without leave to filter admits none, and one with it only by what it shows", async () => {
	const shut = (await link({ lists: EVERYTHING })).reader;
	const some = (await link({ lists: ["sources"], may_filter: true })).reader;
	const conditions = encodeURIComponent('{"conditions":[{"field":"country","operator":"in","value":["ES"]}]}');
	const byOthers = ["&country=ES", "&filters=country:eq:ES", `&segment_filters=${conditions}`, "&browser=Chrome"];
	const more = words("&country[]=ES &path_filter=/ &landing_page=/ &conversion_type=purchase &content_grouping=a");
	for (const query of [...byOthers, ...more]) assert.equal(await visits(shut, query), 403, query);
	for (const query of byOthers) assert.equal(await visits(some, query), 403, query);
	for (const query of ["&utm_source=google", "&filters=utm_source:eq:google"]) {
		assert.equal(await visits(shut, query), 403, query);
		assert.equal(await visits(some, query), 2, query);
	}
	for (const query of ["&imports=exclude", "&explain=true", "&include_utm=true", "&whatever=1"]) {
		assert.equal(await visits(shut, query), 403, query);
	}
	const body = { ...days, dimensions: ["hour"], filters: { utm_source: "google" } };
	assert.equal((await ask(shut, "POST /stats/query?site_id=shop", body)).code, "forbidden");
});

test("no list tells what another one is for", async () => {
	const pages = (await link({ lists: ["pages", "conversions", "hours"], may_filter: true })).reader;
	for (const more of [
		"include_utm=true",
		"include=browser",
		"include=visitors&include=device",
		"include[]=channel_group",
	]) {
		assert.equal((await ask(pages, `GET /stats/pages?${site}&${more}`)).code, "forbidden", more);
	}
	assert.equal((await ask(pages, `GET /stats/pages?${site}&include=visitors`)).status, 200);
	const { body } = await ask(pages, `GET /stats/conversions?${site}`);
	const [{ count, by_source, by_country }] = body.data;
	assert.deepEqual([count, by_source, by_country], [2, [], []]);
	const { reader: all } = await link({ lists: EVERYTHING });
	const [whole] = (await ask(all, `GET /stats/conversions?${site}`)).body.data;
	assert.deepEqual([whole.by_source.length, whole.by_country.length], [1, 2]);
	for (const dimension of ["country", "utm_source", "path", "conversion_type", "browser"]) {
		const query = { ...days, dimensions: ["hour", dimension] };
		assert.equal((await ask(all, "POST /stats/query?site_id=shop", query)).code, "forbidden", dimension);
	}
});
