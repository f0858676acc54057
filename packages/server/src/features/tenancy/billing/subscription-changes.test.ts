import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { codeOf } from "../../../../test/support/refusals.ts";
import { growth, sellingEnv, sellingSite } from "../../../../test/support/selling-site.ts";
import { type StripeServer, stripeEvent, stripeSecret, stripeServer } from "../../../../test/support/stripe-server.ts";
import { type TestApp, testApp } from "../../../../test/support/test-app.ts";
import { DAY_MS } from "../../../platform/lib/durations.ts";

describe("subscriptions that change without their owner", () => {
	let app: TestApp;
	let stripe: StripeServer;

	before(async () => {
		stripe = await stripeServer();
		app = await testApp({ env: sellingEnv(stripe, stripeSecret) });
	});
	after(async () => {
		await app.close();
		await stripe.close();
	});

	test("money that does not come for fourteen days ends the plan, and gives it back when it comes", async () => {
		const lea = await sellingSite(app, "Lea");
		await lea.ask("POST /billing/checkout", growth);
		const one = stripe.subscribe({ customer: lea.customer, startsAt: app.clock.now(), status: "past_due" });
		await lea.tell();
		assert.equal(await lea.plan(), "growth");
		app.clock.advance(14 * DAY_MS - 3_600_000);
		await app.jobs.runDue();
		assert.equal(await lea.plan(), "growth");
		app.clock.advance(2 * 3_600_000);
		await app.jobs.runDue();
		assert.equal(await lea.plan(), "free");
		one.status = "active";
		await lea.tell();
		assert.equal(await lea.plan(), "growth");
	});

	test("what no event told of is found within an hour; the subscription of a deleted organization ends", async () => {
		const tim = await sellingSite(app, "Tim");
		await tim.ask("POST /billing/checkout", growth);
		const one = stripe.subscribe({ customer: tim.customer, startsAt: app.clock.now() });
		await tim.tell();
		stripe.reprice(one.id, "price_scale_yearly");
		app.clock.advance(3_600_000);
		await app.jobs.runDue();
		assert.equal(await tim.plan(), "scale");
		await tim.ask("DELETE /organizations/tim", { name: "Tim" });
		app.clock.advance(3_600_000);
		await app.jobs.runDue();
		assert.equal(one.status, "canceled");
	});

	test("a plan that is exceeded twice in a row moves the subscription too", async () => {
		const kim = await sellingSite(app, "Kim");
		await kim.ask("POST /billing/checkout", growth);
		const one = stripe.subscribe({ customer: kim.customer, startsAt: app.clock.now() });
		await kim.tell();
		app.clock.advance(600_000);
		await app.jobs.runDue();
		// The turn of the year brings another forgiveness.
		for (let month = 0; month < 5; month++) {
			await kim.events(new Date(app.clock.now()).toISOString().slice(0, 10), 6_000_000);
			app.clock.advance(32 * DAY_MS);
			stripe.renew(one.id);
			await kim.tell();
			await app.jobs.runDue();
		}
		assert.equal(await kim.plan(), "scale");
		const moved = stripe.asked.find(
			({ route, fields }) => route === `POST /v1/subscriptions/${one.id}` && fields["items[0][price]"] !== undefined,
		);
		assert.equal(moved?.fields["items[0][price]"], "price_scale_monthly");
		const subscription = (await kim.ask("GET /billing/subscription")).body as Record<string, unknown>;
		assert.equal(subscription.plan_tier, "scale");
	});

	test("an event that is not signed, wrongly, or long ago changes nothing", async () => {
		const amy = await sellingSite(app, "Amy");
		await amy.ask("POST /billing/checkout", growth);
		stripe.subscribe({ customer: amy.customer, startsAt: app.clock.now() });
		const event = { id: "evt_forged", type: "customer.subscription.created", customer: amy.customer };
		const now = app.clock.now();
		const good = stripeEvent(event, now);
		const other = stripeEvent({ ...event, id: "evt_foreign", customer: "cus_other" }, now);
		const forged = [
			stripeEvent(event, now, "whsec_another"),
			stripeEvent(event, now - 600_000),
			{ ...good, payload: other.payload },
			{ ...good, payload: `${good.payload} ` },
			{ ...good, headers: { "content-type": "application/json" } },
			{ ...good, headers: { "content-type": "application/json", "stripe-signature": "t=1,v1=00" } },
		];
		const url = "/api/v1/billing/provider-webhook";
		for (const request of forged) {
			const answer = await app.inject({ method: "POST", url, ...request });
			assert.deepEqual(codeOf(answer), [400, "bad_request"]);
		}
		assert.equal(await amy.plan(), "free");
		// Customers of other products are not synced.
		const asked = stripe.asked.length;
		const foreign = await app.inject({ method: "POST", url, ...other });
		assert.deepEqual([foreign.statusCode, foreign.json()], [200, { received: true }]);
		assert.equal(stripe.asked.length, asked);
		assert.equal((await app.inject({ method: "POST", url, ...good })).statusCode, 200);
		assert.equal(await amy.plan(), "growth");
	});

	test("a coupon says what it takes off, for whom, and why it is not valid", async () => {
		const coupon = {
			name: "Spring",
			percent_off: 12.5,
			duration: "repeating",
			duration_in_months: 3,
			valid: true,
			redeem_by: 1_800_000_000,
			applies_to: { products: ["prod_scale"] },
		};
		const promotion = { id: "promo_1", code: "SPRING", active: true, expires_at: null, promotion: { coupon } };
		const flat = { ...coupon, percent_off: null, amount_off: 500 };
		stripe.promotions.push(promotion, { ...promotion, code: "FLAT", promotion: { coupon: flat } });
		const ann = await sellingSite(app);
		const ask = async (body: object) => (await ann.ask("POST /billing/coupons/validate", body)).body;
		assert.deepEqual(await ask({ code: "SPRING", plan_tier: "scale", billing_interval: "yearly" }), {
			valid: true,
			coupon: {
				code: "SPRING",
				name: "Spring",
				description: null,
				discount_type: "percent",
				discount_value: 12.5,
				discount_display: "12.5 %",
				applicable_tiers: ["scale"],
				valid_until: "2027-01-15T08:00:00.000Z",
				duration: "repeating",
				duration_in_months: 3,
			},
			error: null,
			original_price: 1_078_800,
			discounted_price: 943_950,
			savings: 134_850,
		});
		const amount = (await ask({ code: "FLAT", plan_tier: "scale", billing_interval: "yearly" })) as {
			coupon: Record<string, unknown>;
		};
		const { discount_type, discount_value, discount_display } = amount.coupon;
		assert.deepEqual([discount_type, discount_value, discount_display], ["amount", 500, "€5.00"]);
		assert.deepEqual(
			{ ...amount, coupon: null },
			{
				valid: true,
				coupon: null,
				error: null,
				original_price: 1_078_800,
				discounted_price: 1_078_300,
				savings: 500,
			},
		);
		const errors = [
			await ask({ code: "SPRING", plan_tier: "growth", billing_interval: "monthly" }),
			await ask({ code: "NONE" }),
		] as { valid: boolean; error: string }[];
		assert.deepEqual(
			errors.map(({ valid, error }) => [valid, error]),
			[
				[false, "This coupon is not for the plan growth"],
				[false, "This coupon is not known, or has expired"],
			],
		);
	});
});
