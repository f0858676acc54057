import { useState } from "react";
import { texts } from "../../lib/language.ts";
import { textOf, useForm } from "../../lib/use-form.ts";
import { Check, Field, Select } from "../../ui/field/field.tsx";
import { Options } from "../../ui/field/options.tsx";
import { Form, Submit } from "../../ui/form/form.tsx";
import { reportQuery, useReport, useSite, useSiteSearch } from "../site/index.ts";
import { figureNamed, type Rule } from "./alert-words.ts";
import styles from "./alerts.module.css";
import type { RuleBody } from "./rule-body.ts";
import { useRules } from "./use-rules.ts";

/** Texts of the form of a goal. */
const t = texts({
	en: {
		add: "Create goal",
		name: "Name",
		namePlaceholder: "300 orders a month",
		what: "Metric",
		type: "Conversion type",
		anyType: "All types",
		target: "Target",
		by: "By the end of the",
		ends: { day: "day", week: "week", month: "month" },
		mail: "Email the owners when it is reached",
		save: "Save",
	},
	es: {
		add: "Crear objetivo",
		name: "Nombre",
		namePlaceholder: "300 pedidos al mes",
		what: "Métrica",
		type: "Tipo de conversión",
		anyType: "Todos los tipos",
		target: "Meta",
		by: "Antes de que acabe",
		ends: { day: "el día", week: "la semana", month: "el mes" },
		mail: "Enviar un correo a los propietarios cuando se alcance",
		save: "Guardar",
	},
});

const counted = ["conversions", "revenue", "microconversions", "entrances", "page_views"] as const;
type Counted = (typeof counted)[number];
const periods = ["day", "week", "month"] as const;
/** Those that events have types of. */
const typed: readonly Counted[] = ["conversions", "revenue", "microconversions"];

const oneOf = <T extends string>(values: readonly [T, ...T[]], value: string): T =>
	values.find((one) => one === value) ?? values[0];

/** A goal is a rule on the sum of the running day, week or month. Fields that the form does not show are kept. */
function goalBody(metric: Counted, values: FormData, goal: Rule | undefined): RuleBody {
	const type = typed.includes(metric) ? textOf(values, "type").trim() : "";
	const { filters, goal_name } = goal?.custom_condition ?? {};
	return {
		name: textOf(values, "name"),
		alert_type: "goal_reached",
		metric: "custom",
		condition_type: "absolute_threshold",
		threshold_direction: "increase",
		threshold_value: Number(textOf(values, "threshold_value")),
		custom_condition: {
			metric,
			period: oneOf(periods, textOf(values, "period")),
			...(type !== "" && { conversion_type: type }),
			...(filters !== undefined && { filters }),
			...(goal_name !== undefined && { goal_name }),
		},
		notify_email: values.has("notify_email"),
	};
}

/** The metric of a goal, by its name in the form. */
const countedBy = ({ metric, custom_condition: condition }: Rule): Counted =>
	oneOf(counted, metric === "custom" ? (condition?.metric ?? "") : figureNamed(metric).key);

/** The target in the name of the example. */
const exampleTarget = 300;

interface GoalFormProps {
	/** Missing for a new one. */
	readonly goal?: Rule | undefined;
	/** A new one that is filled with an example. */
	readonly isExample?: boolean;
	readonly onDone: () => void;
}

/** A number to reach by the end of a day, week or month. */
export function GoalForm({ goal, isExample = false, onDone }: GoalFormProps) {
	const { add, change } = useRules();
	const [metric, setMetric] = useState<Counted>(goal ? countedBy(goal) : "conversions");
	const types = useTypes(metric, goal?.custom_condition?.conversion_type);
	const form = useForm(async (values) => {
		const body = goalBody(metric, values, goal);
		await (goal ? change.mutateAsync({ before: goal, body }) : add.mutateAsync(body));
		onDone();
	});
	return (
		<Form form={form} className="stack-16">
			<Field
				label={t.name}
				name="name"
				placeholder={t.namePlaceholder}
				required
				maxLength={255}
				defaultValue={goal?.name ?? (isExample ? t.namePlaceholder : undefined)}
			/>
			<div className={styles.row}>
				<Select
					label={t.what}
					value={metric}
					onChange={(event) => setMetric(oneOf(counted, event.target.value))}
					error={form.errorOf("custom_condition.metric")}
				>
					<Options of={counted} text={(key) => figureNamed(key).label} />
				</Select>
				{typed.includes(metric) && (
					<Select
						// The types come later, and a choice that is not there yet cannot be made.
						key={types.join()}
						label={t.type}
						name="type"
						defaultValue={goal?.custom_condition?.conversion_type}
						error={form.errorOf("custom_condition.conversion_type")}
					>
						<option value="">{t.anyType}</option>
						<Options of={types} />
					</Select>
				)}
			</div>
			<TargetFields
				target={goal?.threshold_value ?? (isExample ? exampleTarget : undefined)}
				period={goal?.custom_condition?.period}
				error={form.errorOf("custom_condition.period")}
			/>
			<Check label={t.mail} name="notify_email" defaultChecked={goal?.notify_email ?? true} />
			<div className={styles.end}>
				<Submit>{goal ? t.save : t.add}</Submit>
			</div>
		</Form>
	);
}

interface TargetFieldsProps {
	readonly target: number | undefined;
	readonly period: (typeof periods)[number] | undefined;
	readonly error: string | undefined;
}

/** How many, and by when. */
const TargetFields = ({ target, period, error }: TargetFieldsProps) => (
	<div className={styles.row}>
		<Field
			label={t.target}
			name="threshold_value"
			type="number"
			min={1}
			max={10_000}
			step="any"
			required
			defaultValue={target}
		/>
		<Select label={t.by} name="period" defaultValue={period ?? "month"} error={error}>
			<Options of={periods} text={(key) => t.ends[key]} />
		</Select>
	</div>
);

/** The types that the site has had, those that are frequent first, and the one that was chosen. */
function useTypes(metric: Counted, chosen: string | undefined): readonly string[] {
	const site = useSite();
	const query = { ...reportQuery(site.id, useSiteSearch()), period: "90d" as const, page_size: 50 };
	const { segment_filters: _, segment: __, start_date: ___, end_date: ____, ...asked } = query;
	const isEvent = metric === "microconversions";
	const conversions = useReport("GET /stats/conversions", asked, !isEvent);
	const events = useReport("GET /stats/microconversions", asked, isEvent);
	const known = ((isEvent ? events : conversions).data?.data ?? []).map(({ conversion_type: type }) => type);
	return chosen === undefined || known.includes(chosen) ? known : [chosen, ...known];
}
