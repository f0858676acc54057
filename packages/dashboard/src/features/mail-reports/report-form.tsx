import { textOf, useForm } from "../../lib/use-form.ts";
import { Button } from "../../ui/button/button.tsx";
import { Area, Select } from "../../ui/field/field.tsx";
import { Problem } from "../../ui/page/form-page.tsx";
import { useSite } from "../site/index.ts";
import styles from "./mail-reports.module.css";
import { t } from "./texts.ts";
import { type Report, type ReportInput, useReports } from "./use-reports.ts";

const frequencies = ["weekly", "monthly"] as const;

const inputOf = (values: FormData): ReportInput => ({
	frequency: frequencies.find((one) => one === textOf(values, "frequency")) ?? "weekly",
	recipients: textOf(values, "recipients")
		.split(/[\s,;]+/)
		.filter((address) => address !== ""),
});

interface ReportFormProps {
	/** The report that is changed; absent for a new one. */
	readonly report?: Report;
	/** Address of the user, the default recipient. */
	readonly self: string;
	readonly onDone: () => void;
}

/** Recipients and frequency of a report mail. */
export function ReportForm({ report, self, onDone }: ReportFormProps) {
	const { id: site } = useSite();
	const { create, update } = useReports(site);
	const form = useForm(
		async (values) => {
			const input = inputOf(values);
			await (report === undefined ? create.mutateAsync(input) : update.mutateAsync({ report, input }));
			onDone();
		},
		{ draft: `report ${report?.id ?? "new"}` },
	);
	return (
		<form className={styles.form} {...form.keeping}>
			<Problem failure={form.failure} />
			<Select
				label={t.frequency}
				name="frequency"
				defaultValue={report?.frequency ?? "weekly"}
				error={form.errorOf("frequency")}
			>
				{frequencies.map((one) => (
					<option key={one} value={one}>
						{t.names[one]}
					</option>
				))}
			</Select>
			<Area
				label={t.recipients}
				hint={t.recipientsHint}
				name="recipients"
				required
				autoComplete="off"
				spellCheck={false}
				defaultValue={report?.recipients.map(({ email }) => email).join("\n") ?? self}
				error={form.errorOf("recipients")}
			/>
			<Button type="submit" look="primary" disabled={form.isBusy}>
				{report === undefined ? t.create : t.save}
			</Button>
		</form>
	);
}
