import type { Static } from "typebox";
import { ServiceError } from "../../../platform/errors/service-error.ts";
import { lockOrganization, type OrganizationRow, type PlanTier } from "../organizations/index.ts";
import type { SellingDeps } from "./deps.ts";
import { noteAttempt } from "./note-attempt.ts";
import { TRIAL_DAYS } from "./price-list.ts";
import type { PaidTier, Promotion } from "./provider/payments.ts";
import type { CheckoutBody } from "./schemas.ts";
import { changeAccount, findAccount, liveOne, subscriptionsOf } from "./store.ts";
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

/** The organization's customer at the provider, made when it has none. */
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
