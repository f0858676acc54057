import type { Static } from "typebox";
import { ServiceError } from "../../../platform/errors/service-error.ts";
import { timestampOrNull } from "../../../platform/lib/timestamp.ts";
import { lockOrganization, type OrganizationRow, type PlanTier } from "../organizations/index.ts";
import type { SellingDeps } from "./deps.ts";
import { priceList, TRIAL_DAYS } from "./price-list.ts";
import type { PaidTier, Promotion } from "./provider/read-stripe.ts";
import type { Payments } from "./provider/stripe-payments.ts";
import type { CheckoutBody, CouponBody } from "./schemas.ts";
import { changeAccount, findAccount, history, liveOne, subscriptionsOf } from "./store.ts";
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
	if (!isSold(plan)) throw new ServiceError("bad_request", `The ${plan} plan is not sold here`);
	return noteAttempt(deps, by, { organizationId: organization.id, action: "checkout_started" }, async () => {
		const customerId = await customerOf(deps, organization.id);
		// A checkout may be over of which no event has come yet.
		await syncSubscriptions(deps, { organizationId: organization.id, customerId }, by);
		const bought = await subscriptionsOf(deps.metadata, organization.id);
		if (liveOne(bought) !== undefined) {
			throw new ServiceError("conflict", "The organization has a subscription; change it in the portal");
		}
		const { coupon_code: code, country, tax_id: taxId } = wish;
		const promotion = code === undefined ? undefined : await deps.payments.promotion(code);
		const isValid = promotion !== undefined && (promotion.tiers?.includes(plan) ?? true);
		if (code !== undefined && !isValid) {
			throw new ServiceError("bad_request", `The coupon is not valid for the plan ${plan}`);
		}
		const { accounting_email: accounting } = await findAccount(deps.metadata, organization.id);
		const details = { name: wish.company_name ?? organization.name, email: accounting ?? wish.email, country };
		await deps.payments.describeCustomer(customerId, details);
		if (taxId !== undefined) await deps.payments.addTaxId(customerId, country, taxId);
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
		history.insert(deps.metadata, {
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
	const original = plan === undefined || interval === undefined ? null : priceList[plan][`price_${interval}`];
	const answer = {
		valid: false,
		coupon: null,
		error: null,
		original_price: original,
		discounted_price: null,
		savings: null,
	};
	if (promotion === undefined) return { ...answer, error: "This coupon is not known, or has expired" };
	const isForPlan = plan === undefined || promotion.tiers === null || promotion.tiers.some((tier) => tier === plan);
	if (!isForPlan) return { ...answer, error: `This coupon is not for the plan ${plan}` };
	const coupon = presentCoupon(promotion);
	if (original === null) return { ...answer, valid: true, coupon };
	const savings = savingsOf(promotion, original);
	return { ...answer, valid: true, coupon, discounted_price: original - savings, savings };
}

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
