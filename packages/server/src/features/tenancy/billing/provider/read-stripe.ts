import type { Stripe } from "stripe";
import type { Static } from "typebox";
import { timestamp, timestampOrNull } from "../../../../platform/lib/timestamp.ts";
import { type Card, type Invoice, invoiceStates } from "../schemas.ts";
import type { SubscriptionRow } from "../store.ts";

export type PaidTier = SubscriptionRow["plan_tier"];
export type Interval = SubscriptionRow["billing_interval"];

export interface Choice {
	readonly tier: PaidTier;
	readonly interval: Interval;
}

export type ProviderSubscription = Omit<SubscriptionRow, "organization_id" | "past_due_since" | "updated_at">;

export interface NewCheckout {
	readonly organizationId: string;
	readonly customerId: string;
	readonly choice: Choice;
	readonly successUrl: string;
	readonly cancelUrl: string;
	/** Days that cost nothing; 0 = none. */
	readonly trialDays: number;
	readonly promotionId: string | undefined;
}

export interface Promotion {
	readonly id: string;
	readonly code: string;
	readonly name: string | null;
	/** Null where it takes an amount off. */
	readonly percentOff: number | null;
	/** Cents; null where it takes a share off. */
	readonly amountOff: number | null;
	readonly duration: "once" | "repeating" | "forever";
	readonly durationInMonths: number | null;
	readonly validUntil: number | null;
	/** Null = every plan. */
	readonly tiers: readonly PaidTier[] | null;
}

const ms = (seconds: number): number => seconds * 1000;
const msOrNull = (seconds: number | null | undefined): number | null => (seconds == null ? null : ms(seconds));

/** State of a subscription by the provider's state; undefined = not purchased. */
const states: Readonly<Record<Stripe.Subscription["status"], ProviderSubscription["status"] | undefined>> = {
	incomplete: undefined,
	incomplete_expired: undefined,
	trialing: "trialing",
	active: "active",
	past_due: "past_due",
	// The provider has given up asking for the money, or has nothing to ask.
	unpaid: "past_due",
	paused: "past_due",
	canceled: "canceled",
};

export function readSubscription(
	subscription: Stripe.Subscription,
	choice: Choice | undefined,
): ProviderSubscription | undefined {
	const status = states[subscription.status];
	const [item] = subscription.items.data;
	if (status === undefined || item === undefined || choice === undefined) return undefined;
	const { id, billing_cycle_anchor: anchor, cancel_at: cancelAt, trial_end: trialEnd } = subscription;
	return {
		id,
		status,
		plan_tier: choice.tier,
		billing_interval: choice.interval,
		current_period_start: ms(item.current_period_start),
		current_period_end: ms(item.current_period_end),
		anchor_at: ms(anchor),
		cancel_at_period_end: subscription.cancel_at_period_end || cancelAt !== null ? 1 : 0,
		trial_end: msOrNull(trialEnd),
		started_at: ms(subscription.start_date),
		ended_at: msOrNull(subscription.ended_at),
	};
}

const durations = ["once", "repeating", "forever"] as const;

export const readInvoice = (invoice: Stripe.Invoice): Static<typeof Invoice> => ({
	id: invoice.id,
	number: invoice.number,
	status: invoiceStates.find((known) => known === invoice.status) ?? null,
	amount_due: invoice.amount_due,
	amount_paid: invoice.amount_paid,
	currency: invoice.currency.toUpperCase(),
	created_at: timestamp(ms(invoice.created)),
	due_date: timestampOrNull(msOrNull(invoice.due_date)),
	paid_at: timestampOrNull(msOrNull(invoice.status_transitions.paid_at)),
	pdf_url: invoice.invoice_pdf ?? null,
	hosted_invoice_url: invoice.hosted_invoice_url ?? null,
});

export function readCard(method: string | Stripe.PaymentMethod | null | undefined): Static<typeof Card> | undefined {
	if (method == null || typeof method === "string" || method.card === undefined) return undefined;
	const { brand, last4, exp_month, exp_year } = method.card;
	return { brand, last4, exp_month, exp_year };
}

export function readPromotion(promotion: Stripe.PromotionCode): Omit<Promotion, "tiers"> | undefined {
	const { coupon } = promotion.promotion;
	if (!promotion.active || coupon === null || typeof coupon === "string" || !coupon.valid) return undefined;
	const ends = [promotion.expires_at, coupon.redeem_by].filter((end) => end !== null);
	return {
		id: promotion.id,
		code: promotion.code,
		name: coupon.name,
		percentOff: coupon.percent_off,
		amountOff: coupon.amount_off,
		duration: durations.find((known) => known === coupon.duration) ?? "once",
		durationInMonths: coupon.duration_in_months,
		validUntil: ends.length === 0 ? null : ms(Math.min(...ends)),
	};
}
