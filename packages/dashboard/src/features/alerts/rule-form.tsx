import { type FormEvent, useCallback, useId, useState } from "react";
import { useForm } from "../../lib/use-form.ts";
import { useKept } from "../../lib/use-kept.ts";
import { Button } from "../../ui/button/button.tsx";
import { Area, Field } from "../../ui/field/field.tsx";
import { Problem } from "../../ui/page/form-page.tsx";
import { FilterList } from "../filters/index.ts";
import type { Rule } from "./alert-words.ts";
import styles from "./alerts.module.css";
import { FalseAlarms } from "./false-alarms-table.tsx";
import { t } from "./form-texts.ts";
import { filtersOf, ruleBody, shapeOf } from "./rule-body.ts";
import { ConditionFields } from "./rule-condition.tsx";
import { shapeOfRule } from "./rule-defaults.ts";
import { ReceiverFields } from "./rule-receivers.tsx";
import { SubjectFields } from "./rule-subject.tsx";
import { useRules } from "./use-rules.ts";

interface RuleFormProps {
	/** Missing for a new one. */
	readonly rule?: Rule | undefined;
	readonly pageViewsADay: number;
	readonly onDone: () => void;
}

/** As many as the API takes. */
const mostFilters = 20;

/** All that a rule is made of. Fields that the others make pointless are out of sight, and are not sent. */
export function RuleForm({ rule, pageViewsADay, onDone }: RuleFormProps) {
	const { add, change } = useRules();
	const first = shapeOfRule(rule, pageViewsADay);
	const [shape, setShape] = useState(first);
	const draft = rule ? `alert-rule ${rule.id}` : "alert-rule";
	const [filters, setFilters, forget] = useKept(`${draft} filters`, filtersOf(rule?.custom_condition?.filters));
	const id = useId();
	const form = useForm(
		async (values) => {
			const body = ruleBody(values, filters);
			await (rule ? change.mutateAsync({ before: rule, body }) : add.mutateAsync(body));
			forget();
			onDone();
		},
		{ draft },
	);
	const { ref, onInput, onSubmit } = form.keeping;
	// A draft that comes back says other things than the rule did.
	const begin = useCallback(
		(element: HTMLFormElement | null) => {
			ref(element);
			if (element !== null) setShape(shapeOf(new FormData(element)));
		},
		[ref],
	);
	const read = (event: FormEvent<HTMLFormElement>) => {
		onInput(event);
		setShape(shapeOf(new FormData(event.currentTarget)));
	};
	const parts = { rule, first, shape, errorOf: form.errorOf };
	// The editor of a filter is a form of its own, so that it stands outside of the one that is sent.
	return (
		<div className={styles.form}>
			<form id={id} ref={begin} className={styles.form} onInput={read} onSubmit={onSubmit}>
				<Problem failure={form.failure} />
				<Field
					label={t.name}
					name="name"
					placeholder={t.namePlaceholder}
					required
					maxLength={255}
					autoComplete="off"
					defaultValue={rule?.name}
					error={form.errorOf("name")}
				/>
				<SubjectFields {...parts} />
				<ConditionFields {...parts} />
				<FalseAlarms shape={shape} pageViewsADay={pageViewsADay} />
				<ReceiverFields {...parts} />
				<Area
					label={t.description}
					name="description"
					rows={2}
					maxLength={1_000}
					defaultValue={rule?.description ?? ""}
					error={form.errorOf("description")}
				/>
			</form>
			{shape.type !== "error_rate" && (
				<fieldset className={styles.part}>
					<legend>{t.filters}</legend>
					<FilterList name={t.filters} list={filters} most={mostFilters} onChange={setFilters} />
					<p className={styles.hint}>{t.filtersHint}</p>
					<p role="alert" className={styles.fault}>
						{form.errorOf("custom_condition.filters")}
					</p>
				</fieldset>
			)}
			<div className={styles.end}>
				<Button type="submit" form={id} look="primary" disabled={form.isBusy}>
					{rule ? t.save : t.add}
				</Button>
			</div>
		</div>
	);
}
