import type { Row } from "../../../../migrations/metadata/tables/index.ts";
import { ServiceError } from "../../../platform/errors/service-error.ts";

/** The name of a plan. */
export type PlanTier = Row<"organizations">["plan_tier"];

/** Features that some plans lack. */
export const planFeatures = ["webhooks", "audit", "ip_allowlist"] as const;
export type PlanFeature = (typeof planFeatures)[number];

/** Limits and features of a plan; null = no limit. */
interface Plan {
	/** Requests a minute of one user or key. */
	readonly requestsPerMinute: number;
	/** Members of an organization. */
	readonly seats: number | null;
	/** Active sites. */
	readonly sites: number | null;
	/** Events a month; collection continues beyond. */
	readonly monthlyEvents: number | null;
	/** Events stored in all, never reset; collection stops there. */
	readonly lifetimeEvents: number | null;
	readonly features: readonly PlanFeature[];
	readonly exports: {
		/** Exports that may run at a time. */
		readonly concurrent: number;
		/** Rows of one export. */
		readonly rows: number | null;
	};
}

/** Every plan, smallest first. */
const plans = {
	free: {
		requestsPerMinute: 240,
		seats: 2,
		sites: 1,
		monthlyEvents: null,
		lifetimeEvents: 1_000_000,
		features: [],
		exports: { concurrent: 1, rows: 10_000 },
	},
	growth: {
		requestsPerMinute: 240,
		seats: 5,
		sites: 10,
		monthlyEvents: 5_000_000,
		lifetimeEvents: null,
		features: [],
		exports: { concurrent: 1, rows: 100_000 },
	},
	scale: {
		requestsPerMinute: 480,
		seats: 15,
		sites: 30,
		monthlyEvents: 15_000_000,
		lifetimeEvents: null,
		features: ["webhooks", "audit"],
		exports: { concurrent: 3, rows: 1_000_000 },
	},
	enterprise: {
		requestsPerMinute: 10_000,
		seats: null,
		sites: null,
		monthlyEvents: null,
		lifetimeEvents: null,
		features: ["webhooks", "audit", "ip_allowlist"],
		exports: { concurrent: 10, rows: null },
	},
} as const satisfies Record<PlanTier, Plan>;

/** The names of all plans, smallest first. */
export const planTiers = Object.keys(plans) as PlanTier[];

/** A plan by its name. */
export const planOf = (tier: PlanTier): Plan => plans[tier];

/** True when the plan has the feature. */
export const planAllows = (tier: PlanTier, feature: PlanFeature): boolean => planOf(tier).features.includes(feature);

/** Throws `forbidden` when the plan lacks the feature. */
export function requireFeature(tier: PlanTier, feature: PlanFeature): void {
	if (!planAllows(tier, feature)) throw new ServiceError("forbidden", `The ${tier} plan does not include ${feature}`);
}

/** The error of a plan that is used up; it can be tried again when the next period, a calendar month in UTC, begins. */
export function quotaExceeded(message: string, nowMs: number): ServiceError {
	const now = new Date(nowMs);
	const nextPeriod = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1);
	return new ServiceError("quota_exceeded", { message, retryAfter: Math.ceil((nextPeriod - nowMs) / 1000) });
}
