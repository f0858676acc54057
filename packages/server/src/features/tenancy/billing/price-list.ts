import type { PlanTier } from "../organizations/index.ts";

/** How a plan is offered. Prices are integer cents in EUR, null = on request. */
interface Offer {
	readonly name: string;
	readonly description: string;
	readonly price_monthly: number | null;
	readonly price_yearly: number | null;
	readonly is_popular: boolean;
}

export const priceList: Readonly<Record<PlanTier, Offer>> = {
	free: {
		name: "Free",
		description: "One site, to find out. Collection stops at a million events in all; reports stay readable",
		price_monthly: 0,
		price_yearly: 0,
		is_popular: false,
	},
	growth: {
		name: "Growth",
		description: "Several sites of one team",
		price_monthly: 59_900,
		price_yearly: 598_800,
		is_popular: false,
	},
	scale: {
		name: "Scale",
		description: "Many sites, with webhooks and the audit log",
		price_monthly: 107_900,
		price_yearly: 1_078_800,
		is_popular: true,
	},
	enterprise: {
		name: "Enterprise",
		description: "No limits, and an IP allowlist",
		price_monthly: null,
		price_yearly: null,
		is_popular: false,
	},
};

/** Days that a first subscription costs nothing. */
export const TRIAL_DAYS = 14;
