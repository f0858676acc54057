import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { createSite, type Session, signIn } from "../../../../test/support/accounts.ts";
import { sendHits } from "../../../../test/support/hits.ts";
import { type TestApp, testApp } from "../../../../test/support/test-app.ts";

let app: TestApp;
let ann: Session;
let site: string;

const phone =
	"Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36";
const firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0";

/** Six visitors, seven page views. */
before(async () => {
	app = await testApp();
	ann = await signIn(app);
	site = await createSite(app, ann);
	const from = (visitor: number, path: string, more: object = {}) => ({
		...{ site, ip: `203.0.113.${visitor}`, url: `https://shop.example${path}` },
		...more,
	});
	await sendHits(app, [
		from(1, "/?utm_source=Google&utm_medium=cpc&utm_campaign=autumn"),
		from(1, "/cart", { referrer: "https://shop.example/" }),
		from(2, "/blog/a?utm_source=google&utm_medium=organic"),
		from(3, "/blog/b?utm_source=bing&utm_medium=organic", { timezone: "Europe/Paris" }),
		from(4, "/offer?utm_source=newsletter&utm_medium=email&utm_campaign=autumn", { userAgent: firefox }),
		from(5, "/", { referrer: "https://partner.example/x" }),
		from(6, "/", { userAgent: phone }),
	]);
});
after(() => app.close());

const send = (path: string, payload: object) =>
	app.inject({ method: "POST", url: `/api/v1${path}`, headers: ann.headers, payload });

async function get(report: string, more: Readonly<Record<string, string>>) {
	const query = new URLSearchParams({ site_id: site, ...more });
	const response = await app.inject({ url: `/api/v1/stats/${report}?${query}`, headers: ann.headers });
	return { status: response.statusCode, body: response.json() };
}

async function figuresOf(parameters: Readonly<Record<string, string>>): Promise<readonly [number, number]> {
	const { status, body } = await get("overview", { period: "today", ...parameters });
	assert.equal(status, 200, JSON.stringify(body));
	return [body.data.traffic.entrances, body.data.traffic.page_views];
}

let count = 0;
/** Entrances and page views of these filters, which are the same in a saved segment and in one of the request. */
async function figures(filters: object, parameters: Readonly<Record<string, string>> = {}) {
	count += 1;
	const saved = { name: `s-${count}`, display_name: "Test", filters };
	const response = await send(`/segments?account_id=${site}`, saved);
	assert.equal(response.statusCode, 201, response.body);
	const chosen = await figuresOf({ ...parameters, segment: response.json().data.id });
	assert.deepEqual(await figuresOf({ ...parameters, segment_filters: JSON.stringify(filters) }), chosen);
	return chosen;
}

const operators: readonly (readonly [
	field: string,
	operator: string,
	value: string | string[],
	...figures: number[],
])[] = [
	["utm_source", "eq", "GOOGLE", 2, 3],
	["utm_source", "neq", "GOOGLE", 4, 4],
	["utm_source", "starts_with", "goo", 1, 1],
	["utm_source", "not_in", ["bing", "newsletter"], 4, 5],
	["utm_source", "regex", "^(bing|google)$", 2, 2],
	["utm_source", "not_regex", "(?i)^(bing|google)$", 3, 3],
	// One that takes engines without RE2 for ever.
	["path", "regex", "(x+x+)+y", 0, 0],
	["country", "eq", "fr", 1, 1],
	["device_type", "eq", "Mobile", 1, 1],
	["browser", "eq", "firefox", 1, 1],
	["os", "eq", "android", 1, 1],
	["referrer", "eq", "partner.example", 1, 1],
	["channel", "eq", "paid search", 1, 2],
	["hour", "in", ["12", "13"], 6, 7],
	["path", "starts_with", "/blog/", 2, 2],
	["path", "eq", "/cart", 0, 0],
];

test("each operator chooses what it says, and each field is that of the session", async () => {
	for (const [field, operator, value, ...expected] of operators) {
		const filters = { conditions: [{ field, operator, value }] };
		assert.deepEqual(await figures(filters), expected, JSON.stringify(filters));
	}
	// On reports of pages a path is the page, elsewhere the landing page.
	const cart = await get("pages", { period: "today", segment: `s-${count}` });
	assert.deepEqual(
		cart.body.data.map((row: { path: string; page_views: number }) => [row.path, row.page_views]),
		[["/cart", 1]],
	);
});

const group = (...conditions: (readonly [field: string, value: string])[]) => ({
	conditions: conditions.map(([field, value]) => ({ field, operator: "eq", value })),
});
const google = ["utm_source", "google"] as const;
const organic = ["utm_medium", "organic"] as const;
const autumn = ["utm_campaign", "autumn"] as const;
const byMedium = (medium: string) => ({ utm_medium: medium });

const composed: readonly (readonly [filters: object, parameters: Record<string, string>, ...figures: number[]])[] = [
	[{}, {}, 6, 7],
	[group(google, organic), {}, 1, 1],
	[group(google, ["utm_source", "bing"]), {}, 0, 0],
	[{ groups: [group(google, organic), group(autumn)] }, {}, 3, 4],
	[{ not_groups: [group(google, organic)] }, {}, 5, 6],
	[{ not_groups: [group(google), group(autumn)] }, {}, 3, 3],
	[
		{
			conditions: [{ field: "utm_medium", operator: "in", value: ["organic", "cpc"] }],
			groups: [group(google), group(["country", "FR"])],
			not_groups: [group(autumn)],
		},
		{},
		2,
		2,
	],
	[{ groups: [group()], not_groups: [group()] }, {}, 6, 7],
	// A parameter replaces the segment's own condition on its field and joins the others; groups always hold.
	[group(organic), byMedium("cpc"), 1, 2],
	[group(organic), { filters: "utm_medium:eq:email", utm_medium: "cpc" }, 1, 1],
	[group(google), byMedium("cpc"), 1, 2],
	[group(organic, google), byMedium("cpc"), 1, 2],
	[{ groups: [group(organic)] }, byMedium("cpc"), 0, 0],
];

test("conditions hold together, one group must hold, no not_group may, and parameters rank over conditions", async () => {
	for (const [filters, parameters, ...expected] of composed) {
		assert.deepEqual(await figures(filters, parameters), expected, JSON.stringify([filters, parameters]));
	}
});

test("the system segments choose what they are called, and a segment in the request ranks over a saved one", async () => {
	for (const [name, entrances] of Object.entries({
		...{ "all-traffic": 6, "organic-search": 2, "paid-search": 1, social: 0, direct: 1, referral: 1, mobile: 1 },
		...{ desktop: 5, seg_sys_mobile: 1 },
	})) {
		assert.equal((await figuresOf({ segment: name }))[0], entrances, name);
	}
	const written = (filters: object) => figuresOf({ segment: "mobile", segment_filters: JSON.stringify(filters) });
	assert.deepEqual(await written({}), [1, 1]);
	assert.deepEqual(await written(group(["device_type", "desktop"])), [5, 6]);
});

test("the open query, its export, a batch and live figures take a segment of the request too", async () => {
	const params = { site_id: site, segment_filters: JSON.stringify(group(["country", "fr"])) };
	const query = new URLSearchParams(params);
	const body = { date_from: "2026-11-21", date_to: "2026-11-21", metrics: ["entrances"] };
	assert.deepEqual((await send(`/stats/query?${query}`, body)).json().data, [{ entrances: 1 }]);
	assert.equal((await send(`/stats/query/export?${query}`, body)).body, "entrances\r\n1\r\n");
	const batch = await send("/batch", {
		queries: [
			{ id: "open", endpoint: "/stats/query", params: { ...params, ...body } },
			{ id: "list", endpoint: "/stats/geo/countries", params: { ...params, period: "today" } },
		],
	});
	const { open, list } = batch.json().results;
	assert.deepEqual([open.data.data, list.data.total], [[{ entrances: 1 }], 1]);
	assert.equal((await get("live", params)).body.data.now.active_visits, 1);
});

const condition = (more: object) => ({ conditions: [{ field: "path", operator: "regex", value: "(", ...more }] });
const refused: readonly (readonly [filters: unknown, field: string])[] = [
	[[], ""],
	[null, ""],
	[{ conditions: "x" }, ".conditions"],
	[condition({ operator: "in", value: "x" }), ".conditions.0.value"],
	[{ not_groups: [condition({})] }, ".not_groups.0.conditions.0.value"],
	// Only the engine finds this one too large.
	[condition({ value: "((a{100}){100}){100}" }), ".conditions.0.value"],
	[{ ...condition({ field: "os", operator: "eq", value: "é".repeat(999) }), note: "é".repeat(4000) }, ""],
];

test("a segment that cannot be is refused at the place of its fault", async () => {
	for (const [filters, place] of refused) {
		const { status, body } = await get("overview", { segment_filters: JSON.stringify(filters) });
		assert.deepEqual([status, body.error?.detail[0].field], [422, `query.segment_filters${place}`]);
	}
	const unknown = await get("overview", { segment_filters: JSON.stringify(group(google)), segment: "none" });
	assert.equal(unknown.status, 404);
});
