import assert from "node:assert/strict";
import { after, test } from "node:test";
import { createSite, signIn } from "../../../../test/support/accounts.ts";
import { pageviewRow } from "../../../../test/support/event-rows.ts";
import { sendHits, type TestHit } from "../../../../test/support/hits.ts";
import { insertRows } from "../../../../test/support/oracle-app.ts";
import { requestOf } from "../../../../test/support/request-of.ts";
import { makeLink, readerOf } from "../../../../test/support/shared-link.ts";
import { testApp } from "../../../../test/support/test-app.ts";

const hostileNames = [`'] OR 1 = 1 --`, "{site:String}", "\\", "a:b,c", "a%3Ab%252Cc", "constructor", "_not", "a.b"];
const hostileValue = `x'] != '' OR {f0:String} \\ %2C|, 1=1 --`;

const app = await testApp();
const ann = await signIn(app, { role: "superadmin" });
await createSite(app, ann);
const from = (visitor: number, path: string, more: Partial<TestHit> = {}): TestHit => ({
	...{ site: "shop", url: `https://shop.example${path}`, ip: `203.0.113.${visitor}`, ...more },
});
const hits = [
	from(1, "/?utm_source=google"),
	from(1, "/pricing"),
	from(1, "/pricing", { event: "sign-up", amount: 10, properties: { plan: "Pro", seats: 3 } }),
	from(2, "/?utm_source=google"),
	from(2, "/", { event: "trial", isMicro: true, properties: { plan: "Free" } }),
	from(3, "/pricing?utm_source=bing"),
	from(4, "/?utm_source=mail"),
	from(4, "/", { event: "order", amount: 5, properties: { items: [{ sku: "mug" }, { sku: "cap" }], coupon: "" } }),
];
// In order of time, which steps of funnels depend on.
for (const hit of hits) {
	await sendHits(app, [hit]);
	app.clock.advance(1000);
}
const day = { site: "shop", ts: Date.parse("2026-11-21T00:00:00Z"), session: "0", import_id: "i1" };
const sums = { entrance: 7, page_view: 7, conversion: 2, event_type: "order", utm_source: "imported" };
const before = { site: "shop", ts: Date.parse("2026-11-20T10:00:00Z"), session: "9", utm_source: "google" };
await insertRows(app.eventStore, [
	pageviewRow({ ...day, ...sums }),
	pageviewRow({ ...before, entrance: 1 }),
	pageviewRow({ ...before, kind: "conversion", conversion: 1, page_view: 0, properties: { plan: "Pro" } }),
]);
await createSite(app, ann, { name: "Hostile", domains: ["hostile.example"] });
await sendHits(
	app,
	hostileNames.map((name, at) => ({
		...{ site: "hostile", url: "https://hostile.example/", ip: `203.0.113.${at}`, event: "order" },
		properties: { [name]: hostileValue, n: String(at) },
	})),
);
after(() => app.close());

async function ask(route: string, body?: object, headers: Readonly<Record<string, string>> = ann.headers) {
	const response = await app.inject(requestOf(route, { headers, body }));
	const isJson = String(response.headers["content-type"]).includes("json");
	return { status: response.statusCode, text: response.body, body: isJson ? response.json() : undefined };
}

const today = "site_id=shop&period=today";

/** Rows of a list in short, each as the values of some fields. */
const brief = (rows: readonly Readonly<Record<string, unknown>>[], fields: string) =>
	rows
		.map((row) =>
			fields
				.split(" ")
				.map((field) => row[field])
				.join(" "),
		)
		.sort();

const sources = "utm_source entrances conversions revenue";

/** Lists, the filter, the fields that are looked at, and the rows. */
const lists: readonly (readonly [list: string, filters: string, fields: string, rows: readonly string[]])[] = [
	["sources", "property.plan:eq:Pro", sources, ["google 1 1 10"]],
	["sources", "property.plan:eq:pro", sources, []],
	["sources", "property.plan:in:Pro|Free", sources, ["google 2 1 10"]],
	["sources", "property.plan:starts_with:Fr", sources, ["google 1 0 0"]],
	["sources", "property.plan:regex:^P|x", sources, ["google 1 1 10"]],
	["sources", "property.plan:ne:Pro", sources, ["bing 1 0 0", "google 1 0 0", "imported 7 2 0", "mail 1 1 5"]],
	["sources", "property.plan:not_regex:.", sources, ["bing 1 0 0", "imported 7 2 0", "mail 1 1 5"]],
	["sources", "property.coupon:eq:", sources, ["mail 1 1 5"]],
	["sources", "property.coupon:not_contains:", sources, ["bing 1 0 0", "google 2 1 10", "imported 7 2 0"]],
	["sources", "property.plan:eq:", sources, []],
	["sources", "property.plan:eq:Pro,property.seats:eq:3", sources, ["google 1 1 10"]],
	["sources", "property.plan:eq:Free,property.seats:eq:3", sources, []],
	["sources", "property.sku:eq:mug", sources, ["mail 1 1 5"]],
	["sources", "property.sku:not_in:mug|hat", sources, ["bing 1 0 0", "google 2 1 10", "imported 7 2 0"]],
	["pages", "property.plan:eq:Pro", "path page_views entrances", ["/ 1 1", "/pricing 1 0"]],
	["landing-pages", "property.plan:eq:Free", "landing_page entrances", ["/ 1"]],
	["exit-pages", "property.plan:in:Pro|Free", "path exits", ["/ 1", "/pricing 1"]],
	["conversions", "property.plan:eq:Pro", "conversion_type count revenue", ["sign-up 1 10"]],
	["conversions", "property.plan:ne:Pro", "conversion_type count revenue", ["order 3 5"]],
	["microconversions", "property.plan:contains:re", "conversion_type count", ["trial 1"]],
	["conversions/raw", "property.seats:eq:3", "conversion_type amount", ["sign-up 10"]],
	["conversions/raw", "property.coupon:regex:^$", "conversion_type amount", ["order 5"]],
	["conversions", "property.coupon:ne:", "conversion_type count revenue", ["order 2 0", "sign-up 1 10"]],
	["conversion-items/raw", "property.sku:ends_with:p", "conversion_type", ["order"]],
	["properties/values?property_key=seats", "property.plan:eq:Pro", "property_value conversions_count", ["3 1"]],
	["properties/values?property_key=seats", "property.plan:eq:Free", "property_value conversions_count", []],
];

for (const [list, filters, fields, rows] of lists) {
	test(`${filters} leaves ${rows.length === 0 ? "nothing" : rows.join(", ")} of ${list}`, async () => {
		const path = `GET /stats/${list}${list.includes("?") ? "&" : "?"}${today}&filters=${encodeURIComponent(filters)}`;
		const { status, body } = await ask(path);
		assert.deepEqual([status, brief(body.data, fields)], [200, rows]);
	});
}

const days = { date_from: "2026-11-21", date_to: "2026-11-21" };
const pro = { "property.plan": "Pro" };
const plan = "filters=property.plan:eq:Pro";

const shop = { site_id: "shop", ...days };
const asked = "POST /stats/query?site_id=shop";

type Body = ReturnType<typeof JSON.parse>;
/** A report that is no list: what is asked, what the answer shows, and what that is. */
type Other = readonly [name: string, route: string, shown: (body: Body) => unknown, expected: unknown, body?: object];

const dataOf = ({ data }: Body) => data;
function listed(fields: string) {
	return ({ data }: Body) => brief(data.rows ?? data, fields);
}
const bySource = listed("utm_source entrances");
const pagesBySource = listed("utm_source entrances page_views");
const keys = listed("key total_count");
const compared = (body: Body) => [listed("utm_source entrances entrances_prev")(body), body.comparison.entrances];
const both = "account_ids=shop&account_ids=hostile&period=today";
const traffic = ({ data }: Body) => [data.traffic.entrances, data.traffic.page_views];
const ends = ({ data }: Body) => [data.total_entries, data.total_completions];
const live = ({ data }: Body) => [data.now.active_visits, brief(data.pages, "path active_visits")];
const visits = { ...days, dimensions: ["utm_source"], metrics: ["page_views"], filters: pro };
const without = { ...days, metrics: ["entrances"], filters: { "property_not.plan": ["Pro", "Free"] } };
const matching = { "property_starts_with.plan": "P", "property_regex.seats": "^[0-9]$" };
const counts = { dimensions: ["conversion_type"], metrics: ["conversions", "microconversions"], filters: matching };
const change = { ...days, metric: "page_views", compare: "previous", dimensions: ["utm_source"], filters: pro };
const queries = [
	{ id: "list", endpoint: "/stats/sources", params: { ...shop, filters: "property.plan:eq:Free" } },
	{ id: "open", endpoint: "/stats/query", params: { ...shop, metrics: ["entrances"], filters: pro } },
];
const results = ({ results: { list, open } }: Body) => [bySource(list.data), open.data.data];
const signUps = [{ conversion_type: "sign-up", conversions: 1, microconversions: 0 }];
const steps = ["/", "/pricing", "sign-up"];

const others: readonly Other[] = [
	["a list with its comparison", `GET /stats/sources?${today}&compare=previous&${plan}`, compared, [["google 1 1"], 1]],
	["an overview of several sites", `GET /stats/aggregate/overview?${both}&${plan}`, traffic, [1, 2]],
	["a funnel of steps", `POST /stats/funnel?${today}&${plan}`, ends, [1, 1], { steps }],
	["a funnel of sources", `GET /stats/funnel?${today}&${plan}`, pagesBySource, ["google 1 2"]],
	["names of properties", `GET /stats/properties/keys?${today}&${plan}`, keys, ["plan 1", "seats 1"]],
	["live figures, which are about single hits", `GET /stats/live?site_id=shop&${plan}`, live, [1, ["/pricing 1"]]],
	["a query of visits", asked, dataOf, [{ utm_source: "google", page_views: 2 }], visits],
	["a query without a property", asked, dataOf, [{ entrances: 9 }], without],
	["a query by the type of events", asked, dataOf, signUps, { ...days, ...counts }],
	["what changed", "POST /stats/explain?site_id=shop", ({ data: { total } }) => total.now, 2, change],
	["queries of a batch", "POST /batch", results, [["google 1"], [{ entrances: 1 }]], { queries }],
];

for (const [name, route, shown, expected, body] of others) {
	test(`${name}: only what has the property plan with the value Pro counts`, async () => {
		const answer = await ask(route, body);
		assert.equal(answer.status, 200, answer.text);
		assert.deepEqual(shown(answer.body), expected);
	});
}

test("an export of sources is about visits with the property, one of conversions about the events themselves", async () => {
	const filters = { advanced_filters: "property.plan:in:Pro|Free" };
	const file = async (export_type: string) =>
		(await ask("POST /exports/stream?account_id=shop", { export_type, ...days, filters })).text;
	assert.deepEqual((await file("conversions")).split("\r\n"), [
		"date,conversion_type,amount,properties",
		'2026-11-21,sign-up,10,"{""plan"":""Pro"",""seats"":""3""}"',
		"",
	]);
	assert.match(await file("sources"), /^google,2,/m);
});

test("a segment keeps a property, of which filters replace the same one alone, and compares it without case", async () => {
	const conditions = [
		{ field: "property.plan", value: "PRO" },
		{ field: "property.seats", operator: "in", value: ["3"] },
	];
	const body = { name: "pro", display_name: "Pro", filters: { conditions } };
	const { status, body: saved } = await ask("POST /segments?account_id=shop", body);
	assert.equal(status, 201, JSON.stringify(saved));
	assert.deepEqual(
		saved.data.filters.conditions.map(({ field, value }: { field: string; value: unknown }) => [field, value]),
		[
			["property.plan", "PRO"],
			["property.seats", ["3"]],
		],
	);
	const rows = async (query: string) => brief((await ask(`GET /stats/sources?${today}&${query}`)).body.data, sources);
	const written = encodeURIComponent(JSON.stringify({ not_groups: [{ conditions: conditions.slice(0, 1) }] }));
	assert.deepEqual(await rows("segment=pro"), ["google 1 1 10"]);
	assert.deepEqual(await rows("segment=pro&filters=property.plan:ne:Other"), ["google 1 1 10"]);
	assert.deepEqual(await rows("segment=pro&filters=property.seats:ne:3"), []);
	assert.deepEqual(await rows(`segment_filters=${written}&imports=exclude`), [
		"bing 1 0 0",
		"google 1 0 0",
		"mail 1 1 5",
	]);
});

test("every name and value that the collector accepts is found again, and no part of the statement", async () => {
	for (const [at, name] of hostileNames.entries()) {
		const written = name
			.replaceAll(/%(?=(?:25)*(?:2C|3A))/g, "%25")
			.replaceAll(",", "%2C")
			.replaceAll(":", "%3A");
		const value = hostileValue.replaceAll("%2C", "%252C").replaceAll(",", "%2C");
		const filters = encodeURIComponent(`property.${written}:eq:${value}`);
		const raw = await ask(`GET /stats/conversions/raw?site_id=hostile&period=today&filters=${filters}`);
		const found = raw.body.data.map(({ properties }: { properties: { n: string } }) => properties.n);
		assert.deepEqual(found, [String(at)], name);
		const filter = { [`property.${name}`]: hostileValue };
		const body = { ...days, dimensions: ["conversion_type"], metrics: ["conversions"], filters: filter };
		const open = await ask("POST /stats/query?site_id=hostile", body);
		assert.deepEqual(open.body.data, [{ conversion_type: "order", conversions: 1 }], name);
	}
});

const long = "x".repeat(101);
const written = (field: string) => encodeURIComponent(JSON.stringify({ conditions: [{ field, value: "x" }] }));
const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`property.p${at}`, "x"]));
const nameless =
	"A property has a name of 1 to 100 characters, without control characters and without blanks at its ends";

/** A request that is refused: the field that the answer names, and what it says there. */
type Refused = readonly [request: string, field: string, message: RegExp, body?: object];
const sourcesBy = (more: string) => `GET /stats/sources?${today}&${more}`;
const inSegment = "query.segment_filters.conditions.0.field";
const filteredBy = (filters: object) => ({ ...days, filters });
const exported = { export_type: "sources", ...days, filters: { advanced_filters: "property.:eq:x" } };

const refused: readonly Refused[] = [
	...["", long, "a%01b", "%20a"].map(
		(name): Refused => [sourcesBy(`filters=property.${name}:eq:x`), "query.filters", RegExp(nameless)],
	),
	[sourcesBy("filters=properties.plan:eq:x"), "query.filters", /one of path, .*, property\.<name>/],
	[sourcesBy("filters=property.plan:like:x"), "query.filters", /^The operator of/],
	[sourcesBy("filters=property.plan:regex:("), "query.filters", /RE2/],
	[sourcesBy(`segment_filters=${written("property.")}`), inSegment, RegExp(nameless)],
	[sourcesBy(`segment_filters=${written("plan")}`), inSegment, /one of path/],
	[asked, "body.filters.property.", RegExp(nameless), filteredBy({ "property.": "x" })],
	[asked, "body.filters.property_like.plan", /property_not\.<name>/, filteredBy({ "property_like.plan": "x" })],
	[asked, "body.filters", /more than 20 properties/, filteredBy(many(21))],
	["POST /exports/stream?account_id=shop", "body.filters.advanced_filters", RegExp(nameless), exported],
];

for (const [request, field, message, body] of refused) {
	test(`${request} ${JSON.stringify(body)?.slice(0, 60) ?? ""} answers 422 on ${field}`, async () => {
		const { status, body: answer } = await ask(request, body);
		assert.equal(status, 422, JSON.stringify(answer));
		const found = answer.error.detail.map((fault: { field: string }) => fault.field);
		assert.deepEqual(found, [field]);
		assert.match(answer.error.detail[0].message, message);
	});
}

test("twenty properties in one query are answered", async () => {
	const { status, body } = await ask(asked, { ...filteredBy(many(20)), metrics: ["entrances"] });
	assert.deepEqual([status, body.data], [200, [{ entrances: 0 }]]);
});

test("readers of a shared link that shows properties cannot filter by their values", async () => {
	const lists = ["sources", "properties"];
	const reader = await readerOf(app, await makeLink(app, ann, "shop", { lists, may_filter: true }));
	const { status, body } = await ask(`GET /stats/sources?${today}&${plan}`, undefined, reader);
	assert.deepEqual([status, body.error.message], [403, "The shared link does not show what this filters by"]);
});
