import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "../../api/client.ts";
import { textOf, useForm } from "../../lib/use-form.ts";
import { Button } from "../../ui/button/button.tsx";
import { Field, Select } from "../../ui/field/field.tsx";
import { Problem } from "../../ui/page/form-page.tsx";
import page from "../../ui/page/page.module.css";
import { toast } from "../../ui/toast/toast.tsx";
import { reportQuery, useReport, useSite, useSiteSearch } from "../site/index.ts";
import styles from "./goals.module.css";
import { rulesQuery } from "./rules-query.ts";
import { t } from "./texts.ts";

const counted = ["conversions", "revenue", "microconversions", "entrances", "page_views"] as const;
type Counted = (typeof counted)[number];
const periods = ["day", "week", "month"] as const;
/** Those that events have types of. */
const typed: readonly Counted[] = ["conversions", "revenue", "microconversions"];

const oneOf = <T extends string>(values: readonly [T, ...T[]], value: string): T =>
	values.find((one) => one === value) ?? values[0];

/** A goal is a rule that looks at the sum of the running day, week or month. */
function createGoal(site: string, metric: Counted, values: FormData) {
	const type = textOf(values, "type");
	return call("POST /alerts/rules", {
		query: { account_id: site },
		body: {
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
			},
			notify_email: values.has("notify_email"),
		},
	});
}

/** A new goal. */
export function GoalEditor({ onDone }: { readonly onDone: () => void }) {
	const site = useSite();
	const queries = useQueryClient();
	const [metric, setMetric] = useState<Counted>("conversions");
	const types = useTypes(metric);
	const form = useForm(async (values) => {
		await createGoal(site.id, metric, values);
		await queries.invalidateQueries({ queryKey: rulesQuery(site.id).queryKey });
		toast(t.created);
		onDone();
	});
	return (
		<form className={page.form} onSubmit={form.onSubmit}>
			<Problem failure={form.failure} />
			<Field
				label={t.name}
				name="name"
				placeholder={t.namePlaceholder}
				required
				maxLength={255}
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
							{t.metrics[key]}
						</option>
					))}
				</Select>
				{typed.includes(metric) && (
					<Select label={t.goalType} name="type" error={form.errorOf("custom_condition.conversion_type")}>
						<option value="">{t.anyType}</option>
						{types.map((type) => (
							<option key={type} value={type}>
								{type}
							</option>
						))}
					</Select>
				)}
			</div>
			<TargetFields errorOf={form.errorOf} />
			<label className={styles.check}>
				<input type="checkbox" name="notify_email" defaultChecked />
				{t.mail}
			</label>
			<Button type="submit" look="primary" disabled={form.isBusy}>
				{t.add}
			</Button>
		</form>
	);
}

/** How many, and by when. */
const TargetFields = ({ errorOf }: { readonly errorOf: (field: string) => string | undefined }) => (
	<div className={styles.row}>
		<Field
			label={t.target}
			name="threshold_value"
			type="number"
			min={1}
			max={10_000}
			step="any"
			required
			error={errorOf("threshold_value")}
		/>
		<Select label={t.by} name="period" defaultValue="month" error={errorOf("custom_condition.period")}>
			{periods.map((period) => (
				<option key={period} value={period}>
					{t.ends[period]}
				</option>
			))}
		</Select>
	</div>
);

/** The types that the site has had, those that are frequent first. */
function useTypes(metric: Counted): readonly string[] {
	const site = useSite();
	const query = { ...reportQuery(site.id, useSiteSearch()), period: "90d" as const, page_size: 50 };
	const { segment_filters: _, segment: __, start_date: ___, end_date: ____, ...asked } = query;
	const isEvent = metric === "microconversions";
	const conversions = useReport("GET /stats/conversions", asked, !isEvent);
	const events = useReport("GET /stats/microconversions", asked, isEvent);
	return ((isEvent ? events : conversions).data?.data ?? []).map(({ conversion_type: type }) => type);
}
