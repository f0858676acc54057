import { useQuery } from "@tanstack/react-query";
import { may } from "../../api/may.ts";
import { textOf } from "../../lib/use-form.ts";
import { Field, Select, verbatim } from "../../ui/field/field.tsx";
import { Options } from "../../ui/field/options.tsx";
import { Pair, RecordDialog, RecordForm } from "../../ui/form/record-form.tsx";
import { useRecordForm } from "../../ui/form/use-records.ts";
import { RecordItem, type RecordRowProps } from "../../ui/items/record-actions.tsx";
import { type Site, usePanel } from "../site/index.ts";
import { ListCard } from "./list-card.tsx";
import styles from "./sources.module.css";
import { t } from "./texts.ts";
import {
	type ReferrerRule,
	referrerRuleQuery,
	referrerRulesQuery,
	said,
	useReferrerRules,
	valuesOf,
} from "./use-referrer-rules.ts";
import { ValuesFields } from "./values-fields.tsx";

const words = t.referrers;

/** Names for what sends visitors. */
export function ReferrersTab({ site }: { readonly site: Site }) {
	const query = useQuery(referrerRulesQuery(site.id));
	const panel = usePanel();
	const mayWrite = may("POST /referrer-mappings", site.role);
	return (
		<>
			<ListCard
				words={words}
				visit={words.visit}
				query={query}
				rowsOf={({ mappings }) => mappings}
				onAdd={mayWrite ? () => panel.open("new") : undefined}
				row={(row) => (
					<Row key={row.id} site={site} row={row} mayWrite={mayWrite} onEdit={() => panel.open("referrer", row.id)} />
				)}
			/>
			{mayWrite && panel.kind === "new" && <ReferrerDialog site={site} onClose={panel.close} />}
			{mayWrite && panel.kind === "referrer" && (
				<ReferrerDialog key={panel.id} site={site} id={Number(panel.id)} onClose={panel.close} />
			)}
		</>
	);
}

const Row = (props: RecordRowProps<ReferrerRule> & { readonly site: Site }) => {
	const { row } = props;
	return (
		<RecordItem
			{...props}
			name={row.referrer_pattern}
			title={words.rule(words.matches[row.match_type], row.referrer_pattern)}
			facts={said(row.label, words.fact(valuesOf(row), row.priority), row.description)}
			changes={useReferrerRules(props.site.id)}
		/>
	);
};

const dialogWords = t.referrers;
const matches = ["exact", "contains", "starts_with", "ends_with", "regex"] as const;

interface ReferrerDialogProps {
	readonly site: Site;
	/** Of what is changed; a new one without it. */
	readonly id?: number;
	readonly onClose: () => void;
}

/** A rule that names the source of visits from elsewhere. */
const ReferrerDialog = ({ site, id, onClose }: ReferrerDialogProps) => (
	<RecordDialog
		title={id === undefined ? dialogWords.add : dialogWords.edit}
		query={id === undefined ? undefined : referrerRuleQuery(site.id, id)}
		onClose={onClose}
	>
		{(row) => <ReferrerForm site={site} row={row} onClose={onClose} />}
	</RecordDialog>
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
	readonly row: ReferrerRule | undefined;
}

function ReferrerForm({ site, row, onClose }: ReferrerFormProps) {
	const form = useRecordForm({
		changes: useReferrerRules(site.id),
		row,
		kind: "referrer",
		fieldsOf: rowOf,
		onDone: onClose,
	});
	const { utm_source = "", utm_medium = "referral", utm_campaign = "", utm_term = "", utm_content = "" } = row ?? {};
	return (
		<RecordForm form={form} onCancel={onClose}>
			<Pattern row={row} />
			<ValuesFields values={{ utm_source, utm_medium }} />
			<details className={styles.more}>
				<summary>{dialogWords.more}</summary>
				<ValuesFields values={{ utm_campaign, utm_term, utm_content }} />
			</details>
			<About row={row} />
		</RecordForm>
	);
}

interface PartProps {
	readonly row: ReferrerRule | undefined;
}

const Pattern = ({ row }: PartProps) => (
	<Pair>
		<Select label={dialogWords.how} name="match_type" defaultValue={row?.match_type}>
			<Options of={matches} text={(match) => dialogWords.matches[match]} />
		</Select>
		<Field
			label={dialogWords.pattern}
			name="referrer_pattern"
			defaultValue={row?.referrer_pattern}
			required
			maxLength={255}
			autoFocus
			{...verbatim}
		/>
	</Pair>
);

const About = ({ row }: PartProps) => (
	<Pair>
		<Field
			label={dialogWords.priority}
			hint={dialogWords.priorityHint}
			name="priority"
			type="number"
			min={0}
			max={1000}
			step={1}
			required
			defaultValue={row?.priority ?? 0}
		/>
		<Field
			label={dialogWords.label}
			hint={dialogWords.labelHint}
			name="label"
			defaultValue={row?.label ?? ""}
			maxLength={100}
			autoComplete="off"
		/>
		<Field
			label={dialogWords.description}
			name="description"
			defaultValue={row?.description ?? ""}
			maxLength={500}
			autoComplete="off"
		/>
	</Pair>
);
