import { useState } from "react";
import { call } from "../../api/client.ts";
import { todayIn } from "../../lib/days.ts";
import { day } from "../../lib/format.ts";
import { textOf, useForm } from "../../lib/use-form.ts";
import { Button } from "../../ui/button/button.tsx";
import { Card } from "../../ui/card/card.tsx";
import { ConfirmDialog } from "../../ui/confirm/confirm-dialog.tsx";
import { Field } from "../../ui/field/field.tsx";
import { Form } from "../../ui/form/form.tsx";
import { useChange } from "../../ui/form/use-change.ts";
import type { Site } from "../site/index.ts";
import { deletionsRoute } from "./deletions.ts";
import styles from "./site-settings.module.css";
import { t } from "./texts.ts";

interface Days {
	readonly from?: string;
	readonly to?: string;
}

/** Deletes some days of a site, or all. */
export function EraseCard({ site }: { readonly site: Site }) {
	const [isAll, setAll] = useState(false);
	const [wanted, setWanted] = useState<Days>();
	const [from, setFrom] = useState("");
	const today = todayIn(site.timezone);
	const { mutateAsync: erase } = useChange({
		run: (days: Days) =>
			call("DELETE /sites/{id}/data", { path: { id: site.id }, body: { ...days, confirm: site.id } }),
		stale: [deletionsRoute],
		done: () => t.begun,
	});
	const form = useForm(async (values) =>
		setWanted(isAll ? {} : { from: textOf(values, "from"), to: textOf(values, "to") }),
	);
	return (
		<Card title={t.erase}>
			<Form form={form} className={styles.form}>
				<fieldset className={styles.ways}>
					<legend className="visually-hidden">{t.what}</legend>
					{[false, true].map((all) => (
						<label key={String(all)}>
							<input type="radio" name="what" checked={isAll === all} onChange={() => setAll(all)} />
							{all ? t.everything : t.range}
						</label>
					))}
				</fieldset>
				{!isAll && (
					<div className={styles.pair}>
						<Field
							label={t.from}
							name="from"
							type="date"
							max={today}
							value={from}
							onChange={(event) => setFrom(event.target.value)}
							required
						/>
						<Field label={t.to} name="to" type="date" min={from} max={today} required />
					</div>
				)}
				<p className={styles.hint}>{t.eraseHint}</p>
				<Button type="submit" look="danger" className={styles.submit}>
					{t.next}
				</Button>
			</Form>
			{wanted && (
				<ConfirmDialog
					title={t.eraseTitle}
					goes={[sentenceOf(wanted), t.eraseFiles]}
					stays={t.eraseStays}
					name={site.name}
					action={t.eraseAction}
					onConfirm={() => erase(wanted)}
					onClose={() => setWanted(undefined)}
				/>
			)}
		</Card>
	);
}

const sentenceOf = ({ from, to }: Days): string =>
	from === undefined || to === undefined ? t.eraseAll : t.eraseDays(day(from, "long"), day(to, "long"));
