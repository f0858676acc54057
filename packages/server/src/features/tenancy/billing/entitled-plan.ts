import { DAY_MS } from "../../../platform/lib/durations.ts";
import type { PlanTier } from "../organizations/index.ts";
import { liveOne, type SubscriptionRow } from "./subscriptions-store.ts";

/** So long a subscription whose money does not come keeps its plan. */
const PAST_DUE_MS = 14 * DAY_MS;

/** The plan that an organization's subscriptions give it; undefined when it never had one. */
export function entitledPlan(subscriptions: readonly SubscriptionRow[], nowMs: number): PlanTier | undefined {
	if (subscriptions.length === 0) return undefined;
	const live = liveOne(subscriptions);
	return live === undefined || hasLapsed(live, nowMs) ? "free" : live.plan_tier;
}

/** True when the money has not come for fourteen days. */
export const hasLapsed = ({ status, past_due_since: since }: SubscriptionRow, nowMs: number): boolean =>
	status === "past_due" && since !== null && since + PAST_DUE_MS <= nowMs;
