import { useQuery } from "@tanstack/react-query";
import { useCallback, useState } from "react";
import { textOf } from "../../lib/use-form.ts";
import { Check, Field } from "../../ui/field/field.tsx";
import { RecordDialog, RecordForm } from "../../ui/form/record-form.tsx";
import { useRecordForm } from "../../ui/form/use-records.ts";
import type { Site } from "../site/index.ts";
import { ConditionFields, patternOf } from "./condition-fields.tsx";
import { Laboratory } from "./laboratory.tsx";
import { patternFields } from "./rule-words.ts";
import { t } from "./texts.ts";
import type { Tried } from "./trial.ts";
import { type Rule, type RuleFields, ruleQuery, rulesQuery, useRules } from "./use-rules.ts";

interface RuleDialogProps {
	readonly site: Site;
	/** Of what is changed; a new one without it. */
	readonly id?: number;
	readonly onClose: () => void;
}

/** Form of a rule with a preview of its effect. */
export const RuleDialog = ({ site, id, onClose }: RuleDialogProps) => (
	<RecordDialog
		shape="drawer"
		title={id === undefined ? t.add : t.edit}
		query={id === undefined ? undefined : ruleQuery(site.id, id)}
		onClose={onClose}
	>
		{(rule) => <RuleForm site={site} rule={rule} onClose={onClose} />}
	</RecordDialog>
);

const fieldsOf = (values: FormData): RuleFields => ({
	channel_name: textOf(values, "channel_name").trim(),
	source_pattern: patternOf(values, "source_pattern"),
	medium_pattern: patternOf(values, "medium_pattern"),
	campaign_pattern: patternOf(values, "campaign_pattern"),
	priority: Number(textOf(values, "priority")),
	is_active: values.has("is_active"),
});

interface RuleFormProps extends Pick<RuleDialogProps, "site" | "onClose"> {
	readonly rule: Rule | undefined;
}

function RuleForm({ site, rule, onClose }: RuleFormProps) {
	const [typed, setTyped] = useState<RuleFields>();
	const form = useRecordForm({ changes: useRules(site.id), row: rule, kind: "rule", fieldsOf, onDone: onClose });
	const onType = useCallback((element: HTMLFormElement) => setTyped(fieldsOf(new FormData(element))), []);
	return (
		<RecordForm form={form} onCancel={onClose} onType={onType}>
			<Name site={site} rule={rule} />
			<ConditionFields site={site} rule={rule} />
			<Laboratory site={site} rule={typed && triedOf(typed, rule)} isLive={rule?.is_active === true} />
			<Field
				label={t.priority}
				hint={t.priorityHint}
				name="priority"
				type="number"
				min={0}
				max={1000}
				step={1}
				required
				defaultValue={rule?.priority ?? 50}
			/>
			<Check label={t.isLive} hint={t.isLiveHint} name="is_active" defaultChecked={rule?.is_active ?? false} />
		</RecordForm>
	);
}

/** The rule to preview: the form's, once it has a channel and a condition. */
function triedOf({ is_active: _, ...fields }: RuleFields, rule: Rule | undefined): Tried | undefined {
	const isWhole = fields.channel_name !== "" && patternFields.some((field) => fields[field] !== null);
	return isWhole ? { ...fields, ...(rule && { id: rule.id }) } : undefined;
}

function Name({ site, rule }: { readonly site: Site; readonly rule: Rule | undefined }) {
	const { data } = useQuery(rulesQuery(site.id));
	return (
		<>
			<Field
				label={t.channel}
				hint={t.channelHint}
				name="channel_name"
				list="channel-names"
				defaultValue={rule?.channel_name}
				required
				maxLength={50}
				autoFocus
				autoComplete="off"
			/>
			<datalist id="channel-names">
				{[...new Set(data?.rules.map(({ channel_name: name }) => name))].map((name) => (
					<option key={name} value={name} />
				))}
			</datalist>
		</>
	);
}
