import assert from "node:assert/strict";
import { test } from "node:test";
import { createSite } from "../../../../test/support/accounts.ts";
import { collectingSite } from "../../../../test/support/collecting-site.ts";
import { sendHits, type TestHit } from "../../../../test/support/hits.ts";

const here = collectingSite();
const call = (request: string, payload?: object) => here.call(request.replace(" ", " /passthrough-referrers"), payload);
const refusal = (request: string, payload?: object) =>
	here.refusal(request.replace(" ", " /passthrough-referrers"), payload);
const add = async (domain: string, more: object = {}) =>
	(await call("POST ", { domain, utm_source: "pay", ...more })).data;

test("a referrer is added with its defaults, read, changed in the fields given and removed", async () => {
	const odd = "'; DROP TABLE sites; -- \"\\ {x:String} \u{1f600} é";
	const created = await call("POST ", { domain: "https://www.Pay.Example:8443/checkout?x=1", utm_source: odd });
	const { id } = created.data;
	const times = { created_at: "2026-11-21T12:00:00.000Z", updated_at: "2026-11-21T12:00:00.000Z" };
	const texts = { utm_source: odd, utm_medium: "passthrough", utm_campaign: "", utm_term: "", service_name: "" };
	const referrer = { id, account_id: here.site, domain: "pay.example", ...texts, is_active: true, ...times };
	assert.deepEqual([created.status, created.data], [201, referrer]);
	assert.deepEqual((await call(`GET /${id}`)).data, referrer);
	here.app.clock.advance(60_000);
	const changed = await call(`PATCH /${id}`, { utm_medium: "wallet", is_active: false, id: 7, account_id: "other" });
	const changes = { utm_medium: "wallet", is_active: false, updated_at: "2026-11-21T12:01:00.000Z" };
	assert.deepEqual([changed.status, changed.data], [200, { ...referrer, ...changes }]);
	assert.deepEqual(await call(`DELETE /${id}`), { status: 204 });
	for (const route of [`GET /${id}`, `PATCH /${id}`, `DELETE /${id}`]) {
		assert.deepEqual(await refusal(route, route.startsWith("PATCH") ? {} : undefined), [404, "not_found"], route);
	}
});

test("the list is newest first and hides inactive ones unless asked", async () => {
	for (const [domain, is_active] of Object.entries({
		"one.example": true,
		"two.example": false,
		"three.example": true,
	}))
		await add(domain, { is_active });
	const listed = async (query: string) => {
		const { referrers, total, active_count } = (await call(`GET ${query}`)).data;
		return [referrers.map(({ domain }: { domain: string }) => domain), total, active_count];
	};
	assert.deepEqual(await listed(""), [["three.example", "one.example"], 2, 2]);
	assert.deepEqual(await listed("?include_inactive=true"), [["three.example", "two.example", "one.example"], 3, 2]);
});

test("a domain is there once a site, inactive ones included, and a site has at most 200", async () => {
	await add("pay.example", { is_active: false });
	const { id } = await add("other.example");
	assert.deepEqual(await refusal("POST ", { domain: "www.PAY.example/", utm_source: "x" }), [409, "duplicate_entry"]);
	assert.deepEqual(await refusal(`PATCH /${id}`, { domain: "pay.example" }), [409, "duplicate_entry"]);
	for (let n = 3; n <= 200; n++) assert.equal((await add(`d${n}.example`)).domain, `d${n}.example`);
	assert.deepEqual(await refusal("POST ", { domain: "d201.example", utm_source: "x" }), [409, "conflict"]);
	here.site = await createSite(here.app, here.owner);
	assert.equal((await add("pay.example")).domain, "pay.example");
});

const faulty: Readonly<Record<string, readonly unknown[]>> = {
	domain: [
		...["localhost", "com", "www.com", "10.0.0.1", "[::1]", "a b.example", "-a.example", "a..example", "*.example.com"],
		...["'; DROP TABLE passthrough_referrers; --", "<script>.example", "", "x\u0000.example", `${"a.".repeat(150)}com`],
		...[7, null],
	],
	utm_source: ["", "x".repeat(256), 1, null],
	utm_medium: ["x".repeat(101), null],
	utm_campaign: ["x".repeat(256), null],
	utm_term: ["x".repeat(256), true],
	service_name: ["x".repeat(101), null],
	is_active: ["yes", null, 1],
};

test("what is no domain name, too long or of another type answers 422 on its field", async () => {
	const { id } = await add("pay.example");
	for (const [field, values] of Object.entries(faulty)) {
		for (const value of values) {
			const expected = [422, `body.${field}`];
			const created = { domain: "new.example", utm_source: "x", [field]: value };
			assert.deepEqual(await refusal("POST ", created), expected, `${field} ${value}`);
			assert.deepEqual(await refusal(`PATCH /${id}`, { [field]: value }), expected, `${field} ${value}`);
		}
	}
	assert.deepEqual(await refusal("POST ", {}), [422, "body.domain", "body.utm_source"]);
	for (const wrong of ["0", "x", "1.5", "99999999999"])
		assert.deepEqual(await refusal(`GET /${wrong}`), [422, "path.referrer_id"], wrong);
	const longest = { utm_source: "x".repeat(255), utm_campaign: "é".repeat(255), service_name: "x".repeat(100) };
	assert.equal((await add("Bücher.example", longest)).domain, "xn--bcher-kva.example");
});

/** What every page view was booked under, in the order of the hits. */
async function attributionOf(hits: readonly Partial<TestHit>[]) {
	for (const hit of hits) {
		await sendHits(here.app, [here.view("/", hit)]);
		here.app.clock.advance(1000);
	}
	return here.query(`SELECT utm_source, utm_medium, utm_campaign, utm_term, utm_content, referrer, channel, entrance
		FROM events WHERE site = {site:String} AND kind = 'pageview' ORDER BY ts`);
}
const sourceOf = async (host: string, more: Partial<TestHit> = {}) => {
	const row = (await attributionOf([{ referrer: `https://${host}/`, ...more }])).at(-1);
	return [row?.["utm_source"], row?.["utm_medium"], row?.["channel"]].join(" / ");
};

test("a return from a passthrough domain continues the visit under its own source, from the next hit on", async () => {
	const visit = [
		{ referrer: "https://www.google.com/" },
		{ url: "https://shop.example/thanks", referrer: "https://secure.pay.example/done" },
	];
	const before = await attributionOf(visit);
	await add("pay.example");
	here.app.clock.advance(3_600_000);
	const after = (await attributionOf(visit)).slice(2);
	assert.deepEqual(
		[...before, ...after].map(({ utm_source, utm_medium, entrance }) => [utm_source, utm_medium, entrance].join(" ")),
		["google organic 1", "secure.pay.example referrer 1", "google organic 1", "google organic 0"],
	);
});

test("without a running visit the rule's values are used, those of the longest domain; campaign values win", async () => {
	await add("pay.example", { utm_source: "outer" });
	const values = { utm_source: "Pay", utm_medium: "wallet", utm_campaign: "checkout", utm_term: "t" };
	await add("secure.pay.example", values);
	const [row] = await attributionOf([{ referrer: "https://a.secure.pay.example/" }]);
	const rest = { utm_content: "", referrer: "a.secure.pay.example", channel: "Unassigned", entrance: 1 };
	assert.deepEqual(row, { ...values, ...rest });
	assert.equal(await sourceOf("pay.example", { ip: "203.0.113.9" }), "outer / passthrough / Referral");
	const campaign = { url: "https://shop.example/?utm_source=mail", ip: "203.0.113.10" };
	assert.match(await sourceOf("pay.example", campaign), /^mail \/ {2}\//);
});

test("a rule that is switched off, moved or removed acts no more", async () => {
	const { id } = await add("pay.example", { utm_source: "Pay" });
	await call(`PATCH /${id}`, { is_active: false });
	assert.match(await sourceOf("pay.example", { ip: "203.0.113.1" }), /^pay\.example/);
	await call(`PATCH /${id}`, { is_active: true, domain: "wallet.example" });
	assert.match(await sourceOf("pay.example", { ip: "203.0.113.2" }), /^pay\.example/);
	assert.match(await sourceOf("wallet.example", { ip: "203.0.113.3" }), /^Pay/);
	await call(`DELETE /${id}`);
	assert.match(await sourceOf("wallet.example", { ip: "203.0.113.4" }), /^wallet\.example/);
});
