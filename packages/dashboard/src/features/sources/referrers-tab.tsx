import { useQuery } from "@tanstack/react-query";
import { may } from "../../api/may.ts";
import { RecordItem, type RecordRowProps } from "../../ui/items/record-actions.tsx";
import { type Site, usePanel } from "../site/index.ts";
import { ListCard } from "./list-card.tsx";
import { ReferrerDialog } from "./referrer-dialog.tsx";
import { said, valuesOf } from "./rule-facts.ts";
import { t } from "./texts.ts";
import { type ReferrerRule, referrerRulesQuery, useReferrerRules } from "./use-referrer-rules.ts";

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
