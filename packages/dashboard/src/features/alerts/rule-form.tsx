import { type ComponentProps, type FormEvent, useCallback, useId, useState } from "react";
import { classes } from "../../lib/classes.ts";
import { count } from "../../lib/format.ts";
import { useForm } from "../../lib/use-form.ts";
import { useKept } from "../../lib/use-kept.ts";
import { Button } from "../../ui/button/button.tsx";
import { Area, Check, Field, Select } from "../../ui/field/field.tsx";
import { Options } from "../../ui/field/options.tsx";
import { Form } from "../../ui/form/form.tsx";
import { FilterList } from "../filters/index.ts";
import type { Rule } from "./alert-words.ts";
import styles from "./alerts.module.css";
import { falseAlarms, nearestSize, sizes, type Tried, triedLike } from "./false-alarms.ts";
import { t } from "./form-texts.ts";
import {
	baselines,
	conditions,
	directions,
	filtersOf,
	hasBaseline,
	hasDirection,
	type RulePartProps,
	type RuleType,
	ruleBody,
	type Shape,
	shapeOf,
	types,
	windows,
} from "./rule-body.ts";
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
		<div className="stack-16">
			<Form form={form} id={id} ref={begin} className="stack-16" onInput={read}>
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
					<p className="caption">{t.filtersHint}</p>
					<p role="alert" className="bad">
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

interface FalseAlarmsProps {
	readonly shape: Shape;
	/** 0 if unknown. */
	readonly pageViewsADay: number;
}

/** Says how often a rule like this fires by chance alone on sites of this size, and on others. */
function FalseAlarms({ shape, pageViewsADay }: FalseAlarmsProps) {
	const like = triedLike(shape);
	if (like === undefined) return null;
	const size = pageViewsADay > 0 ? nearestSize(pageViewsADay) : undefined;
	const expected = size === undefined ? 0 : falseAlarms[like][size];
	return (
		<div className={styles.alarms}>
			{expected ? (
				<p className="warning" role="status">
					{t.often(expected)}
				</p>
			) : null}
			<details>
				<summary>{t.alarms}</summary>
				<p className="caption">
					{t.alarmsHint} {pageViewsADay > 0 && t.yours(count(pageViewsADay))}
				</p>
				<div className={styles.scroller}>
					<table className={styles.table}>
						<thead>
							<tr>
								<th scope="col">{t.perDay}</th>
								{sizes.map((views, at) => (
									<th key={views} scope="col" className={classes(at === size && styles.ours)}>
										{count(views)}
									</th>
								))}
							</tr>
						</thead>
						<tbody>
							{(Object.keys(falseAlarms) as Tried[]).map((tried) => (
								<tr key={tried} aria-current={tried === like || undefined}>
									<th scope="row">{t.tried[tried]}</th>
									{falseAlarms[tried].map((alarms, at) => (
										<td key={sizes[at]} className={classes(at === size && styles.ours)}>
											{count(alarms)}
										</td>
									))}
								</tr>
							))}
						</tbody>
					</table>
				</div>
			</details>
		</div>
	);
}

/** When a rule fires. */
function ConditionFields({ rule, first, shape }: RulePartProps) {
	return (
		<fieldset className={styles.part}>
			<legend>{t.when}</legend>
			<Select
				label={t.condition}
				hint={t.conditionHelp[shape.condition]}
				name="condition_type"
				defaultValue={first.condition}
			>
				<Options of={conditions} text={(condition) => t.conditions[condition]} />
			</Select>
			<div className={styles.row}>
				<Field
					label={t.threshold[shape.condition]}
					hint={t.thresholdHint}
					name="threshold_value"
					type="number"
					min={0}
					max={10_000}
					step="any"
					required
					defaultValue={first.threshold}
				/>
				<Field
					label={t.cooldown}
					hint={t.cooldownHint}
					name="cooldown_minutes"
					type="number"
					min={5}
					max={1_440}
					required
					defaultValue={rule?.cooldown_minutes ?? 60}
				/>
			</div>
			<TimeFields rule={rule} first={first} shape={shape} />
		</fieldset>
	);
}

/** Which way, over which time, against which. */
function TimeFields({ first, shape }: RulePartProps) {
	return (
		<div className={styles.row}>
			<div hidden={!hasDirection(shape)}>
				<Select label={t.direction} name="threshold_direction" defaultValue={first.direction}>
					<Options of={directions} text={(direction) => t.directions[direction]} />
				</Select>
			</div>
			<Select label={t.window} name="comparison_window" defaultValue={first.window}>
				<Options of={windows} text={(window) => t.windows[window]} />
			</Select>
			{/* Refused hits are known for a day, so that their usual is that day's. */}
			<div hidden={!hasBaseline(shape) || shape.type === "error_rate"}>
				<Select label={t.baseline} name="baseline_period" defaultValue={first.baseline}>
					<Options of={baselines} text={(baseline) => t.baselines[baseline]} />
				</Select>
			</div>
		</div>
	);
}
