import { useQuery } from "@tanstack/react-query";
import { type Form, textOf, useForm } from "../../lib/use-form.ts";
import { Dialog } from "../../ui/dialog/dialog.tsx";
import { Field, Select } from "../../ui/field/field.tsx";
import { Pair, RecordForm } from "../../ui/form/record-form.tsx";
import { Loaded } from "../../ui/loaded/loaded.tsx";
import type { Site } from "../site/index.ts";
import styles from "./sources.module.css";
import { t } from "./texts.ts";
import { type ReferrerRule, referrerRuleQuery, useReferrerRules } from "./use-referrer-rules.ts";
import { ValuesFields } from "./values-fields.tsx";

const words = t.referrers;
const matches = ["exact", "contains", "starts_with", "ends_with", "regex"] as const;

interface ReferrerDialogProps {
	readonly site: Site;
	/** Of what is changed; a new one without it. */
	readonly id?: number;
	readonly onClose: () => void;
}

/** A rule that names the source of visits from elsewhere. */
export const ReferrerDialog = ({ site, id, onClose }: ReferrerDialogProps) => (
	<Dialog title={id === undefined ? words.add : words.edit} onClose={onClose}>
		{id === undefined ? (
			<ReferrerForm site={site} onClose={onClose} />
		) : (
			<Changed site={site} id={id} onClose={onClose} />
		)}
	</Dialog>
);

const Changed = ({ site, id, onClose }: ReferrerDialogProps & { readonly id: number }) => (
	<Loaded query={useQuery(referrerRuleQuery(site.id, id))}>
		{(row) => <ReferrerForm site={site} row={row} onClose={onClose} />}
	</Loaded>
);

const rowOf = (values: FormData) => ({
	referrer_pattern: textOf(values, "referrer_pattern"),
	match_type: matches.find((match) => match === textOf(values, "match_type")) ?? "exact",
	utm_source: textOf(values, "utm_source"),
	utm_medium: textOf(values, "utm_medium"),
	utm_campaign: textOf(values, "utm_campaign"),
	utm_term: textOf(values, "utm_term"),
	utm_content: textOf(values, "utm_content"),
	label: textOf(values, "label") || null,
	description: textOf(values, "description") || null,
	priority: Number(textOf(values, "priority")),
});

interface ReferrerFormProps extends Pick<ReferrerDialogProps, "site" | "onClose"> {
	readonly row?: ReferrerRule;
}

function ReferrerForm({ site, row, onClose }: ReferrerFormProps) {
	const { add, change } = useReferrerRules(site.id);
	const form = useForm(
		async (values) => {
			const to = rowOf(values);
			await (row === undefined ? add.mutateAsync(to) : change.mutateAsync({ row, to }));
			onClose();
		},
		{ draft: `referrer ${row?.id ?? "new"}` },
	);
	const { utm_source = "", utm_medium = "referral", utm_campaign = "", utm_term = "", utm_content = "" } = row ?? {};
	return (
		<RecordForm form={form} onCancel={onClose}>
			<Pattern row={row} errorOf={form.errorOf} />
			<ValuesFields values={{ utm_source, utm_medium }} errorOf={form.errorOf} />
			<details className={styles.more}>
				<summary>{words.more}</summary>
				<ValuesFields values={{ utm_campaign, utm_term, utm_content }} errorOf={form.errorOf} />
			</details>
			<About row={row} errorOf={form.errorOf} />
		</RecordForm>
	);
}

interface PartProps extends Pick<Form, "errorOf"> {
	readonly row: ReferrerRule | undefined;
}

const Pattern = ({ row, errorOf }: PartProps) => (
	<Pair>
		<Select label={words.how} name="match_type" defaultValue={row?.match_type} error={errorOf("match_type")}>
			{matches.map((match) => (
				<option key={match} value={match}>
					{words.matches[match]}
				</option>
			))}
		</Select>
		<Field
			label={words.pattern}
			name="referrer_pattern"
			defaultValue={row?.referrer_pattern}
			required
			maxLength={255}
			autoFocus
			autoComplete="off"
			autoCapitalize="none"
			spellCheck={false}
			error={errorOf("referrer_pattern")}
		/>
	</Pair>
);

const About = ({ row, errorOf }: PartProps) => (
	<Pair>
		<Field
			label={words.priority}
			hint={words.priorityHint}
			name="priority"
			type="number"
			min={0}
			max={1000}
			step={1}
			required
			defaultValue={row?.priority ?? 0}
			error={errorOf("priority")}
		/>
		<Field
			label={words.label}
			hint={words.labelHint}
			name="label"
			defaultValue={row?.label ?? ""}
			maxLength={100}
			autoComplete="off"
			error={errorOf("label")}
		/>
		<Field
			label={words.description}
			name="description"
			defaultValue={row?.description ?? ""}
			maxLength={500}
			autoComplete="off"
			error={errorOf("description")}
		/>
	</Pair>
);
