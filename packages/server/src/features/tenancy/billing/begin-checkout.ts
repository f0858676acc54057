import type { Static } from "typebox";
import { ServiceError } from "../../../platform/errors/service-error.ts";
import { timestampOrNull } from "../../../platform/lib/timestamp.ts";
import { lockOrganization, type OrganizationRow, type PlanTier } from "../organizations/index.ts";
import type { SellingDeps } from "./deps.ts";
import { priceList, TRIAL_DAYS } from "./price-list.ts";
import type { Interval, PaidTier, Payments, Promotion } from "./provider/payments.ts";
import type { CheckoutBody, CouponBody } from "./schemas.ts";
import { changeAccount, findAccount, insertHistory, liveOne, subscriptionsOf } from "./store.ts";
import { type Source, syncSubscriptions } from "./sync-subscriptions.ts";

/** A purchase; `back` is where the provider leads to unless it says so, `email` the buyer's. */
type CheckoutWish = Static<typeof CheckoutBody> & { readonly back: string; readonly email: string };

const isSold = (plan: PlanTier): plan is PaidTier => plan === "growth" || plan === "scale";

/**
 * Begins a checkout at the provider's pages; one that was begun before is closed. Throws `bad_request` for a plan that is not sold
 * and a coupon that is not valid, `conflict` while a subscription is active.
 */
export async function beginCheckout(
	deps: SellingDeps,
	by: Source,
	organization: OrganizationRow,
	wish: CheckoutWish,
): Promise<{ readonly id: string; readonly url: string }> {
	const { plan_tier: plan, back } = wish;
	if (!isSold(plan)) throw new ServiceError("bad_request", { message: `The ${plan} plan is not sold here` });
	return noteAttempt(deps, by, { organizationId: organization.id, action: "checkout_started" }, async () => {
		const customerId = await customerOf(deps, organization.id);
		// A checkout may be over of which no event has come yet.
		await syncSubscriptions(deps, { organizationId: organization.id, customerId }, by);
		const bought = await subscriptionsOf(deps.metadata, [organization.id]);
		if (liveOne(bought) !== undefined) {
			throw new ServiceError("conflict", { message: "The organization has a subscription; change it in the portal" });
		}
		const promotion = await promotionFor(deps, plan, wish.coupon_code);
		await describeCustomer(deps, customerId, organization, wish);
		const checkout = await deps.payments.beginCheckout({
			organizationId: organization.id,
			customerId,
			choice: { tier: plan, interval: wish.billing_interval },
			successUrl: wish.success_url ?? back,
			cancelUrl: wish.cancel_url ?? back,
			trialDays: bought.length === 0 ? TRIAL_DAYS : 0,
			promotionId: promotion?.id,
		});
		const before = await exchange(deps, organization.id, checkout.id);
		if (before !== null) await deps.payments.closeCheckout(before);
		return checkout;
	});
}

async function customerOf({ metadata, payments }: SellingDeps, organizationId: string): Promise<string> {
	const { customer_id: known } = await findAccount(metadata, organizationId);
	if (known !== null) return known;
	const made = await payments.makeCustomer(organizationId);
	await changeAccount(metadata, organizationId, { customer_id: made });
	return made;
}

async function promotionFor(
	{ payments }: SellingDeps,
	plan: PaidTier,
	code: string | undefined,
): Promise<Promotion | undefined> {
	if (code === undefined) return undefined;
	const promotion = await payments.promotion(code);
	if (promotion !== undefined && (promotion.tiers?.includes(plan) ?? true)) return promotion;
	throw new ServiceError("bad_request", { message: `The coupon is not valid for the plan ${plan}` });
}

async function describeCustomer(
	{ metadata, payments }: SellingDeps,
	customerId: string,
	organization: OrganizationRow,
	{ company_name, country, tax_id, email }: CheckoutWish,
): Promise<void> {
	const { accounting_email: accounting } = await findAccount(metadata, organization.id);
	const name = company_name ?? organization.name;
	await payments.describeCustomer(customerId, { name, email: accounting ?? email, country });
	if (tax_id !== undefined) await payments.addTaxId(customerId, country, tax_id);
}

/** Notes the checkout that is open now; answers the one before. */
const exchange = ({ metadata }: SellingDeps, organizationId: string, checkoutId: string): Promise<string | null> =>
	metadata.transaction().execute(async (trx) => {
		await lockOrganization(trx, organizationId);
		const { checkout_id: before } = await findAccount(trx, organizationId);
		await changeAccount(trx, organizationId, { checkout_id: checkoutId });
		return before;
	});

interface Attempt {
	readonly organizationId: string;
	readonly action: string;
	readonly subscriptionId?: string;
}

/** Does something at the provider, and notes in the history that it was done or why the provider failed. */
export async function noteAttempt<T>(
	deps: SellingDeps,
	{ source, actor }: Source,
	{ organizationId, action, subscriptionId }: Attempt,
	work: () => Promise<T>,
): Promise<T> {
	const note = (failure: ServiceError | undefined) =>
		insertHistory(deps.metadata, {
			organization_id: organizationId,
			subscription_id: subscriptionId ?? null,
			user_id: actor.userId,
			action,
			source,
			success: failure === undefined ? 1 : 0,
			error_message: failure?.message ?? null,
			error_code: failure?.code ?? null,
			ip_address: actor.ip,
			created_at: deps.clock.now(),
		});
	try {
		const done = await work();
		await note(undefined);
		return done;
	} catch (error) {
		// An invalid request is no attempt.
		if (error instanceof ServiceError && error.code === "bad_gateway") await note(error);
		throw error;
	}
}

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
