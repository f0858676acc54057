import { DAY_MS } from "../../../platform/lib/durations.ts";
import { utcDay } from "../../../platform/lib/timestamp.ts";
import { type OrganizationRow, type PlanTier, planOf } from "../organizations/index.ts";
import { countEvents, sum } from "./count-events.ts";
import type { UsageDeps } from "./deps.ts";
import { type Period, periodAt, periodBefore } from "./periods.ts";
import { findAccount, subscriptionsOf, termsOf } from "./store.ts";
import { daysSince, firstDay, type UsageDay } from "./usage-store.ts";

export interface UsageNow {
	readonly organizationId: string;
	readonly plan: PlanTier;
	/** The one at hand; where the limit is for ever, the figures are those since the beginning all the same. */
	readonly period: Period;
	readonly humanEvents: number;
	readonly agentEvents: number;
	/** Null = no limit. */
	readonly limit: number | null;
	/** The limit is never reset, and collection stops there. */
	readonly isForEver: boolean;
	/** Of the limit, over 100 beyond it; 0 without one. */
	readonly percentage: number;
	/** Until the period ends, the day at hand among them. */
	readonly daysRemaining: number;
	/** When the figures were counted. */
	readonly countedAt: number;
}

/** Counts what an organization uses now; while the event store is away, what was counted before. */
export async function usageNow(deps: UsageDeps, organization: OrganizationRow): Promise<UsageNow> {
	const { metadata, clock } = deps;
	const { id, plan_tier: plan } = organization;
	const { counted_at: countedBefore } = await findAccount(metadata, id);
	const now = clock.now();
	const countedAt = await countEvents(deps, [organization]).then(
		() => now,
		(error: unknown) => {
			if (countedBefore === null) throw error;
			return countedBefore;
		},
	);
	const period = periodAt(termsOf(await subscriptionsOf(metadata, [id])), utcDay(now));
	const { lifetimeEvents, monthlyEvents } = planOf(plan);
	const days = await daysSince(metadata, [id], lifetimeEvents === null ? period.start : "");
	const within = lifetimeEvents === null ? daysIn(days, period) : days;
	const humanEvents = sum(within, "human_events");
	const limit = lifetimeEvents ?? monthlyEvents;
	return {
		organizationId: id,
		plan,
		period,
		humanEvents,
		agentEvents: sum(within, "agent_events"),
		limit,
		isForEver: lifetimeEvents !== null,
		percentage: limit === null ? 0 : percentOf(humanEvents, limit),
		daysRemaining: (Date.parse(period.end) - Date.parse(utcDay(now))) / DAY_MS,
		countedAt,
	};
}

/** Two decimals. */
export const percentOf = (events: number, limit: number): number => Math.round((events / limit) * 10_000) / 100;

export const daysIn = (days: readonly UsageDay[], { start, end }: Period): UsageDay[] =>
	days.filter(({ day }) => day >= start && day < end);

export interface PeriodUsage extends Period {
	readonly humanEvents: number;
	readonly agentEvents: number;
}

/**
 * Usage of an organization by period, the current one first; none before it was created, or counted its first event.
 */
export async function usageHistory(
	deps: UsageDeps,
	organization: OrganizationRow,
	limit: number,
): Promise<PeriodUsage[]> {
	const { metadata } = deps;
	const { period } = await usageNow(deps, organization);
	const terms = termsOf(await subscriptionsOf(metadata, [organization.id]));
	const made = utcDay(organization.created_at);
	const first = [made, (await firstDay(metadata, organization.id)) ?? made].sort()[0] ?? made;
	const periods = [period];
	for (let last = period; last.start > first && periods.length < limit; ) {
		last = periodBefore(terms, last);
		periods.push(last);
	}
	const days = await daysSince(metadata, [organization.id], periods.at(-1)?.start ?? made);
	return periods.map((one) => {
		const within = daysIn(days, one);
		return { ...one, humanEvents: sum(within, "human_events"), agentEvents: sum(within, "agent_events") };
	});
}
