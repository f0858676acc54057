import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { createSite, type Session, signIn } from "../../../../test/support/accounts.ts";
import { sendHits } from "../../../../test/support/hits.ts";
import { type TestApp, testApp } from "../../../../test/support/test-app.ts";

const NOON = "2026-11-21T12:00:00.000Z";

let app: TestApp;
let owner: Session;
/** Each test has a site of its own. */
let site: string;
let visitor = 0;
before(async () => {
	app = await testApp();
	owner = await signIn(app);
});
beforeEach(async () => {
	app.clock.set(NOON);
	site = await createSite(app, owner);
});
after(() => app.close());

async function call(route: string, payload?: object) {
	const { headers } = owner;
	const [method = "GET", path = ""] = route.split(" ");
	const url = `/api/v1/referrer-mappings${path}${path.includes("?") ? "&" : "?"}account_id=${site}`;
	const response = await app.inject({ method: method as "GET", url, headers, ...(payload && { payload }) });
	return { status: response.statusCode, ...(response.body === "" ? {} : response.json()) };
}
const add = async (pattern: string, more: object = {}) =>
	(await call("POST ", { referrer_pattern: pattern, utm_source: "mapped", ...more })).data;
const faults = (answer: { error: { detail: { field: string }[] } }) =>
	answer.error.detail.map(({ field }) => field).sort();

/** Source and medium of an arrival of somebody new. */
async function arrivalFrom(host: string) {
	visitor++;
	app.clock.advance(1000);
	const ip = `198.51.100.${visitor % 250}`;
	await sendHits(app, [{ site, url: `https://shop.example/${visitor}`, referrer: `https://${host}/x`, ip }]);
	const [row] = await app.eventStore.query<{ utm_source: string; utm_medium: string }>({
		sql: "SELECT utm_source, utm_medium FROM events WHERE site = {site:String} AND path = {path:String}",
		params: { site, path: `/${visitor}` },
	});
	return [row?.utm_source, row?.utm_medium];
}

test("a new mapping has its defaults and is answered whole", async () => {
	const created = await call("POST ", { referrer_pattern: " forum.example ", utm_source: "Forum" });
	assert.equal(created.status, 201);
	const mapping = {
		id: created.data.id,
		account_id: site,
		referrer_pattern: "forum.example",
		match_type: "exact",
		utm_source: "Forum",
		utm_medium: "referral",
		utm_campaign: "",
		utm_term: "",
		utm_content: "",
		label: null,
		description: null,
		priority: 0,
		is_active: true,
		created_at: NOON,
		updated_at: NOON,
	};
	assert.equal(Number.isInteger(mapping.id), true);
	assert.deepEqual(created.data, mapping);
	assert.deepEqual((await call(`GET /${mapping.id}`)).data, mapping);
});

test("the list is in the order in which mappings are asked and hides inactive ones unless asked", async () => {
	await add("old.example");
	await add("high.example", { priority: 1000 });
	await add("off.example", { is_active: false, priority: 500 });
	await add("new.example");
	const patterns = (data: { mappings: { referrer_pattern: string }[] }) =>
		data.mappings.map(({ referrer_pattern }) => referrer_pattern);
	const { data: active } = await call("GET ");
	assert.deepEqual(patterns(active), ["high.example", "old.example", "new.example"]);
	assert.deepEqual([active.total, active.active_count], [3, 3]);
	const { data: all } = await call("GET ?include_inactive=true");
	assert.deepEqual(patterns(all), ["high.example", "off.example", "old.example", "new.example"]);
	assert.deepEqual([all.total, all.active_count], [4, 3]);
});

test("a change touches the fields given; null clears label and description and nothing else", async () => {
	const { id } = await add("forum.example", { label: "Forum", description: "Ours", priority: 3 });
	app.clock.advance(60_000);
	const changed = await call(`PATCH /${id}`, { match_type: "contains", label: null, is_active: false });
	assert.equal(changed.status, 200);
	const { match_type, label, description, priority, is_active, updated_at } = changed.data;
	assert.deepEqual(
		[match_type, label, description, priority, is_active, updated_at],
		["contains", null, "Ours", 3, false, "2026-11-21T12:01:00.000Z"],
	);
	const answer = await call(`PATCH /${id}`, { utm_campaign: null });
	assert.deepEqual([answer.status, faults(answer)], [422, ["body.utm_campaign"]]);
	assert.equal((await call(`PATCH /${id}`, {})).status, 200);
});

test("a removed mapping is gone", async () => {
	const { id } = await add("forum.example");
	assert.deepEqual(await call(`DELETE /${id}`), { status: 204 });
	for (const route of [`GET /${id}`, `PATCH /${id}`, `DELETE /${id}`]) {
		const answer = await call(route, route.startsWith("PATCH") ? {} : undefined);
		assert.deepEqual([answer.status, answer.error.code], [404, "not_found"], route);
	}
});

test("each field has its length, type and values", async () => {
	const { id } = await add("forum.example");
	const bad = {
		referrer_pattern: ["", "x".repeat(256), "a\u0000b", 1, null],
		match_type: ["EXACT", "like", "", null],
		utm_source: ["", "x".repeat(256), null],
		utm_medium: ["x".repeat(101)],
		utm_campaign: ["x".repeat(256)],
		utm_term: ["x".repeat(256)],
		utm_content: ["x".repeat(256), 5],
		label: ["x".repeat(101), 1],
		description: ["x".repeat(501)],
		priority: [-1, 1001, 1.5, "5", null],
		is_active: ["true", null],
	};
	for (const [field, values] of Object.entries(bad)) {
		for (const value of values) {
			const created = await call("POST ", { referrer_pattern: "a", utm_source: "x", [field]: value });
			assert.deepEqual([created.status, faults(created)], [422, [`body.${field}`]], `${field} ${value}`);
			const changed = await call(`PATCH /${id}`, { [field]: value });
			assert.deepEqual([changed.status, faults(changed)], [422, [`body.${field}`]], `${field} ${value}`);
		}
	}
	assert.deepEqual(faults(await call("POST ", {})), ["body.referrer_pattern", "body.utm_source"]);
	const answer = await call("GET /x");
	assert.deepEqual([answer.status, faults(answer)], [422, ["path.mapping_id"]]);
});

test("an expression that RE2 does not take answers 422, also when a change makes it one", async () => {
	const created = await call("POST ", { referrer_pattern: "(?=x)", match_type: "regex", utm_source: "x" });
	assert.deepEqual([created.status, faults(created)], [422, ["body.referrer_pattern"]]);
	const { id } = await add("(");
	const changed = await call(`PATCH /${id}`, { match_type: "regex" });
	assert.deepEqual([changed.status, faults(changed)], [422, ["body.referrer_pattern"]]);
	assert.equal((await call(`GET /${id}`)).data.match_type, "exact");
	assert.equal((await call(`PATCH /${id}`, { match_type: "regex", referrer_pattern: "^a" })).status, 200);
});

test("a mapping names the arrivals from its referrer, before the built-in list and from the next hit on", async () => {
	assert.deepEqual(await arrivalFrom("www.google.com"), ["google", "organic"]);
	assert.deepEqual(await arrivalFrom("forum.example"), ["forum.example", "referrer"]);
	await add("google.com", { utm_source: "Search", utm_medium: "own" });
	await add("forum.example", { utm_source: "Forum" });
	assert.deepEqual(await arrivalFrom("www.google.com"), ["Search", "own"]);
	assert.deepEqual(await arrivalFrom("forum.example"), ["Forum", "referral"]);
	assert.deepEqual(await arrivalFrom("a.forum.example"), ["a.forum.example", "referrer"]);
});

test("the highest priority decides, the older one on a tie; switched off it decides nothing", async () => {
	const first = await add("forum", { match_type: "contains", utm_source: "first" });
	const second = await add("forum.example", { utm_source: "second" });
	assert.deepEqual(await arrivalFrom("forum.example"), ["first", "referral"]);
	await call(`PATCH /${second.id}`, { priority: 1 });
	assert.deepEqual(await arrivalFrom("forum.example"), ["second", "referral"]);
	await call(`PATCH /${second.id}`, { is_active: false });
	assert.deepEqual(await arrivalFrom("forum.example"), ["first", "referral"]);
	await call(`DELETE /${first.id}`);
	assert.deepEqual(await arrivalFrom("forum.example"), ["forum.example", "referrer"]);
});

test("a mapping that matches the site's own pages opens no visit", async () => {
	await add("shop.example", { utm_source: "wrong" });
	assert.deepEqual(await arrivalFrom("shop.example"), ["(direct)", "(none)"]);
});

test("texts come back, and are booked, as they were sent", async () => {
	const odd = "'; DROP TABLE events; -- \"\\ {x:String} \u{1f600} é";
	const { id } = await add("forum.example", { utm_source: odd, utm_medium: odd, label: odd, description: odd });
	const { data } = await call(`GET /${id}`);
	assert.deepEqual([data.utm_source, data.label, data.description], [odd, odd, odd]);
	assert.deepEqual(await arrivalFrom("forum.example"), [odd, odd]);
});
