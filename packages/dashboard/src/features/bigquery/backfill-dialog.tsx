import { addDays, todayIn } from "../../lib/days.ts";
import { textOf, useForm } from "../../lib/use-form.ts";
import { Dialog } from "../../ui/dialog/dialog.tsx";
import { Field } from "../../ui/field/field.tsx";
import { Pair, RecordForm } from "../../ui/form/record-form.tsx";
import { useSite } from "../site/index.ts";
import styles from "./bigquery.module.css";
import type { useBigQuery } from "./queries.ts";
import { t } from "./texts.ts";

const usualDays = 30;

interface BackfillProps {
	readonly changes: ReturnType<typeof useBigQuery>;
	readonly onClose: () => void;
}

/** Asks which days of the past are to be synced. */
export function BackfillDialog({ changes: { backfill }, onClose }: BackfillProps) {
	const { timezone } = useSite();
	const today = todayIn(timezone);
	const form = useForm(async (values) => {
		await backfill.mutateAsync({
			date_from: textOf(values, "date_from"),
			date_to: textOf(values, "date_to"),
			chunk_days: Number(textOf(values, "chunk_days")),
		});
		onClose();
	});
	return (
		<Dialog title={t.backfillTitle} onClose={onClose}>
			<RecordForm form={form} action={form.isBusy ? t.syncing : t.begin} onCancel={onClose}>
				<p className={styles.intro}>{t.backfillWords}</p>
				<Pair>
					<Field
						label={t.from}
						name="date_from"
						type="date"
						required
						max={today}
						defaultValue={addDays(today, 1 - usualDays)}
						error={form.errorOf("date_from")}
					/>
					<Field
						label={t.to}
						name="date_to"
						type="date"
						required
						max={today}
						defaultValue={today}
						error={form.errorOf("date_to")}
					/>
				</Pair>
				<Field
					label={t.chunkDays}
					name="chunk_days"
					type="number"
					min={1}
					max={30}
					required
					defaultValue={7}
					error={form.errorOf("chunk_days")}
				/>
			</RecordForm>
		</Dialog>
	);
}
