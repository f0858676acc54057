import { useState } from "react";
import { call } from "../../api/client.ts";
import { may } from "../../api/may.ts";
import { addDays, todayIn } from "../../lib/days.ts";
import { day } from "../../lib/format.ts";
import { textOf, useForm } from "../../lib/use-form.ts";
import { Button } from "../../ui/button/button.tsx";
import { Card } from "../../ui/card/card.tsx";
import { ConfirmDialog } from "../../ui/confirm/confirm-dialog.tsx";
import { Select } from "../../ui/field/field.tsx";
import { Form, Submit } from "../../ui/form/form.tsx";
import { useChange } from "../../ui/form/use-change.ts";
import type { Site } from "../site/index.ts";
import { choices, firstKept, isShorter } from "./retention.ts";
import styles from "./site-settings.module.css";
import { t } from "./texts.ts";

type Retention = Pick<Site, "data_retention_months" | "data_retention_pending">;

/** A shorter period applies after so many days. */
const WITHDRAWABLE_DAYS = 7;

const words = (months: number | null) => (months === null ? t.forever : t.months(months));
const sentence = ({ data_retention_months: months, data_retention_pending: pending }: Retention) =>
	pending === null
		? t.retentionNow(words(months))
		: t.retentionPending(words(months), words(pending.months), day(pending.applies_at.slice(0, 10), "long"));

/** How long data are kept. */
export function RetentionCard({ site }: { readonly site: Site }) {
	const { data_retention_months: kept, data_retention_pending: pending } = site;
	const mayWrite = may("PATCH /sites/{id}", site.role);
	return (
		<Card title={t.retention}>
			{mayWrite ? <Choice key={`${kept} ${pending?.months}`} site={site} /> : <p>{sentence(site)}</p>}
		</Card>
	);
}

function Choice({ site }: { readonly site: Site }) {
	const { data_retention_months: kept, data_retention_pending: pending } = site;
	const [wanted, setWanted] = useState<number>();
	const { mutateAsync: change, ...withdrawal } = useChange({
		run: (body: { data_retention_months: number | null; confirm?: string }) =>
			call("PATCH /sites/{id}", { path: { id: site.id }, body }),
		stale: ["GET /sites"],
		done: sentence,
	});
	const form = useForm(async (values) => {
		const text = textOf(values, "data_retention_months");
		const months = text === "" ? null : Number(text);
		if (months !== null && isShorter(months, kept)) setWanted(months);
		else if (months !== kept) await change({ data_retention_months: months });
	});
	const mayShorten = may("DELETE /sites/{id}/data", site.role);
	return (
		<>
			{pending !== null && (
				<div className={styles.row}>
					<p>{sentence(site)}</p>
					<Button disabled={withdrawal.isBusy} onClick={() => withdrawal.run({ data_retention_months: kept })}>
						{t.withdraw}
					</Button>
				</div>
			)}
			<Form form={form} className={styles.form}>
				<Select
					label={t.keep}
					name="data_retention_months"
					defaultValue={kept ?? ""}
					hint={mayShorten ? t.retentionHint : `${t.retentionHint} ${t.shortenOwners}`}
				>
					<option value="">{t.forever}</option>
					{choices(kept)
						.filter((months) => mayShorten || !isShorter(months, kept))
						.map((months) => (
							<option key={months} value={months}>
								{t.months(months)}
							</option>
						))}
				</Select>
				<Submit look="plain" className={styles.submit}>
					{t.save}
				</Submit>
			</Form>
			{wanted !== undefined && (
				<ConfirmDialog
					title={t.shorten}
					goes={[
						t.shortenGoes(day(firstKept(addDays(todayIn(site.timezone), WITHDRAWABLE_DAYS), wanted), "long")),
						t.shortenLater,
					]}
					stays={[t.shortenStays, t.shortenWithdraw]}
					name={site.name}
					action={t.shortenAction}
					onConfirm={() => change({ data_retention_months: wanted, confirm: site.id })}
					onClose={() => setWanted(undefined)}
				/>
			)}
		</>
	);
}
