import type { Static } from "typebox";
import type { Card, Invoice, UpcomingInvoice } from "../schemas.ts";
import type { SubscriptionRow } from "../store.ts";

export type PaidTier = SubscriptionRow["plan_tier"];
export type Interval = SubscriptionRow["billing_interval"];

export interface Choice {
	readonly tier: PaidTier;
	readonly interval: Interval;
}

export type ProviderSubscription = Omit<SubscriptionRow, "organization_id" | "past_due_since" | "updated_at">;

/** Recipient of invoices; undefined fields are unchanged. */
export interface CustomerDetails {
	readonly name?: string | undefined;
	readonly email?: string | undefined;
	readonly country?: string | undefined;
}

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

/** An event whose signature holds. */
export interface ProviderEvent {
	readonly id: string;
	readonly type: string;
	readonly customerId: string | undefined;
}

/** A payment provider. Functions throw `bad_gateway` if it fails. Times are milliseconds. */
export interface Payments {
	/** The organization's customer, made at the first call and the same one for ever. */
	makeCustomer(organizationId: string): Promise<string>;
	describeCustomer(customerId: string, details: CustomerDetails): Promise<void>;
	/** Throws 422 for a number that the provider does not accept. */
	addTaxId(customerId: string, country: string | undefined, taxId: string): Promise<void>;
	beginCheckout(checkout: NewCheckout): Promise<{ readonly id: string; readonly url: string }>;
	/** Closes a checkout that somebody may still have open; one that is over stays what it is. */
	closeCheckout(id: string): Promise<void>;
	portalUrl(customerId: string, returnUrl: string): Promise<string>;
	/** All subscriptions of a customer to what is sold here, ended ones too. */
	subscriptionsOf(customerId: string): Promise<ProviderSubscription[]>;
	/** Cancels it at the end of its period, or resumes it. */
	cancelAtEnd(subscriptionId: string, isCancelled: boolean): Promise<void>;
	/** Ends it at once. One that has ended stays so. */
	end(subscriptionId: string): Promise<void>;
	/** Puts it on another plan, by the same interval. */
	move(subscriptionId: string, tier: PaidTier): Promise<void>;
	invoicesOf(
		customerId: string,
		page: { limit: number; startingAfter: string | undefined },
	): Promise<Static<typeof Invoice>[]>;
	upcomingInvoice(subscriptionId: string): Promise<Static<typeof UpcomingInvoice> | undefined>;
	cardOf(subscriptionId: string): Promise<Static<typeof Card> | undefined>;
	/** The promotion of a code that may be used now. */
	promotion(code: string): Promise<Promotion | undefined>;
	/** Reads an event; undefined when its signature does not hold, or is too old. */
	readEvent(body: Buffer, signature: string, nowMs: number): Promise<ProviderEvent | undefined>;
}
