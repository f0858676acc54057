import type { Generated } from "kysely";

/** Usage of plans and subscriptions of organizations. Days are `YYYY-MM-DD`, the end of a period is exclusive. */
export type BillingTables = {
	billing_accounts: {
		organization_id: string;
		/** Where the payment provider sends invoices; null = to the owner who paid. */
		accounting_email: string | null;
		/** The payment provider's id of the organization. */
		customer_id: string | null;
		/** The checkout that was begun last: it is closed when another one begins. */
		checkout_id: string | null;
		/** When its events were last counted. */
		counted_at: number | null;
		/** Day until which periods were judged; null = none was, and none that is over will be. */
		judged_until: string | null;
	};
	/** Subscriptions as the payment provider last told of them, ended ones too. */
	billing_subscriptions: {
		/** The provider's. */
		id: string;
		organization_id: string;
		status: "trialing" | "active" | "past_due" | "canceled";
		plan_tier: "growth" | "scale";
		billing_interval: "monthly" | "yearly";
		current_period_start: number;
		current_period_end: number;
		/** From here its months are counted. */
		anchor_at: number;
		cancel_at_period_end: number;
		trial_end: number | null;
		started_at: number;
		ended_at: number | null;
		past_due_since: number | null;
		updated_at: number;
	};
	/** Changes of subscriptions. */
	billing_history: {
		id: Generated<number>;
		organization_id: string;
		subscription_id: string | null;
		user_id: number | null;
		action: string;
		source: "user" | "provider" | "system";
		/** JSON; null = there was none. */
		previous_state: string | null;
		new_state: string | null;
		success: number;
		error_message: string | null;
		error_code: string | null;
		ip_address: string | null;
		created_at: number;
	};
	/** Events of the payment provider that were handled. */
	billing_events: { id: string; type: string; received_at: number };
	/** Events of an organization's sites by local day. Deletions do not reduce them. */
	usage_days: {
		organization_id: string;
		day: string;
		/** The most that the event store ever had of the day. */
		human_events: number;
		agent_events: number;
		/** Events taken by collectors under a plan with a lifetime limit; exceeds `human_events` after data of the day were deleted. */
		collected_events: Generated<number>;
		/** Stored conversions of goals that were counted later: they are no usage. */
		earlier_events: Generated<number>;
	};
	/** Changes of plans. */
	plan_changes: {
		organization_id: string;
		changed_at: number;
		plan_before: "free" | "growth" | "scale" | "enterprise";
	};
	/** Ended periods and their consequences. */
	usage_periods: {
		organization_id: string;
		period_start: string;
		period_end: string;
		plan_tier: "free" | "growth" | "scale" | "enterprise";
		event_limit: number;
		total_events: number;
		is_forgiven: number;
		action_taken: "none" | "forgiven" | "notified" | "upgraded";
		judged_at: number;
	};
	/** Shares of a plan that its owners were told of, or that were passed together with a higher one. */
	usage_notices: {
		organization_id: string;
		/** Empty for a limit that has no periods. */
		period_start: string;
		plan_tier: "free" | "growth" | "scale" | "enterprise";
		percent: number;
		noted_at: number;
	};
};
