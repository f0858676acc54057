import { useQuery } from "@tanstack/react-query";
import { useCallback, useState } from "react";
import { type Form, textOf, useForm } from "../../lib/use-form.ts";
import { Dialog } from "../../ui/dialog/dialog.tsx";
import { Check, Field } from "../../ui/field/field.tsx";
import { RecordForm } from "../../ui/form/record-form.tsx";
import { Loaded } from "../../ui/loaded/loaded.tsx";
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
	<Dialog shape="drawer" title={id === undefined ? t.add : t.edit} onClose={onClose}>
		{id === undefined ? <RuleForm site={site} onClose={onClose} /> : <Changed site={site} id={id} onClose={onClose} />}
	</Dialog>
);

const Changed = ({ site, id, onClose }: RuleDialogProps & { readonly id: number }) => (
	<Loaded query={useQuery(ruleQuery(site.id, id))}>
		{(rule) => <RuleForm site={site} rule={rule} onClose={onClose} />}
	</Loaded>
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
	readonly rule?: Rule;
}

function RuleForm({ site, rule, onClose }: RuleFormProps) {
	const { add, change } = useRules(site.id);
	const [typed, setTyped] = useState<RuleFields>();
	const form = useForm(
		async (values) => {
			const to = fieldsOf(values);
			await (rule === undefined ? add.mutateAsync(to) : change.mutateAsync({ rule, to }));
			onClose();
		},
		{ draft: `rule ${rule?.id ?? "new"}` },
	);
	const onType = useCallback((element: HTMLFormElement) => setTyped(fieldsOf(new FormData(element))), []);
	return (
		<RecordForm form={form} onCancel={onClose} onType={onType}>
			<Name site={site} rule={rule} errorOf={form.errorOf} />
			<ConditionFields site={site} rule={rule} errorOf={form.errorOf} />
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
				error={form.errorOf("priority")}
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

interface NameProps extends Pick<Form, "errorOf"> {
	readonly site: Site;
	readonly rule: Rule | undefined;
}

function Name({ site, rule, errorOf }: NameProps) {
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
				error={errorOf("channel_name")}
			/>
			<datalist id="channel-names">
				{[...new Set(data?.rules.map(({ channel_name: name }) => name))].map((name) => (
					<option key={name} value={name} />
				))}
			</datalist>
		</>
	);
}
