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
