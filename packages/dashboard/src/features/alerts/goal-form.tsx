import { useState } from "react";
import { textOf, useForm } from "../../lib/use-form.ts";
import { Button } from "../../ui/button/button.tsx";
import { Check, Field, Select } from "../../ui/field/field.tsx";
import { Problem } from "../../ui/page/form-page.tsx";
import { reportQuery, useReport, useSite, useSiteSearch } from "../site/index.ts";
import { figureNamed, type Rule } from "./alert-words.ts";
import styles from "./alerts.module.css";
import { t } from "./goal-texts.ts";
import type { RuleBody } from "./rule-body.ts";
import { useRules } from "./use-rules.ts";

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
		<form className={styles.form} onSubmit={form.onSubmit}>
			<Problem failure={form.failure} />
			<Field
				label={t.name}
				name="name"
				placeholder={t.namePlaceholder}
				required
				maxLength={255}
				defaultValue={goal?.name ?? (isExample ? t.namePlaceholder : undefined)}
				error={form.errorOf("name")}
			/>
			<div className={styles.row}>
				<Select
					label={t.what}
					value={metric}
					onChange={(event) => setMetric(oneOf(counted, event.target.value))}
					error={form.errorOf("custom_condition.metric")}
				>
					{counted.map((key) => (
						<option key={key} value={key}>
							{figureNamed(key).label}
						</option>
					))}
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
						{types.map((type) => (
							<option key={type} value={type}>
								{type}
							</option>
						))}
					</Select>
				)}
			</div>
			<TargetFields
				target={goal?.threshold_value ?? (isExample ? exampleTarget : undefined)}
				period={goal?.custom_condition?.period}
				errorOf={form.errorOf}
			/>
			<Check label={t.mail} name="notify_email" defaultChecked={goal?.notify_email ?? true} />
			<div className={styles.end}>
				<Button type="submit" look="primary" disabled={form.isBusy}>
					{goal ? t.save : t.add}
				</Button>
			</div>
		</form>
	);
}

interface TargetFieldsProps {
	readonly target: number | undefined;
	readonly period: (typeof periods)[number] | undefined;
	readonly errorOf: (field: string) => string | undefined;
}

/** How many, and by when. */
const TargetFields = ({ target, period, errorOf }: TargetFieldsProps) => (
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
			error={errorOf("threshold_value")}
		/>
		<Select label={t.by} name="period" defaultValue={period ?? "month"} error={errorOf("custom_condition.period")}>
			{periods.map((key) => (
				<option key={key} value={key}>
					{t.ends[key]}
				</option>
			))}
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
