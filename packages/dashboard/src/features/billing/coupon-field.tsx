import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "../../api/client.ts";
import { asFailure } from "../../lib/failure.ts";
import { price } from "../../lib/format.ts";
import { Button } from "../../ui/button/button.tsx";
import { Field, verbatim } from "../../ui/field/field.tsx";
import { failureText } from "../../ui/page/failure-text.ts";
import type { Organization } from "../organizations/index.ts";
import styles from "./billing.module.css";
import type { Coupon, Interval } from "./queries.ts";
import { t } from "./selling-texts.ts";

interface CouponFieldProps {
	readonly organization: Organization;
	readonly tier: "growth" | "scale";
	readonly interval: Interval;
	/** Result of the check of the entered code. */
	readonly coupon: Coupon | undefined;
	readonly onChecked: (coupon: Coupon | undefined) => void;
	readonly error: string | undefined;
}

/** A coupon code and its discount. */
export function CouponField({ organization, tier, interval, coupon, onChecked, error }: CouponFieldProps) {
	const [code, setCode] = useState("");
	const check = useMutation({
		mutationFn: () =>
			call("POST /billing/coupons/validate", {
				query: { org_id: organization.id },
				body: { code: code.trim(), plan_tier: tier, billing_interval: interval },
			}),
		onSuccess: onChecked,
	});
	const refused = coupon?.valid === false ? (coupon.error ?? t.noCoupon) : undefined;
	return (
		<div className={styles.coupon}>
			<Field
				label={t.coupon}
				name="coupon_code"
				maxLength={100}
				{...verbatim}
				value={code}
				onChange={(event) => {
					setCode(event.target.value);
					onChecked(undefined);
				}}
				error={error ?? refused ?? (check.error ? failureText(asFailure(check.error)) : undefined)}
			/>
			<Button disabled={code.trim() === "" || check.isPending} onClick={() => check.mutate()}>
				{t.check}
			</Button>
			{coupon?.valid === true && coupon.coupon !== null && (
				<p role="status" className={styles.taken}>
					{t.takesOff(coupon.coupon.name, coupon.coupon.discount_display)}
					{coupon.savings !== null && ` ${t.saves(price(coupon.savings))}`} {lastsOf(coupon.coupon)}
				</p>
			)}
		</div>
	);
}

function lastsOf({ duration, duration_in_months: months }: NonNullable<Coupon["coupon"]>): string {
	if (duration === "repeating" && months !== null) return t.forMonths(months);
	return duration === "forever" ? t.forEver : t.once;
}
