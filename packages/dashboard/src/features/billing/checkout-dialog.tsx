import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "../../api/client.ts";
import { asFailure } from "../../lib/failure.ts";
import { price } from "../../lib/format.ts";
import { textOf, useForm } from "../../lib/use-form.ts";
import { Button } from "../../ui/button/button.tsx";
import { Dialog } from "../../ui/dialog/dialog.tsx";
import { Field, verbatim } from "../../ui/field/field.tsx";
import { RecordForm } from "../../ui/form/record-form.tsx";
import { failureText } from "../../ui/page/failure-text.ts";
import type { Organization } from "../organizations/index.ts";
import styles from "./billing.module.css";
import type { Coupon, Interval, Plan } from "./queries.ts";
import { t } from "./selling-texts.ts";

interface CheckoutDialogProps {
	readonly organization: Organization;
	readonly plan: Plan & { readonly tier: "growth" | "scale" };
	readonly interval: Interval;
	readonly onClose: () => void;
}

/** Purchase of a plan: price and invoice address. Payment itself is on the provider's pages. */
export function CheckoutDialog({ organization, plan, interval, onClose }: CheckoutDialogProps) {
	const [coupon, setCoupon] = useState<Coupon>();
	const form = useForm(async (values) => {
		const { checkout_url: url } = await call("POST /billing/checkout", {
			body: {
				org_id: organization.id,
				plan_tier: plan.tier,
				billing_interval: interval,
				success_url: `${location.origin}${location.pathname}?view=bought:yes`,
				cancel_url: `${location.origin}${location.pathname}`,
				...given("company_name", textOf(values, "company_name")),
				...given("country", textOf(values, "country").toUpperCase()),
				...given("tax_id", textOf(values, "tax_id")),
				...given("coupon_code", textOf(values, "coupon_code")),
			},
		});
		location.assign(url);
	});
	const cents = (interval === "yearly" ? plan.price_yearly : plan.price_monthly) ?? 0;
	const reduced = coupon?.valid === true ? coupon.discounted_price : null;
	return (
		<Dialog title={t.choosing(plan.name)} onClose={onClose}>
			<RecordForm form={form} action={t.toPayment} onCancel={onClose}>
				<p className={styles.price}>
					{reduced !== null && <s className="muted">{t.prices[interval](price(cents))}</s>}
					{t.prices[interval](price(reduced ?? cents))}
				</p>
				<p className="muted">{t.trial}</p>
				<CouponField
					organization={organization}
					tier={plan.tier}
					interval={interval}
					coupon={coupon}
					onChecked={setCoupon}
					error={form.errorOf("coupon_code")}
				/>
				<Field label={t.company} hint={t.companyHint} name="company_name" maxLength={255} autoComplete="organization" />
				<Field
					label={t.country}
					hint={t.countryHint}
					name="country"
					pattern="[A-Za-z]{2}"
					maxLength={2}
					autoComplete="country"
				/>
				<Field label={t.taxId} name="tax_id" maxLength={50} autoComplete="off" />
			</RecordForm>
		</Dialog>
	);
}

const given = <Name extends string>(name: Name, value: string): { readonly [N in Name]?: string } =>
	value.trim() === "" ? {} : ({ [name]: value.trim() } as { readonly [N in Name]: string });

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
function CouponField({ organization, tier, interval, coupon, onChecked, error }: CouponFieldProps) {
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
