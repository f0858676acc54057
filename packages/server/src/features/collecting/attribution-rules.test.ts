import assert from "node:assert/strict";
import { test } from "node:test";
import { createSite } from "../../../test/support/accounts.ts";
import { collectingSite } from "../../../test/support/collecting-site.ts";
import { sendHits } from "../../../test/support/hits.ts";

const NOON = "2026-11-21T12:00:00.000Z";
const odd = "'; DROP TABLE sites; -- \"\\ {x:String} \u{1f600} é";
const long = (characters: number) => "x".repeat(characters);

interface Rules {
	readonly sent: object;
	/** What is stored of it, with the defaults. */
	readonly stored: object;
	readonly changes: readonly object[];
	/** Values that a new rule and a change are refused for, by their field; docs/openapi.json has the bounds of the others. */
	readonly faulty: Readonly<Record<string, readonly unknown[]>>;
}

/** Rules of attribution by their route. */
const resources: Readonly<Record<string, Rules>> = {
	"/channel-groups": {
		sent: { channel_name: ` ${odd} `, source_pattern: "^acme$" },
		stored: {
			...{ channel_name: odd, source_pattern: "^acme$", medium_pattern: null, campaign_pattern: null },
			...{ priority: 50, is_default: false },
		},
		changes: [{ priority: 900, medium_pattern: "cpc", source_pattern: null }, { source_pattern: "^acme$" }],
		faulty: {
			channel_name: ["", "a\u0000b"],
			// A rule needs at least one pattern.
			source_pattern: ["(", "(.{1,500}){2}", " ", null],
			medium_pattern: ["(?=x)"],
			campaign_pattern: ["(a)\\1"],
		},
	},
	"/passthrough-referrers": {
		sent: { domain: "https://www.Pay.Example:8443/checkout?x=1", utm_source: odd },
		stored: {
			...{ domain: "pay.example", utm_source: odd, utm_medium: "passthrough", utm_campaign: "", utm_term: "" },
			service_name: "",
		},
		changes: [
			{ utm_medium: "wallet", is_active: false },
			{ utm_source: long(255), utm_campaign: "é".repeat(255), service_name: long(100) },
		],
		faulty: {
			domain: [
				...["localhost", "com", "www.com", "10.0.0.1", "[::1]", "a b.example", "-a.example", "a..example"],
				...["*.example.com", odd, "<script>.example", "", "x\u0000.example", `${"a.".repeat(150)}com`, 7, null],
			],
			utm_source: ["", long(256)],
		},
	},
	"/referrer-mappings": {
		sent: { referrer_pattern: " ( ", utm_source: odd, label: odd, description: odd },
		stored: {
			...{ referrer_pattern: "(", match_type: "exact", utm_source: odd, utm_medium: "referral", utm_campaign: "" },
			...{ utm_term: "", utm_content: "", label: odd, description: odd, priority: 0 },
		},
		changes: [
			{ description: "Ours", priority: 3 },
			{ match_type: "contains", label: null, is_active: false },
		],
		faulty: { referrer_pattern: ["", "a\u0000b", 1, null], match_type: ["EXACT", ""], priority: [1001, 1.5, "5"] },
	},
};

const here = collectingSite();
const { call, refusal } = here;

for (const [route, { sent, stored, changes, faulty }] of Object.entries(resources)) {
	test(`${route}: a rule is added with its defaults, read, changed in the fields given and removed`, async () => {
		const added = await call(`POST ${route}`, sent);
		const { id } = added.data;
		let rule = { id, account_id: here.site, is_active: true, ...stored, created_at: NOON, updated_at: NOON };
		assert.deepEqual([added.status, added.data], [201, rule]);
		assert.deepEqual((await call(`GET ${route}/${id}`)).data, rule);
		here.app.clock.advance(60_000);
		for (const change of changes) {
			rule = { ...rule, ...change, updated_at: "2026-11-21T12:01:00.000Z" };
			const changed = await call(`PATCH ${route}/${id}`, { ...change, id: 7, account_id: "other" });
			assert.deepEqual([changed.status, changed.data], [200, rule]);
		}
		assert.equal((await call(`PATCH ${route}/${id}`, {})).status, 200);
		assert.deepEqual(await call(`DELETE ${route}/${id}`), { status: 204 });
		for (const method of ["GET", "PATCH", "DELETE"]) {
			const body = method === "PATCH" ? {} : undefined;
			assert.deepEqual(await refusal(`${method} ${route}/${id}`, body), [404, "not_found"], method);
		}
	});

	test(`${route}: a faulty value answers 422 on its field and changes nothing`, async () => {
		const { data: rule } = await call(`POST ${route}`, sent);
		for (const [field, values] of Object.entries(faulty)) {
			for (const value of values) {
				const expected = [422, `body.${field}`];
				const body = { [field]: value };
				assert.deepEqual(await refusal(`POST ${route}`, { ...sent, ...body }), expected, `${field} ${value}`);
				assert.deepEqual(await refusal(`PATCH ${route}/${rule.id}`, body), expected, `${field} ${value}`);
			}
		}
		assert.deepEqual((await call(`GET ${route}/${rule.id}`)).data, rule);
	});
}

const passthrough = async (domain: string, more: object = {}) =>
	(await call("POST /passthrough-referrers", { domain, utm_source: "pay", ...more })).data;
const mapping = async (referrer_pattern: string, more: object = {}) =>
	(await call("POST /referrer-mappings", { referrer_pattern, utm_source: "mapped", ...more })).data;
const changePassthrough = (id: number, body: object) => call(`PATCH /passthrough-referrers/${id}`, body);
const changeMapping = (id: number, body: object) => call(`PATCH /referrer-mappings/${id}`, body);

test("passthrough referrers are listed newest first, mappings in the order in which they are asked; inactive ones on demand", async () => {
	for (const domain of ["one.example", "two.example", "three.example"])
		await passthrough(domain, { is_active: domain !== "two.example" });
	await mapping("old.example");
	await mapping("high.example", { priority: 1000 });
	await mapping("off.example", { is_active: false, priority: 500 });
	await mapping("new.example");
	for (const [request, names, total, active] of [
		["/passthrough-referrers", "three.example one.example", 2, 2],
		["/passthrough-referrers?include_inactive=true", "three.example two.example one.example", 3, 2],
		["/referrer-mappings", "high.example old.example new.example", 3, 3],
		["/referrer-mappings?include_inactive=1", "high.example off.example old.example new.example", 4, 3],
	] as const) {
		const { data } = await call(`GET ${request}`);
		const rows: { domain?: string; referrer_pattern?: string }[] = data.referrers ?? data.mappings;
		const listed = rows.map((row) => row.domain ?? row.referrer_pattern).join(" ");
		assert.deepEqual([listed, data.total, data.active_count], [names, total, active], request);
	}
});

test("a passthrough domain is there once a site, inactive ones included, and a site has at most 200", async () => {
	await passthrough("pay.example", { is_active: false });
	const { id, domain } = await passthrough("Bücher.example");
	assert.equal(domain, "xn--bcher-kva.example");
	const again = { domain: "www.PAY.example/", utm_source: "x" };
	assert.deepEqual(await refusal("POST /passthrough-referrers", again), [409, "duplicate_entry"]);
	assert.equal((await changePassthrough(id, { domain: "pay.example" })).error.code, "duplicate_entry");
	for (let n = 3; n <= 200; n++) assert.equal((await passthrough(`d${n}.example`)).domain, `d${n}.example`);
	const more = { domain: "d201.example", utm_source: "x" };
	assert.deepEqual(await refusal("POST /passthrough-referrers", more), [409, "conflict"]);
	here.site = await createSite(here.app, here.owner);
	assert.equal((await passthrough("pay.example")).domain, "pay.example");
});

test("a pattern of a mapping must be an expression of RE2 where it is matched as one", async () => {
	const lookahead = { referrer_pattern: "(?=x)", match_type: "regex", utm_source: "x" };
	assert.deepEqual(await refusal("POST /referrer-mappings", lookahead), [422, "body.referrer_pattern"]);
	const { id } = await mapping("(?=x)");
	const { status, error } = await changeMapping(id, { match_type: "regex" });
	assert.deepEqual([status, error.detail[0].field], [422, "body.referrer_pattern"]);
	assert.equal((await changeMapping(id, { match_type: "regex", referrer_pattern: "^a" })).status, 200);
});

let visitors = 0;
/** What a page view of somebody new, or of an address, is booked under. */
async function arrival(host: string, { query = "", ip = `198.51.100.${visitors + 1}` } = {}): Promise<string> {
	visitors++;
	await sendHits(here.app, [here.view(`/${visitors}${query}`, { referrer: `https://${host}/x`, ip })]);
	const columns = "path, concat(utm_source, ' / ', utm_medium, ' / ', channel, ' / ', toString(entrance)) AS booked";
	const rows = await here.storedRows(columns);
	return String(rows.find(({ path }) => path === `/${visitors}`)?.["booked"]);
}

test("a return from a passthrough domain continues the visit under its own source, from the next hit on", async () => {
	const back = { ip: "203.0.113.1" };
	await arrival("www.google.com", back);
	assert.equal(await arrival("secure.pay.example", back), "secure.pay.example / referrer / Referral / 1");
	await passthrough("pay.example");
	await arrival("www.google.com", back);
	assert.equal(await arrival("secure.pay.example", back), "google / organic / Organic Search / 0");
});

test("without a running visit the values of the rule with the longest domain are used, those of a campaign before them", async () => {
	await passthrough("pay.example", { utm_source: "outer" });
	const values = { utm_source: "Pay", utm_medium: "wallet", utm_campaign: "checkout", utm_term: "t" };
	await passthrough("secure.pay.example", values);
	await arrival("a.secure.pay.example");
	const [row] = await here.storedRows("utm_source, utm_medium, utm_campaign, utm_term, utm_content, referrer, channel");
	const rest = { utm_content: "", referrer: "a.secure.pay.example", channel: "Unassigned" };
	assert.deepEqual(row, { ...values, ...rest });
	assert.equal(await arrival("pay.example"), "outer / passthrough / Referral / 1");
	assert.match(await arrival("pay.example", { query: "?utm_source=mail" }), /^mail \/ {2}\//);
});

test("a passthrough referrer that is switched off, moved or removed acts no more", async () => {
	const { id } = await passthrough("pay.example", { utm_source: "Pay" });
	await changePassthrough(id, { is_active: false });
	assert.match(await arrival("pay.example"), /^pay\.example/);
	await changePassthrough(id, { is_active: true, domain: "wallet.example" });
	assert.match(await arrival("pay.example"), /^pay\.example/);
	assert.match(await arrival("wallet.example"), /^Pay/);
	await call(`DELETE /passthrough-referrers/${id}`);
	assert.match(await arrival("wallet.example"), /^wallet\.example/);
});

test("a mapping names the arrivals from its referrer as it was sent, before the built-in list and from the next hit on", async () => {
	assert.match(await arrival("www.google.com"), /^google \/ organic/);
	await mapping("google.com", { utm_source: odd, utm_medium: odd });
	assert.equal(await arrival("www.google.com"), `${odd} / ${odd} / Unassigned / 1`);
	assert.match(await arrival("a.google.com"), /^a\.google\.com \/ referrer/);
	// One that matches the site's own pages opens no visit.
	await mapping("shop.example", { utm_source: "wrong" });
	assert.match(await arrival("shop.example"), /^\(direct\) \/ \(none\)/);
});

test("the mapping with the highest priority decides, the older one on a tie; switched off or removed it decides nothing", async () => {
	const first = await mapping("forum", { match_type: "contains", utm_source: "first" });
	const second = await mapping("forum.example", { utm_source: "second" });
	assert.match(await arrival("forum.example"), /^first/);
	await changeMapping(second.id, { priority: 1 });
	assert.match(await arrival("forum.example"), /^second/);
	await changeMapping(second.id, { is_active: false });
	assert.match(await arrival("forum.example"), /^first/);
	await call(`DELETE /referrer-mappings/${first.id}`);
	assert.match(await arrival("forum.example"), /^forum\.example \/ referrer/);
});
