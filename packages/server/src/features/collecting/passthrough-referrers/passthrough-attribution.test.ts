import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { createSite, type Session, signIn } from "../../../../test/support/accounts.ts";
import { sendHits, type TestHit } from "../../../../test/support/hits.ts";
import { type TestApp, testApp } from "../../../../test/support/test-app.ts";

let app: TestApp;
let owner: Session;
/** Each test has a site of its own. */
let site: string;
before(async () => {
	app = await testApp();
	owner = await signIn(app);
});
beforeEach(async () => {
	app.clock.set("2026-11-21T12:00:00.000Z");
	site = await createSite(app, owner);
});
after(() => app.close());

async function call(route: string, payload?: object) {
	const [method = "GET", path = ""] = route.split(" ");
	const url = `/api/v1/passthrough-referrers${path}?account_id=${site}`;
	const { headers } = owner;
	const response = await app.inject({ method: method as "GET", url, headers, ...(payload && { payload }) });
	assert.ok(response.statusCode < 300, response.body);
	return response.body === "" ? undefined : response.json().data;
}
const add = (domain: string, more: object = {}) => call("POST ", { domain, utm_source: "pay", ...more });

/** Source and medium of every page view, in the order of the hits. */
async function attributionOf(hits: readonly Partial<TestHit>[]) {
	for (const hit of hits) {
		await sendHits(app, [{ site, url: "https://shop.example/", ...hit }]);
		app.clock.advance(1000);
	}
	return app.eventStore.query<Record<string, unknown>>({
		sql: `SELECT utm_source, utm_medium, utm_campaign, utm_term, utm_content, referrer, channel, entrance
				FROM events WHERE site = {site:String} AND kind = 'pageview' ORDER BY ts`,
		params: { site },
	});
}

test("a return from a passthrough domain continues the visit under its own source, from the next hit on", async () => {
	const visit = [
		{ referrer: "https://www.google.com/" },
		{ url: "https://shop.example/thanks", referrer: "https://secure.pay.example/done" },
	];
	const before = await attributionOf(visit);
	assert.deepEqual(
		before.map(({ utm_source, entrance }) => [utm_source, entrance]),
		[
			["google", 1],
			["secure.pay.example", 1],
		],
	);
	await add("pay.example");
	app.clock.advance(3_600_000);
	const after = (await attributionOf(visit)).slice(2);
	assert.deepEqual(
		after.map(({ utm_source, utm_medium, entrance }) => [utm_source, utm_medium, entrance]),
		[
			["google", "organic", 1],
			["google", "organic", 0],
		],
	);
});

test("without a running visit the rule's values are used, those of the longest domain", async () => {
	await add("pay.example", { utm_source: "outer" });
	await add("secure.pay.example", {
		utm_source: "Pay",
		utm_medium: "wallet",
		utm_campaign: "checkout",
		utm_term: "t",
	});
	const [row] = await attributionOf([{ referrer: "https://a.secure.pay.example/" }]);
	assert.deepEqual(row, {
		utm_source: "Pay",
		utm_medium: "wallet",
		utm_campaign: "checkout",
		utm_term: "t",
		utm_content: "",
		referrer: "a.secure.pay.example",
		channel: "Unassigned",
		entrance: 1,
	});
	const [, outer] = await attributionOf([{ referrer: "https://pay.example/", ip: "203.0.113.9" }]);
	assert.deepEqual(
		[outer?.["utm_source"], outer?.["utm_medium"], outer?.["channel"]],
		["outer", "passthrough", "Referral"],
	);
});

test("a rule that is switched off or removed acts no more", async () => {
	const { id } = await add("pay.example", { utm_source: "Pay" });
	await call(`PATCH /${id}`, { is_active: false });
	const [off] = await attributionOf([{ referrer: "https://pay.example/" }]);
	assert.equal(off?.["utm_source"], "pay.example");
	await call(`PATCH /${id}`, { is_active: true, domain: "wallet.example" });
	const [, , moved] = await attributionOf([
		{ referrer: "https://pay.example/", ip: "203.0.113.2" },
		{ referrer: "https://wallet.example/", ip: "203.0.113.3" },
	]);
	assert.equal(moved?.["utm_source"], "Pay");
	await call(`DELETE /${id}`);
	const rows = await attributionOf([{ referrer: "https://wallet.example/", ip: "203.0.113.4" }]);
	assert.equal(rows.at(-1)?.["utm_source"], "wallet.example");
});

test("campaign values in the address win over the rule", async () => {
	await add("pay.example", { utm_source: "Pay" });
	const [row] = await attributionOf([
		{ url: "https://shop.example/?utm_source=mail", referrer: "https://pay.example/" },
	]);
	assert.deepEqual([row?.["utm_source"], row?.["utm_medium"]], ["mail", ""]);
});
