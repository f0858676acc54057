import { Type } from "typebox";
import { Nullable, OneOf, Timestamp } from "../../../platform/http/schemas.ts";
import { planFeatures, planTiers } from "../organizations/index.ts";

export const org = {
	org_id: Type.Optional(Type.String({ format: "uuid", description: "Organization; the caller's own by default" })),
};

export const OrganizationQuery = Type.Object(org);

const Cents = (more = "") => Type.Integer({ description: `EUR cents${more}` });

export const Plans = Type.Array(
	Type.Object({
		tier: OneOf(planTiers),
		name: Type.String(),
		description: Type.String(),
		price_monthly: Nullable(Type.Integer({ description: "EUR cents a month; null: on request" })),
		price_yearly: Nullable(Type.Integer({ description: "EUR cents a year; null: on request" })),
		seats: Nullable(Type.Integer()),
		accounts: Nullable(Type.Integer({ description: "Active sites" })),
		monthly_events: Nullable(Type.Integer({ description: "Collection continues beyond it" })),
		lifetime_events: Nullable(Type.Integer({ description: "Collection stops at it" })),
		data_retention_days: Nullable(Type.Integer()),
		api_requests_per_minute: Type.Integer(),
		concurrent_exports: Type.Integer(),
		export_rows: Nullable(Type.Integer()),
		features: Type.Array(OneOf(planFeatures)),
		is_popular: Type.Boolean(),
	}),
	{ description: "Null: no limit" },
);

const subscriptionStates = ["trialing", "active", "past_due", "canceled"] as const;

export const Subscription = Type.Object({
	id: Type.String(),
	status: OneOf(subscriptionStates),
	plan_tier: OneOf(["growth", "scale"]),
	billing_interval: OneOf(["monthly", "yearly"]),
	current_period_start: Timestamp(),
	current_period_end: Timestamp(),
	cancel_at_period_end: Type.Boolean(),
	trial_end: Nullable(Timestamp()),
});

const counts = { human_events: Type.Integer(), agent_events: Type.Integer() };
const ofPlan = {
	event_limit: Nullable(Type.Integer()),
	percentage: Type.Number({ description: "Percentage of the limit; over 100 when exceeded" }),
	is_unlimited: Type.Boolean(),
};
const period = { period_start: Timestamp(), period_end: Timestamp() };

export const invoiceStates = ["draft", "open", "paid", "uncollectible", "void"] as const;
export const Invoice = Type.Object({
	id: Type.String(),
	number: Nullable(Type.String()),
	status: Nullable(OneOf(invoiceStates)),
	amount_due: Type.Integer({ description: "Cents of the currency" }),
	amount_paid: Type.Integer({ description: "Cents of the currency" }),
	currency: Type.String(),
	created_at: Timestamp(),
	due_date: Nullable(Timestamp()),
	paid_at: Nullable(Timestamp()),
	pdf_url: Nullable(Type.String()),
	hosted_invoice_url: Nullable(Type.String()),
});
export const UpcomingInvoice = Type.Object({
	amount_due: Cents(),
	currency: Type.String(),
	due_at: Nullable(Timestamp()),
});
/** Visible part of a card. Nothing more is ever known here. */
export const Card = Type.Object({
	brand: Type.String(),
	last4: Type.String(),
	exp_month: Type.Integer(),
	exp_year: Type.Integer(),
});

export const Overview = Type.Object({
	subscription: Nullable(Subscription),
	usage: Type.Object({
		...counts,
		...ofPlan,
		days_remaining: Nullable(Type.Integer({ description: "Null where the limit is never reset" })),
	}),
	upcoming_invoice: Nullable(UpcomingInvoice),
	payment_method: Nullable(Card),
});

const UsageStatus = OneOf(["ok", "warning", "exceeded", "stopped"], {
	description: "`warning`: 80 % or more; `exceeded`: collection continues; `stopped`: nothing is collected any more",
});

export const CurrentUsage = Type.Object({
	org_id: Type.String({ format: "uuid" }),
	plan_tier: OneOf(planTiers),
	status: UsageStatus,
	...period,
	...counts,
	...ofPlan,
	days_remaining: Type.Integer(),
	last_synced_at: Timestamp(),
});

export const UsageHistoryQuery = Type.Object({
	...org,
	limit: Type.Integer({ minimum: 1, maximum: 36, default: 12 }),
});
export const UsageHistory = Type.Array(Type.Object({ ...period, ...counts }));

export const OverageStatus = Type.Object({
	org_id: Type.String({ format: "uuid" }),
	history: Type.Array(
		Type.Object({
			...period,
			plan_tier: OneOf(planTiers),
			event_limit: Type.Integer(),
			total_events: Type.Integer(),
			overage_percent: Type.Number(),
			is_forgiven: Type.Boolean(),
			action_taken: OneOf(["none", "forgiven", "notified", "upgraded"]),
		}),
	),
	forgiveness_available: Type.Boolean(),
	forgiveness_year: Type.Integer(),
});

export const AccountingEmail = Type.Object({ accounting_email: Nullable(Type.String()) });
export const AccountingEmailBody = Type.Object({
	email: Nullable(Type.String({ format: "email", maxLength: 254, pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f]*$" })),
});

const Url = () => Type.String({ format: "uri", pattern: "^https?://", maxLength: 500 });
const orgId = Type.Optional(Type.String({ format: "uuid", description: "Organization; the caller's own by default" }));
const Interval = () => OneOf(["monthly", "yearly"]);
const oneLine = "^[^\\u0000-\\u001f\\u007f]*$";

export const CheckoutBody = Type.Object({
	org_id: orgId,
	plan_tier: OneOf(planTiers, { description: "Only `growth` and `scale` are for sale" }),
	billing_interval: Interval(),
	success_url: Type.Optional(Url()),
	cancel_url: Type.Optional(Url()),
	company_name: Type.Optional(Type.String({ minLength: 1, maxLength: 255, pattern: oneLine })),
	country: Type.Optional(Type.String({ pattern: "^[A-Z]{2}$", description: "ISO 3166, two letters" })),
	tax_id: Type.Optional(Type.String({ minLength: 1, maxLength: 50, pattern: oneLine })),
	coupon_code: Type.Optional(Type.String({ minLength: 1, maxLength: 100, pattern: oneLine })),
});
export const Checkout = Type.Object({ checkout_url: Type.String(), session_id: Type.String() });

export const PortalBody = Type.Object({ org_id: orgId, return_url: Type.Optional(Url()) });
export const Portal = Type.Object({ portal_url: Type.String() });

const changed = { success: Type.Boolean(), message: Type.String(), subscription: Subscription };
export const Cancelled = Type.Object({ ...changed, cancels_at: Timestamp() });
export const Resumed = Type.Object(changed);

export const CouponBody = Type.Object({
	code: Type.String({ minLength: 1, maxLength: 100, pattern: oneLine }),
	plan_tier: Type.Optional(OneOf(planTiers)),
	billing_interval: Type.Optional(Interval()),
});

export const CouponAnswer = Type.Object({
	valid: Type.Boolean(),
	coupon: Nullable(
		Type.Object({
			code: Type.String(),
			name: Type.String(),
			description: Nullable(Type.String()),
			discount_type: OneOf(["percent", "amount"]),
			discount_value: Type.Number({ description: "Percent, or cents" }),
			discount_display: Type.String(),
			applicable_tiers: Nullable(Type.Array(OneOf(["growth", "scale"]))),
			valid_until: Nullable(Timestamp()),
			duration: OneOf(["once", "repeating", "forever"]),
			duration_in_months: Nullable(Type.Integer()),
		}),
	),
	error: Nullable(Type.String()),
	original_price: Nullable(Cents("; null unless plan and interval are given")),
	discounted_price: Nullable(Cents()),
	savings: Nullable(Cents()),
});

export const SignatureHeaders = Type.Object({
	"stripe-signature": Type.Optional(Type.String({ maxLength: 4096 })),
});
export const Received = Type.Object({ received: Type.Boolean() });
