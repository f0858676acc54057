import { Type } from "typebox";
import { Nullable, OneOf, Timestamp } from "../../../platform/http/schemas.ts";
import { planTiers } from "../organizations/index.ts";
import { Subscription } from "./schemas.ts";

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

const Cents = (description: string) => Nullable(Type.Integer({ description: `EUR cents${description}` }));

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
	original_price: Cents("; null unless plan and interval are given"),
	discounted_price: Cents(""),
	savings: Cents(""),
});

export const SignatureHeaders = Type.Object({
	"stripe-signature": Type.Optional(Type.String({ maxLength: 4096 })),
});
export const Received = Type.Object({ received: Type.Boolean() });
