import { useState } from "react";
import { daysBetween, dayWithin, isDay } from "../../lib/days.ts";
import { Failure } from "../../lib/failure.ts";
import { useForm } from "../../lib/use-form.ts";
import { Button } from "../../ui/button/button.tsx";
import { Field } from "../../ui/field/field.tsx";
import { type Days, longestRange, useSite } from "../site/index.ts";
import { Calendar } from "./calendar.tsx";
import { useFirstDay } from "./first-day.ts";
import styles from "./period-controls.module.css";
import { t } from "./texts.ts";

interface DaysFormProps {
	readonly legend: string;
	/** Initial dates. */
	readonly days: Days;
	readonly latest: string;
	readonly onChoose: (days: Days) => void;
}

/** Two days of one's choice between the first data and the latest day, typed or chosen in a calendar. */
export function DaysForm({ legend, days, latest, onChoose }: DaysFormProps) {
	const { first: earliest = "" } = useFirstDay(useSite().id);
	const within = (day: string) => dayWithin(day, earliest, latest);
	const [edited, setEdited] = useState<Partial<Days>>({});
	const [at, setAt] = useState(days.to);
	const chosen = { from: within(days.from), to: within(days.to), ...edited };
	const form = useForm(async () => {
		const fault = faultOf(chosen);
		if (fault !== undefined) {
			const detail = [{ field: "body.to", message: fault }];
			throw new Failure(fault, { status: 422, code: "validation_error", detail });
		}
		onChoose(chosen);
	});
	const field = (name: keyof Days) => ({
		name,
		type: "date",
		required: true,
		min: earliest,
		max: latest,
		value: chosen[name],
		onChange: ({ target }: { readonly target: HTMLInputElement }) => {
			setEdited({ ...edited, [name]: target.value });
			if (isDay(target.value)) setAt(target.value);
		},
	});
	return (
		<form className={styles.own} onSubmit={form.onSubmit}>
			<fieldset>
				<legend>{legend}</legend>
				<Field label={t.from} {...field("from")} />
				<Field label={t.to} {...field("to")} error={form.errorOf("to")} />
			</fieldset>
			<Calendar
				chosen={chosen}
				at={within(at)}
				earliest={earliest}
				latest={latest}
				onMove={setAt}
				onChoose={setEdited}
			/>
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
