import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { createSite, type Session, signIn } from "../../../../test/support/accounts.ts";
import { sendHits } from "../../../../test/support/hits.ts";
import { type TestApp, testApp } from "../../../../test/support/test-app.ts";

let app: TestApp;
let ann: Session;
let site: string;

/** Two visits from Spain, one of them from a letter, and one from France. */
before(async () => {
	app = await testApp();
	ann = await signIn(app);
	site = await createSite(app, ann);
	const from = (ip: string, path: string, timezone = "Europe/Madrid") => ({
		site,
		ip,
		timezone,
		url: `https://shop.example${path}`,
	});
	await sendHits(app, [
		from("203.0.113.1", "/"),
		from("203.0.113.2", "/offer?utm_source=letter&utm_medium=email"),
		from("203.0.113.3", "/offer", "Europe/Paris"),
	]);
});
after(() => app.close());

const spain = { conditions: [{ field: "country", value: "es" }] };

async function get(route: string, filters: object | string, more = "") {
	const text = typeof filters === "string" ? filters : JSON.stringify(filters);
	const query = new URLSearchParams({ site_id: site, segment_filters: text });
	const response = await app.inject({ url: `/api/v1${route}?${query}${more}`, headers: ann.headers });
	return { status: response.statusCode, body: response.json() };
}

const entrances = async (filters: object, more = "") =>
	(await get("/stats/overview", filters, `&period=today${more}`)).body.data.traffic.entrances;

test("a segment in the request chooses what it would choose if it were saved", async () => {
	assert.equal(await entrances({}), 3);
	assert.equal(await entrances(spain), 2);
	assert.equal(await entrances({ not_groups: [spain] }), 1);
	const offer = { conditions: [{ field: "path", operator: "starts_with", value: "/off" }] };
	assert.equal(await entrances({ groups: [offer, { conditions: [] }], not_groups: [spain] }), 1);
	assert.equal(await entrances({ conditions: [{ field: "hour", operator: "in", value: ["12", "13"] }] }), 3);
});

test("filters and parameters rank over it, and it ranks over the saved segment", async () => {
	assert.equal(await entrances(spain, "&country=FR"), 1);
	assert.equal(await entrances(spain, "&filters=country:eq:FR"), 1);
	assert.equal(await entrances({ groups: [spain] }, "&country=FR"), 0);
	const mobile = { conditions: [{ field: "device_type", value: "desktop" }] };
	assert.equal(await entrances({}, "&segment=mobile"), 0);
	assert.equal(await entrances(mobile, "&segment=mobile"), 3);
	assert.equal((await get("/stats/overview", spain, "&segment=none")).status, 404);
});

test("the open query, its export, a batch and live figures take it too", async () => {
	const text = JSON.stringify(spain);
	const query = new URLSearchParams({ site_id: site, segment_filters: text });
	const body = { date_from: "2026-11-21", date_to: "2026-11-21", metrics: ["entrances"] };
	const send = (path: string, payload: object) =>
		app.inject({ method: "POST", url: `/api/v1${path}`, headers: ann.headers, payload });
	assert.deepEqual((await send(`/stats/query?${query}`, body)).json().data, [{ entrances: 2 }]);
	assert.equal((await send(`/stats/query/export?${query}`, body)).body, "entrances\r\n2\r\n");
	const params = { site_id: site, segment_filters: text };
	const batch = await send("/batch", {
		queries: [
			{ id: "open", endpoint: "/stats/query", params: { ...params, ...body } },
			{ id: "list", endpoint: "/stats/geo/countries", params: { ...params, period: "today" } },
		],
	});
	const { open, list } = batch.json().results;
	assert.deepEqual(open.data.data, [{ entrances: 2 }]);
	assert.deepEqual(list.data.total, 1);
	assert.equal((await get("/stats/live", spain)).body.data.now.active_visits, 2);
});

const refused: readonly (readonly [object | string, string])[] = [
	["[]", "query.segment_filters"],
	["null", "query.segment_filters"],
	[{ conditions: "x" }, "query.segment_filters.conditions"],
	[{ conditions: [{ field: "os", operator: "in", value: "x" }] }, "query.segment_filters.conditions.0.value"],
	[
		{ not_groups: [{ conditions: [{ field: "path", operator: "regex", value: "(" }] }] },
		"query.segment_filters.not_groups.0.conditions.0.value",
	],
	// Only the engine finds this one too large.
	[
		{ conditions: [{ field: "path", operator: "regex", value: "((a{100}){100}){100}" }] },
		"query.segment_filters.conditions.0.value",
	],
	[{ conditions: [{ field: "os", value: "é".repeat(999) }], note: "é".repeat(4000) }, "query.segment_filters"],
];

test("a segment that cannot be is refused at the place of its fault", async () => {
	for (const [filters, field] of refused) {
		const { status, body } = await get("/stats/overview", filters);
		assert.deepEqual([status, body.error?.detail[0].field], [422, field], JSON.stringify(filters));
	}
});
