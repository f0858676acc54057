import { Type } from "typebox";
import { Nullable, OneOf, Timestamp } from "../../../platform/http/schemas.ts";
import { planTiers } from "../organizations/index.ts";
import { org } from "./billed-organization.ts";

const Cents = (more = "") => Type.Integer({ description: `EUR cents${more}` });

export const Subscription = Type.Object({
	id: Type.String(),
	status: OneOf(["trialing", "active", "past_due", "canceled"]),
	plan_tier: OneOf(["growth", "scale"]),
	billing_interval: OneOf(["monthly", "yearly"]),
	current_period_start: Timestamp(),
	current_period_end: Timestamp(),
	cancel_at_period_end: Type.Boolean(),
	trial_end: Nullable(Timestamp()),
});

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

export const Url = () => Type.String({ format: "uri", pattern: "^https?://", maxLength: 500 });
const Interval = () => OneOf(["monthly", "yearly"]);
const oneLine = "^[^\\u0000-\\u001f\\u007f]*$";

export const CheckoutBody = Type.Object({
	...org,
	plan_tier: OneOf(planTiers, { description: "Only `growth` and `scale` are for sale" }),
	billing_interval: Interval(),
	success_url: Type.Optional(Url()),
	cancel_url: Type.Optional(Url()),
	company_name: Type.Optional(Type.String({ minLength: 1, maxLength: 255, pattern: oneLine })),
	country: Type.Optional(Type.String({ pattern: "^[A-Z]{2}$", description: "ISO 3166, two letters" })),
	tax_id: Type.Optional(Type.String({ minLength: 1, maxLength: 50, pattern: oneLine })),
	coupon_code: Type.Optional(Type.String({ minLength: 1, maxLength: 100, pattern: oneLine })),
});
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
