import { type ComponentProps, type FormEvent, useCallback, useId, useState } from "react";
import { useForm } from "../../lib/use-form.ts";
import { useKept } from "../../lib/use-kept.ts";
import { Button } from "../../ui/button/button.tsx";
import { Area, Check, Field } from "../../ui/field/field.tsx";
import { Form } from "../../ui/form/form.tsx";
import { FilterList } from "../filters/index.ts";
import type { Rule } from "./alert-words.ts";
import styles from "./alerts.module.css";
import { FalseAlarms } from "./false-alarms-table.tsx";
import { t } from "./form-texts.ts";
import { filtersOf, type RuleType, ruleBody, type Shape, shapeOf, types } from "./rule-body.ts";
import { ConditionFields } from "./rule-condition.tsx";
import type { RulePartProps } from "./rule-parts.ts";
import { SubjectFields } from "./rule-subject.tsx";
import { useRules } from "./use-rules.ts";

/** Below it an hour is moved by chance alone. */
const enoughForHours = 10_000;

/** Initial shape of the form. On small sites rules measure a day, as an hour has too few hits. */
function shapeOfRule(rule: Rule | undefined, pageViewsADay: number): Shape {
	if (rule === undefined) {
		return {
			type: "traffic_drop",
			figure: "pageviews",
			condition: "percentage_change",
			baseline: "7d",
			window: pageViewsADay < enoughForHours ? "24h" : "1h",
			direction: "both",
			threshold: 50,
			tells: { mail: true, slack: false, webhook: false },
		};
	}
	const type = types.find((one): one is RuleType => one === rule.alert_type) ?? "custom";
	const named = rule.metric === "custom" ? (rule.custom_condition?.metric ?? "page_views") : rule.metric;
	return {
		type,
		figure: type === "custom" && named === "pageviews" ? "page_views" : named,
		condition: rule.condition_type,
		baseline: rule.baseline_period,
		window: rule.comparison_window,
		direction: rule.threshold_direction,
		threshold: rule.threshold_value,
		tells: { mail: rule.notify_email, slack: rule.notify_slack, webhook: rule.notify_webhook },
	};
}

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
	const { ref, onInput } = form.keeping;
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
	const parts = { rule, first, shape };
	// The editor of a filter is a form of its own, so that it stands outside of the one that is sent.
	return (
		<div className={styles.form}>
			<Form form={form} id={id} ref={begin} className={styles.form} onInput={read}>
				<Field
					label={t.name}
					name="name"
					placeholder={t.namePlaceholder}
					required
					maxLength={255}
					autoComplete="off"
					defaultValue={rule?.name}
				/>
				<SubjectFields {...parts} errorOf={form.errorOf} />
				<ConditionFields {...parts} />
				<FalseAlarms shape={shape} pageViewsADay={pageViewsADay} />
				<ReceiverFields {...parts} />
				<Area
					label={t.description}
					name="description"
					rows={2}
					maxLength={1_000}
					defaultValue={rule?.description ?? ""}
				/>
			</Form>
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

/** Recipients of a rule's alerts. */
function ReceiverFields({ rule, first, shape }: RulePartProps) {
	const { mail, slack, webhook } = shape.tells;
	return (
		<fieldset className={styles.part}>
			<legend>{t.told}</legend>
			<Check label={t.mail} name="notify_email" defaultChecked={first.tells.mail} />
			<div hidden={!mail} className={styles.below}>
				<Area
					label={t.recipients}
					hint={t.recipientsHint}
					name="email_recipients"
					rows={2}
					inputMode="email"
					autoCapitalize="none"
					spellCheck={false}
					defaultValue={rule?.email_recipients.join("\n")}
				/>
			</div>
			<Check label={t.slack} name="notify_slack" defaultChecked={first.tells.slack} />
			<div hidden={!slack} className={styles.below}>
				<UrlField
					label={t.slackUrl}
					hint={t.slackHint}
					name="slack_webhook_url"
					required={slack}
					defaultValue={rule?.slack_webhook_url ?? ""}
				/>
			</div>
			<Check label={t.webhook} name="notify_webhook" defaultChecked={first.tells.webhook} />
			<div hidden={!webhook} className={styles.below}>
				<UrlField
					label={t.webhookUrl}
					hint={t.webhookHint}
					name="custom_webhook_url"
					required={webhook}
					defaultValue={rule?.custom_webhook_url ?? ""}
				/>
			</div>
		</fieldset>
	);
}

const UrlField = (props: ComponentProps<typeof Field>) => (
	<Field {...props} inputMode="url" autoComplete="off" spellCheck={false} maxLength={500} />
);
