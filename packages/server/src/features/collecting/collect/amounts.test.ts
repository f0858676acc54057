import assert from "node:assert/strict";
import { test } from "node:test";
import { createSite, signIn } from "../../../../test/support/accounts.ts";
import { collectingSite } from "../../../../test/support/collecting-site.ts";
import { sendHits, type TestHit } from "../../../../test/support/hits.ts";
import { testApp } from "../../../../test/support/test-app.ts";

const here = collectingSite();

const buy = (amount: number | string, more: Partial<TestHit> = {}) =>
	here.view("/done", { event: "order", amount, ...more });

async function sold() {
	const url = `/api/v1/stats/overview?site_id=${here.site}&period=today`;
	const { conversions } = (await here.app.inject({ url, headers: here.owner.headers })).json().data;
	return [conversions.conversions, conversions.revenue];
}

async function refused() {
	const url = `/api/v1/sites/${here.site}/pixel/rejections`;
	return (await here.app.inject({ url, headers: here.owner.headers })).json().data.reasons;
}

test("an amount counts as a number and as its text", async () => {
	const amounts = [59.9, "59.90", " 10 ", "-0.5", ".25", "+1.", "123456789.000001", 0.1 + 0.2, "0", "", " "];
	await sendHits(
		here.app,
		amounts.map((amount) => buy(amount)),
	);
	assert.deepEqual(await sold(), [11, 123456919.85]);
	assert.deepEqual(await refused(), []);
});

test("what is no number, has more than fifteen digits or is larger than amounts may be is refused, and moves no revenue", async () => {
	const texts = ["59,90", "€5", "5 EUR", "1e3", ".", "0x10", "Infinity", "--1", "1234567890.123456", "1".repeat(9000)];
	const numbers = [1_000_000_000.01, -1_000_000_000.01, -99_999_999_999_999, 1e300];
	await sendHits(here.app, [
		buy(20),
		...[...texts, ...numbers].map((amount) => buy(amount)),
		buy(1_000_000_000),
		buy("-1000000000"),
	]);
	assert.deepEqual(await sold(), [3, 20]);
	const count = texts.length + numbers.length;
	assert.deepEqual(await refused(), [
		{ reason: "invalid_amount", count, origins: [{ origin: "https://shop.example", count }] },
	]);
});

test("an amount in another currency than the site's is refused, whether the hit says so or its property", async () => {
	await sendHits(here.app, [
		buy(1, { currency: "USD" }),
		buy(2, { properties: { currency: "usd" } }),
		buy(3, { currency: " chf ", properties: { currency: "EUR" } }),
		buy(4, { currency: "€", properties: { currency: "USD" } }),
		buy(10, { currency: "eur" }),
		buy(20, { properties: { currency: " EUR " } }),
		buy(40, { currency: "EUR", properties: { currency: "USD" } }),
		// No code of a currency, and no amount.
		buy(80, { properties: { currency: "points" } }),
		buy(160, { currency: "€", properties: { currency: 5 } }),
		buy(0, { currency: "USD" }),
		here.view("/", { event: "like", isMicro: true, amount: "much", properties: { currency: "USD" } }),
	]);
	assert.deepEqual(await sold(), [6, 310]);
	assert.deepEqual(await refused(), [
		{ reason: "other_currency", count: 4, origins: [{ origin: "https://shop.example", count: 4 }] },
	]);
});

test("a change of the site's currency is that of the next hit's", async () => {
	await here.app.inject({
		method: "PATCH",
		url: `/api/v1/sites/${here.site}`,
		headers: here.owner.headers,
		payload: { currency: "usd" },
	});
	await sendHits(here.app, [buy(5, { currency: "USD" }), buy(7, { currency: "EUR" })]);
	assert.deepEqual(await sold(), [1, 5]);
});

test("the operator says how large an amount may be", async () => {
	const app = await testApp({ env: { MAX_AMOUNT: "100" } });
	const owner = await signIn(app);
	const site = await createSite(app, owner);
	const order = (amount: number) => ({ site, url: "https://shop.example/", event: "order", amount });
	await sendHits(app, [order(100), order(-100), order(100.0001), order(99)]);
	const url = `/api/v1/stats/overview?site_id=${site}&period=today`;
	const { conversions } = (await app.inject({ url, headers: owner.headers })).json().data;
	assert.deepEqual([conversions.conversions, conversions.revenue], [3, 99]);
	await app.close();
});
