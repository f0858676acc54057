import { timestamp, timestampOrNull } from "../../../platform/lib/timestamp.ts";
import { planOf, planTiers } from "../organizations/index.ts";
import { priceList } from "./price-list.ts";
import type { HistoryRow, SubscriptionRow } from "./store.ts";
import { type PeriodUsage, percentOf, type UsageNow } from "./usage-now.ts";
import type { UsagePeriodRow } from "./usage-store.ts";

export const presentPlans = () =>
	planTiers.map((tier) => {
		const { name, description, priceMonthly, priceYearly, isPopular } = priceList[tier];
		const { seats, sites, monthlyEvents, lifetimeEvents, requestsPerMinute, exports, features } = planOf(tier);
		return {
			tier,
			name,
			description,
			price_monthly: priceMonthly,
			price_yearly: priceYearly,
			seats,
			accounts: sites,
			monthly_events: monthlyEvents,
			lifetime_events: lifetimeEvents,
			// Each site says itself how long its data are kept.
			data_retention_days: null,
			api_requests_per_minute: requestsPerMinute,
			concurrent_exports: exports.concurrent,
			export_rows: exports.rows,
			features: [...features],
			is_popular: isPopular,
		};
	});

export const presentSubscription = (row: SubscriptionRow) => ({
	id: row.id,
	status: row.status,
	plan_tier: row.plan_tier,
	billing_interval: row.billing_interval,
	current_period_start: timestamp(row.current_period_start),
	current_period_end: timestamp(row.current_period_end),
	cancel_at_period_end: row.cancel_at_period_end === 1,
	trial_end: timestampOrNull(row.trial_end),
});

const startOf = (day: string): string => timestamp(Date.parse(day));

function statusOf({ limit, isForEver, humanEvents, percentage }: UsageNow): "ok" | "warning" | "exceeded" | "stopped" {
	if (limit === null) return "ok";
	if (humanEvents >= limit) return isForEver ? "stopped" : "exceeded";
	return percentage >= 80 ? "warning" : "ok";
}

const shareOf = ({ humanEvents, agentEvents, limit, percentage }: UsageNow) => ({
	human_events: humanEvents,
	agent_events: agentEvents,
	event_limit: limit,
	percentage,
	is_unlimited: limit === null,
});

export const presentUsage = (usage: UsageNow) => ({
	org_id: usage.organizationId,
	plan_tier: usage.plan,
	status: statusOf(usage),
	period_start: startOf(usage.period.start),
	period_end: startOf(usage.period.end),
	...shareOf(usage),
	days_remaining: usage.daysRemaining,
	last_synced_at: timestamp(usage.countedAt),
});

/** The same in an overview. */
export const presentUsageShortly = (usage: UsageNow) => ({
	...shareOf(usage),
	days_remaining: usage.isForEver ? null : usage.daysRemaining,
});

export const presentPeriod = ({ start, end, humanEvents, agentEvents }: PeriodUsage) => ({
	period_start: startOf(start),
	period_end: startOf(end),
	human_events: humanEvents,
	agent_events: agentEvents,
});

/** Overage of a period and its consequence. */
export const presentOverage = (row: UsagePeriodRow) => ({
	period_start: startOf(row.period_start),
	period_end: startOf(row.period_end),
	plan_tier: row.plan_tier,
	event_limit: row.event_limit,
	total_events: row.total_events,
	overage_percent:
		row.total_events > row.event_limit ? percentOf(row.total_events - row.event_limit, row.event_limit) : 0,
	is_forgiven: row.is_forgiven === 1,
	action_taken: row.action_taken,
});

const stateOf = (json: string | null): Record<string, unknown> | null => (json === null ? null : JSON.parse(json));

export const presentHistory = (row: HistoryRow) => ({
	id: row.id,
	subscription_id: row.subscription_id,
	org_id: row.organization_id,
	user_id: row.user_id,
	user_email: row.user_email,
	user_name: row.user_name,
	action: row.action,
	source: row.source,
	previous_state: stateOf(row.previous_state),
	new_state: stateOf(row.new_state),
	success: row.success === 1,
	error_message: row.error_message,
	error_code: row.error_code,
	ip_address: row.ip_address,
	created_at: timestamp(row.created_at),
});
