import type { PlanTier } from "../organizations/index.ts";

/** How a plan is offered. Prices are integer cents in EUR, null = on request. */
interface Offer {
	readonly name: string;
	readonly description: string;
	readonly priceMonthly: number | null;
	readonly priceYearly: number | null;
	readonly isPopular: boolean;
}

export const priceList: Readonly<Record<PlanTier, Offer>> = {
	free: {
		name: "Free",
		description: "One site, to find out. Collection stops at a million events in all; reports stay readable",
		priceMonthly: 0,
		priceYearly: 0,
		isPopular: false,
	},
	growth: {
		name: "Growth",
		description: "Several sites of one team",
		priceMonthly: 59_900,
		priceYearly: 598_800,
		isPopular: false,
	},
	scale: {
		name: "Scale",
		description: "Many sites, with webhooks and the audit log",
		priceMonthly: 107_900,
		priceYearly: 1_078_800,
		isPopular: true,
	},
	enterprise: {
		name: "Enterprise",
		description: "No limits, and an IP allowlist",
		priceMonthly: null,
		priceYearly: null,
		isPopular: false,
	},
};

/** Days that a first subscription costs nothing. */
export const TRIAL_DAYS = 14;
