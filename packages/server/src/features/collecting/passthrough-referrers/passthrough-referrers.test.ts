import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { createSite, type Session, signIn } from "../../../../test/support/accounts.ts";
import { type TestApp, testApp } from "../../../../test/support/test-app.ts";

const NOON = "2026-11-21T12:00:00.000Z";

let app: TestApp;
let owner: Session;
/** Each test has a site of its own. */
let site: string;
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
	const url = `/api/v1/passthrough-referrers${path}${path.includes("?") ? "&" : "?"}account_id=${site}`;
	const response = await app.inject({ method: method as "GET", url, headers, ...(payload && { payload }) });
	return { status: response.statusCode, ...(response.body === "" ? {} : response.json()) };
}
const add = async (domain: string, more: object = {}) =>
	(await call("POST ", { domain, utm_source: "pay", ...more })).data;
const faults = (answer: { error: { detail: { field: string }[] } }) =>
	answer.error.detail.map(({ field }) => field).sort();

test("a new referrer has its defaults and is answered whole", async () => {
	const odd = "'; DROP TABLE sites; -- \"\\ {x:String} \u{1f600} é";
	const created = await call("POST ", { domain: "https://www.Pay.Example:8443/checkout?x=1", utm_source: odd });
	assert.equal(created.status, 201);
	assert.equal(created.success, true);
	const referrer = {
		id: created.data.id,
		account_id: site,
		domain: "pay.example",
		utm_source: odd,
		utm_medium: "passthrough",
		utm_campaign: "",
		utm_term: "",
		service_name: "",
		is_active: true,
		created_at: NOON,
		updated_at: NOON,
	};
	assert.equal(Number.isInteger(referrer.id), true);
	assert.deepEqual(created.data, referrer);
	assert.deepEqual((await call(`GET /${referrer.id}`)).data, referrer);
});

test("the list is newest first and hides inactive ones unless asked", async () => {
	await add("one.example");
	await add("two.example", { is_active: false });
	await add("three.example");
	const domains = (data: { referrers: { domain: string }[] }) => data.referrers.map(({ domain }) => domain);
	const { data: active } = await call("GET ");
	assert.deepEqual([domains(active), active.total, active.active_count], [["three.example", "one.example"], 2, 2]);
	const { data: all } = await call("GET ?include_inactive=true");
	assert.deepEqual(
		[domains(all), all.total, all.active_count],
		[["three.example", "two.example", "one.example"], 3, 2],
	);
});

test("a change touches the fields given and no other", async () => {
	const { id } = await add("pay.example", { service_name: "Pay" });
	app.clock.advance(60_000);
	const changes = { utm_medium: "wallet", is_active: false, id: 7, account_id: "other" };
	const { status, data } = await call(`PATCH /${id}`, changes);
	assert.equal(status, 200);
	assert.deepEqual(data, {
		id,
		account_id: site,
		domain: "pay.example",
		utm_source: "pay",
		utm_medium: "wallet",
		utm_campaign: "",
		utm_term: "",
		service_name: "Pay",
		is_active: false,
		created_at: NOON,
		updated_at: "2026-11-21T12:01:00.000Z",
	});
	const cleared = await call(`PATCH /${id}`, { service_name: "", domain: "WWW.PAY.EXAMPLE" });
	assert.deepEqual([cleared.status, cleared.data.service_name, cleared.data.domain], [200, "", "pay.example"]);
});

test("a removed referrer is gone", async () => {
	const { id } = await add("pay.example");
	assert.deepEqual(await call(`DELETE /${id}`), { status: 204 });
	for (const route of [`GET /${id}`, `PATCH /${id}`, `DELETE /${id}`]) {
		const answer = await call(route, route.startsWith("PATCH") ? {} : undefined);
		assert.deepEqual([answer.status, answer.error.code], [404, "not_found"], route);
	}
	assert.equal((await add("pay.example")).domain, "pay.example");
});

test("a domain is there once a site, inactive ones included", async () => {
	await add("pay.example", { is_active: false });
	const { id } = await add("other.example");
	const again = await call("POST ", { domain: "www.PAY.example/", utm_source: "x" });
	assert.deepEqual([again.status, again.error.code], [409, "duplicate_entry"]);
	const renamed = await call(`PATCH /${id}`, { domain: "pay.example" });
	assert.deepEqual([renamed.status, renamed.error.code], [409, "duplicate_entry"]);
	site = await createSite(app, owner);
	assert.equal((await call("POST ", { domain: "pay.example", utm_source: "x" })).status, 201);
});

test("a site has at most 200", async () => {
	for (let n = 1; n <= 200; n++) assert.equal((await add(`d${n}.example`)).domain, `d${n}.example`);
	const answer = await call("POST ", { domain: "d201.example", utm_source: "x" });
	assert.deepEqual([answer.status, answer.error.code], [409, "conflict"]);
	assert.equal((await call("GET ?include_inactive=1")).data.total, 200);
});

test("what is no domain name answers 422 on it", async () => {
	const { id } = await add("pay.example");
	const bad = [
		"localhost",
		"com",
		"www.com",
		"10.0.0.1",
		"[::1]",
		"a b.example",
		"-a.example",
		"a..example",
		"'; DROP TABLE passthrough_referrers; --",
		"<script>.example",
		"*.example.com",
		"",
		"x\u0000.example",
		`${"a.".repeat(150)}com`,
		7,
		null,
	];
	for (const domain of bad) {
		const created = await call("POST ", { domain, utm_source: "x" });
		assert.deepEqual([created.status, faults(created)], [422, ["body.domain"]], String(domain));
		const changed = await call(`PATCH /${id}`, { domain });
		assert.deepEqual([changed.status, faults(changed)], [422, ["body.domain"]], String(domain));
	}
	const unicode = await add("Bücher.example");
	assert.equal(unicode.domain, "xn--bcher-kva.example");
});

test("each field has its length and type", async () => {
	const { id } = await add("pay.example");
	const bad = {
		utm_source: ["", "x".repeat(256), 1, null],
		utm_medium: ["x".repeat(101), null],
		utm_campaign: ["x".repeat(256), null],
		utm_term: ["x".repeat(256), true],
		service_name: ["x".repeat(101), null],
		is_active: ["yes", null, 1],
	};
	for (const [field, values] of Object.entries(bad)) {
		for (const value of values) {
			const created = await call("POST ", { domain: "new.example", utm_source: "x", [field]: value });
			assert.deepEqual([created.status, faults(created)], [422, [`body.${field}`]], `${field} ${value}`);
			const changed = await call(`PATCH /${id}`, { [field]: value });
			assert.deepEqual([changed.status, faults(changed)], [422, [`body.${field}`]], `${field} ${value}`);
		}
	}
	assert.deepEqual(faults(await call("POST ", {})), ["body.domain", "body.utm_source"]);
	const longest = await call("POST ", {
		domain: "long.example",
		utm_source: "x".repeat(255),
		utm_medium: "x".repeat(100),
		utm_campaign: "é".repeat(255),
		service_name: "x".repeat(100),
	});
	assert.equal(longest.status, 201);
	for (const bad of ["0", "x", "1.5", "99999999999"]) {
		const answer = await call(`GET /${bad}`);
		assert.deepEqual([answer.status, faults(answer)], [422, ["path.referrer_id"]], bad);
	}
});
