import { useState } from "react";
import { may } from "../../api/may.ts";
import { todayIn } from "../../lib/days.ts";
import { day } from "../../lib/format.ts";
import { textOf, useForm } from "../../lib/use-form.ts";
import { Button } from "../../ui/button/button.tsx";
import { Card } from "../../ui/card/card.tsx";
import { ConfirmDialog } from "../../ui/confirm/confirm-dialog.tsx";
import { Select } from "../../ui/field/field.tsx";
import { Problem } from "../../ui/page/form-page.tsx";
import type { Site } from "../site/index.ts";
import { choices, firstKept, isShorter } from "./retention.ts";
import styles from "./site-settings.module.css";
import { t } from "./texts.ts";
import { useSiteChange } from "./use-site-change.ts";

const words = (months: number | null) => (months === null ? t.forever : t.months(months));

/** How long data are kept. */
export function RetentionCard({ site }: { readonly site: Site }) {
	const kept = site.data_retention_months;
	const mayWrite = may("PATCH /sites/{id}", site.role);
	return (
		<Card title={t.retention}>
			{mayWrite ? <Choice key={kept} site={site} /> : <p>{t.retentionNow(words(kept))}</p>}
		</Card>
	);
}

function Choice({ site }: { readonly site: Site }) {
	const before = site.data_retention_months;
	const [wanted, setWanted] = useState<number>();
	const { mutateAsync: change } = useSiteChange(site, ({ data_retention_months: months = null }) =>
		t.retentionNow(words(months)),
	);
	const form = useForm(async (values) => {
		const text = textOf(values, "data_retention_months");
		const months = text === "" ? null : Number(text);
		if (months !== null && isShorter(months, before)) setWanted(months);
		else if (months !== before) await change({ data_retention_months: months });
	});
	return (
		<>
			<form className={styles.form} onSubmit={form.onSubmit}>
				<Problem failure={form.failure} />
				<Select
					label={t.keep}
					name="data_retention_months"
					defaultValue={before ?? ""}
					hint={t.retentionHint}
					error={form.errorOf("data_retention_months")}
				>
					<option value="">{t.forever}</option>
					{choices(before).map((months) => (
						<option key={months} value={months}>
							{t.months(months)}
						</option>
					))}
				</Select>
				<Button type="submit" className={styles.submit} disabled={form.isBusy}>
					{t.save}
				</Button>
			</form>
			{wanted !== undefined && (
				<Shorten
					site={site}
					months={wanted}
					onConfirm={() => change({ data_retention_months: wanted })}
					onClose={() => setWanted(undefined)}
				/>
			)}
		</>
	);
}

interface ShortenProps {
	readonly site: Site;
	readonly months: number;
	readonly onConfirm: () => Promise<unknown>;
	readonly onClose: () => void;
}

const Shorten = ({ site, months, ...on }: ShortenProps) => (
	<ConfirmDialog
		title={t.shorten}
		goes={[t.shortenGoes(day(firstKept(todayIn(site.timezone), months), "long")), t.shortenLater]}
		stays={[t.shortenStays]}
		name={site.name}
		action={t.shortenAction}
		{...on}
	/>
);
