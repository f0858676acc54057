import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { appOnBothEngines } from "../../../../test/support/app-on-both-engines.ts";
import { type SellingSite, sellingEnv, sellingSite } from "../../../../test/support/selling-site.ts";
import { type StripeServer, stripeSecret, stripeServer } from "../../../../test/support/stripe-server.ts";
import type { TestApp } from "../../../../test/support/test-app.ts";

appOnBothEngines("coupons", (open) => {
	let app: TestApp;
	let stripe: StripeServer;
	let ann: SellingSite;

	before(async () => {
		stripe = await stripeServer();
		app = await open({ env: sellingEnv(stripe, stripeSecret) });
		ann = await sellingSite(app);
	});
	after(async () => {
		await app.close();
		await stripe.close();
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
		const errors = [
			await ask({ code: "SPRING", plan_tier: "growth", billing_interval: "monthly" }),
			await ask({ code: "FLAT" }),
			await ask({ code: "NONE" }),
		] as { valid: boolean; error: string }[];
		assert.deepEqual(
			errors.map(({ valid, error }) => [valid, error]),
			[
				[false, "This coupon is not for the plan growth"],
				[false, "This coupon takes an amount off; enter it at the checkout"],
				[false, "This coupon is not known, or has expired"],
			],
		);
	});
});
