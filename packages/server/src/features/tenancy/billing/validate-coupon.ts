import type { Static } from "typebox";
import { timestampOrNull } from "../../../platform/lib/timestamp.ts";
import type { PlanTier } from "../organizations/index.ts";
import { priceList } from "./price-list.ts";
import type { Interval, Payments, Promotion } from "./provider/payments.ts";
import type { CouponBody } from "./schemas.ts";

/** Whether a coupon may be used, and what is then to be paid. */
export async function validateCoupon(
	payments: Payments,
	{ code, plan_tier: plan, billing_interval: interval }: Static<typeof CouponBody>,
) {
	const promotion = await payments.promotion(code);
	const original = plan === undefined || interval === undefined ? null : priceOf(plan, interval);
	const refused = (error: string) => ({
		valid: false,
		coupon: null,
		error,
		original_price: original,
		discounted_price: null,
		savings: null,
	});
	if (promotion === undefined) return refused("This coupon is not known, or has expired");
	const isForPlan = plan === undefined || promotion.tiers === null || promotion.tiers.some((tier) => tier === plan);
	if (!isForPlan) return refused(`This coupon is not for the plan ${plan}`);
	const savings = original === null ? null : savingsOf(promotion, original);
	return {
		valid: true,
		coupon: presentCoupon(promotion),
		error: null,
		original_price: original,
		discounted_price: original === null || savings === null ? null : original - savings,
		savings,
	};
}

const priceOf = (plan: PlanTier, interval: Interval): number | null =>
	interval === "monthly" ? priceList[plan].priceMonthly : priceList[plan].priceYearly;

const savingsOf = ({ percentOff, amountOff }: Promotion, price: number): number =>
	percentOff === null ? Math.min(amountOff ?? 0, price) : Math.round((price * percentOff) / 100);

function discountOf({ percentOff, amountOff }: Promotion) {
	if (percentOff !== null)
		return { discount_type: "percent" as const, discount_value: percentOff, discount_display: `${percentOff} %` };
	const cents = amountOff ?? 0;
	return { discount_type: "amount" as const, discount_value: cents, discount_display: `€${(cents / 100).toFixed(2)}` };
}

const presentCoupon = (promotion: Promotion) => ({
	code: promotion.code,
	name: promotion.name ?? promotion.code,
	description: null,
	...discountOf(promotion),
	applicable_tiers: promotion.tiers === null ? null : [...promotion.tiers],
	valid_until: timestampOrNull(promotion.validUntil),
	duration: promotion.duration,
	duration_in_months: promotion.durationInMonths,
});
