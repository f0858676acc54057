import { useState } from "react";
import { call } from "../../api/client.ts";
import { price } from "../../lib/format.ts";
import { textOf, useForm } from "../../lib/use-form.ts";
import { Dialog } from "../../ui/dialog/dialog.tsx";
import { Field } from "../../ui/field/field.tsx";
import { RecordForm } from "../../ui/form/record-form.tsx";
import type { Organization } from "../organizations/index.ts";
import styles from "./billing.module.css";
import { CouponField } from "./coupon-field.tsx";
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
					{reduced !== null && <s className={styles.muted}>{t.prices[interval](price(cents))}</s>}
					{t.prices[interval](price(reduced ?? cents))}
				</p>
				<p className={styles.muted}>{t.trial}</p>
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
