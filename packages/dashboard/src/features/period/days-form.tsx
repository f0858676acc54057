import { daysBetween } from "../../lib/days.ts";
import { Failure } from "../../lib/failure.ts";
import { textOf, useForm } from "../../lib/use-form.ts";
import { Button } from "../../ui/button/button.tsx";
import { Field } from "../../ui/field/field.tsx";
import { type Days, longestRange } from "../site/index.ts";
import styles from "./period-controls.module.css";
import { t } from "./texts.ts";

interface DaysFormProps {
	readonly legend: string;
	/** Initial dates. */
	readonly days: Days;
	readonly latest: string;
	readonly onChoose: (days: Days) => void;
}

/** Two days of one's choice. */
export function DaysForm({ legend, days, latest, onChoose }: DaysFormProps) {
	const form = useForm(async (values) => {
		const chosen = { from: textOf(values, "from"), to: textOf(values, "to") };
		const fault = faultOf(chosen);
		if (fault !== undefined) {
			const detail = [{ field: "body.to", message: fault }];
			throw new Failure(fault, { status: 422, code: "validation_error", detail });
		}
		onChoose(chosen);
	});
	const last = days.to < latest ? days.to : latest;
	return (
		<form className={styles.own} onSubmit={form.onSubmit}>
			<fieldset>
				<legend>{legend}</legend>
				<Field label={t.from} name="from" type="date" required max={latest} defaultValue={days.from} />
				<Field
					label={t.to}
					name="to"
					type="date"
					required
					max={latest}
					defaultValue={last}
					error={form.errorOf("to")}
				/>
			</fieldset>
			<Button type="submit" look="primary">
				{t.apply}
			</Button>
		</form>
	);
}

function faultOf({ from, to }: Days): string | undefined {
	if (to < from) return t.turned;
	return daysBetween(from, to) > longestRange ? t.tooLong(longestRange) : undefined;
}
