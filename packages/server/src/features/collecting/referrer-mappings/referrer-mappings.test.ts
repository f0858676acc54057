import assert from "node:assert/strict";
import { test } from "node:test";
import { collectingSite } from "../../../../test/support/collecting-site.ts";
import { sendHits } from "../../../../test/support/hits.ts";

const here = collectingSite();
const call = (request: string, payload?: object) => here.call(request.replace(" ", " /referrer-mappings"), payload);
const refusal = (request: string, payload?: object) =>
	here.refusal(request.replace(" ", " /referrer-mappings"), payload);
const add = async (pattern: string, more: object = {}) =>
	(await call("POST ", { referrer_pattern: pattern, utm_source: "mapped", ...more })).data;

let visitor = 0;
/** Source and medium of an arrival of somebody new. */
async function arrivalFrom(host: string) {
	visitor++;
	const ip = `198.51.100.${visitor}`;
	await sendHits(here.app, [here.view(`/${visitor}`, { referrer: `https://${host}/x`, ip })]);
	const rows = await here.storedRows("path, utm_source, utm_medium");
	const row = rows.find(({ path }) => path === `/${visitor}`);
	return [row?.["utm_source"], row?.["utm_medium"]];
}

test("a mapping is added with its defaults, read, changed in the fields given and removed", async () => {
	const created = await call("POST ", { referrer_pattern: " forum.example ", utm_source: "Forum" });
	const { id } = created.data;
	const mapping = {
		...{ id, account_id: here.site, referrer_pattern: "forum.example", match_type: "exact", utm_source: "Forum" },
		...{ utm_medium: "referral", utm_campaign: "", utm_term: "", utm_content: "", label: null, description: null },
		...{ priority: 0, is_active: true },
		...{ created_at: "2026-11-21T12:00:00.000Z", updated_at: "2026-11-21T12:00:00.000Z" },
	};
	assert.deepEqual([created.status, created.data], [201, mapping]);
	assert.deepEqual((await call(`GET /${id}`)).data, mapping);
	here.app.clock.advance(60_000);
	const labels = { label: "Forum", description: "Ours", priority: 3 };
	const updated_at = "2026-11-21T12:01:00.000Z";
	assert.deepEqual((await call(`PATCH /${id}`, labels)).data, { ...mapping, ...labels, updated_at });
	const changes = { match_type: "contains", label: null, is_active: false };
	assert.deepEqual((await call(`PATCH /${id}`, changes)).data, { ...mapping, ...labels, ...changes, updated_at });
	assert.equal((await call(`PATCH /${id}`, {})).status, 200);
	assert.deepEqual(await call(`DELETE /${id}`), { status: 204 });
	for (const route of [`GET /${id}`, `PATCH /${id}`, `DELETE /${id}`]) {
		assert.deepEqual(await refusal(route, route.startsWith("PATCH") ? {} : undefined), [404, "not_found"], route);
	}
});

test("the list is in the order in which mappings are asked and hides inactive ones unless asked", async () => {
	await add("old.example");
	await add("high.example", { priority: 1000 });
	await add("off.example", { is_active: false, priority: 500 });
	await add("new.example");
	const listed = async (query: string) => {
		const { mappings, total, active_count } = (await call(`GET ${query}`)).data;
		const patterns = mappings.map(({ referrer_pattern }: { referrer_pattern: string }) => referrer_pattern);
		return [patterns.join(" "), total, active_count];
	};
	assert.deepEqual(await listed(""), ["high.example old.example new.example", 3, 3]);
	assert.deepEqual(await listed("?include_inactive=1"), ["high.example off.example old.example new.example", 4, 3]);
});

test("what is too long, of another type or no expression of RE2 answers 422 on its field and changes nothing", async () => {
	const { id } = await add("(");
	const faulty = {
		referrer_pattern: ["", "x".repeat(256), "a\u0000b", 1, null],
		match_type: ["EXACT", "like", "", null],
		utm_source: ["", "x".repeat(256), null],
		utm_medium: ["x".repeat(101)],
		utm_campaign: ["x".repeat(256), null],
		utm_term: ["x".repeat(256)],
		utm_content: ["x".repeat(256), 5],
		label: ["x".repeat(101), 1],
		description: ["x".repeat(501)],
		priority: [-1, 1001, 1.5, "5", null],
		is_active: ["true", null],
	};
	for (const [field, values] of Object.entries(faulty)) {
		for (const value of values) {
			const created = { referrer_pattern: "a", utm_source: "x", [field]: value };
			assert.deepEqual(await refusal("POST ", created), [422, `body.${field}`], `${field} ${value}`);
			assert.deepEqual(await refusal(`PATCH /${id}`, { [field]: value }), [422, `body.${field}`], `${field} ${value}`);
		}
	}
	assert.deepEqual(await refusal("POST ", {}), [422, "body.referrer_pattern", "body.utm_source"]);
	assert.deepEqual(await refusal("GET /x"), [422, "path.mapping_id"]);
	const pattern = [422, "body.referrer_pattern"];
	const lookahead = { referrer_pattern: "(?=x)", match_type: "regex", utm_source: "x" };
	assert.deepEqual(await refusal("POST ", lookahead), pattern);
	assert.deepEqual(await refusal(`PATCH /${id}`, { match_type: "regex" }), pattern);
	assert.equal((await call(`GET /${id}`)).data.match_type, "exact");
	assert.equal((await call(`PATCH /${id}`, { match_type: "regex", referrer_pattern: "^a" })).status, 200);
});

test("a mapping names the arrivals from its referrer, before the built-in list and from the next hit on", async () => {
	assert.deepEqual(await arrivalFrom("www.google.com"), ["google", "organic"]);
	await add("google.com", { utm_source: "Search", utm_medium: "own" });
	assert.deepEqual(await arrivalFrom("www.google.com"), ["Search", "own"]);
	assert.deepEqual(await arrivalFrom("a.google.com"), ["a.google.com", "referrer"]);
	// One that matches the site's own pages opens no visit.
	await add("shop.example", { utm_source: "wrong" });
	assert.deepEqual(await arrivalFrom("shop.example"), ["(direct)", "(none)"]);
});

test("the highest priority decides, the older one on a tie; switched off or removed it decides nothing", async () => {
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

test("texts come back, and are booked, as they were sent", async () => {
	const odd = "'; DROP TABLE events; -- \"\\ {x:String} \u{1f600} é";
	const { id } = await add("forum.example", { utm_source: odd, utm_medium: odd, label: odd, description: odd });
	const { data } = await call(`GET /${id}`);
	assert.deepEqual([data.utm_source, data.label, data.description], [odd, odd, odd]);
	assert.deepEqual(await arrivalFrom("forum.example"), [odd, odd]);
});
