import { timestamp } from "../../../platform/lib/timestamp.ts";
import type { SubscriptionRow } from "./subscriptions-store.ts";

/** Audited state of a subscription. */
export const stateOf = (row: SubscriptionRow) => ({
	status: row.status,
	plan_tier: row.plan_tier,
	billing_interval: row.billing_interval,
	current_period_end: timestamp(row.current_period_end),
	cancel_at_period_end: row.cancel_at_period_end === 1,
});

const fields = [
	"status",
	"plan_tier",
	"billing_interval",
	"current_period_start",
	"current_period_end",
	"anchor_at",
	"cancel_at_period_end",
	"trial_end",
	"started_at",
	"ended_at",
] as const satisfies readonly (keyof SubscriptionRow)[];

/** True when something of a subscription differs. */
export const differs = (a: SubscriptionRow, b: SubscriptionRow): boolean =>
	fields.some((field) => a[field] !== b[field]);

const byState = {
	trialing: "trial_started",
	active: "activated",
	past_due: "payment_failed",
	canceled: "canceled",
} as const satisfies Record<SubscriptionRow["status"], string>;

/** Change of a subscription, in a word. */
export function actionOf(before: SubscriptionRow | undefined, after: SubscriptionRow): string {
	if (before === undefined) return "created";
	if (before.status !== after.status) return byState[after.status];
	if (before.plan_tier !== after.plan_tier || before.billing_interval !== after.billing_interval) return "plan_changed";
	if (before.cancel_at_period_end !== after.cancel_at_period_end) {
		return after.cancel_at_period_end === 1 ? "cancel_scheduled" : "resumed";
	}
	return before.current_period_end === after.current_period_end ? "updated" : "renewed";
}
