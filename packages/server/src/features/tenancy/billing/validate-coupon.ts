import { timestampOrNull } from "../../../platform/lib/timestamp.ts";
import type { PlanTier } from "../organizations/index.ts";
import { priceList } from "./price-list.ts";
import type { Interval, Payments, Promotion } from "./provider/payments.ts";

/** A code, and what it is to be used for. */
export interface CouponWish {
	readonly code: string;
	readonly plan: PlanTier | undefined;
	readonly interval: Interval | undefined;
}

/** Whether a coupon may be used, and what is then to be paid. Only shares of the price are known here. */
export async function validateCoupon(payments: Payments, { code, plan, interval }: CouponWish) {
	const promotion = await payments.promotion(code);
	const percent = promotion?.percentOff ?? null;
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
	if (percent === null) return refused("This coupon takes an amount off; enter it at the checkout");
	const isForPlan = plan === undefined || promotion.tiers === null || promotion.tiers.some((tier) => tier === plan);
	if (!isForPlan) return refused(`This coupon is not for the plan ${plan}`);
	const savings = original === null ? null : Math.round((original * percent) / 100);
	return {
		valid: true,
		coupon: presentCoupon(promotion, percent),
		error: null,
		original_price: original,
		discounted_price: original === null || savings === null ? null : original - savings,
		savings,
	};
}

const priceOf = (plan: PlanTier, interval: Interval): number | null =>
	interval === "monthly" ? priceList[plan].priceMonthly : priceList[plan].priceYearly;

const presentCoupon = (promotion: Promotion, percent: number) => ({
	code: promotion.code,
	name: promotion.name ?? promotion.code,
	description: null,
	discount_type: "percent" as const,
	discount_value: percent,
	discount_display: `${percent} %`,
	applicable_tiers: promotion.tiers === null ? null : [...promotion.tiers],
	valid_until: timestampOrNull(promotion.validUntil),
	duration: promotion.duration,
	duration_in_months: promotion.durationInMonths,
});
