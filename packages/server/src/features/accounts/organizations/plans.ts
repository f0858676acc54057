/** What a plan allows; null = no limit. */
interface Plan {
	readonly sites: number | null;
	/** Events stored in all, never reset. */
	readonly lifetimeEvents: number | null;
}

/** Every plan, smallest first. */
const plans = {
	free: { sites: 1, lifetimeEvents: 1_000_000 },
	growth: { sites: 10, lifetimeEvents: null },
	scale: { sites: 30, lifetimeEvents: null },
	enterprise: { sites: null, lifetimeEvents: null },
} as const satisfies Record<string, Plan>;

/** The name of a plan. */
export type PlanTier = keyof typeof plans;

/** What a plan allows, by its name. */
export const planOf = (tier: PlanTier): Plan => plans[tier];
