import { useQuery } from "@tanstack/react-query";
import { may } from "../../api/may.ts";
import { Item } from "../../ui/items/items.tsx";
import { pausedState, RecordActions } from "../../ui/items/record-actions.tsx";
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

interface RowProps {
	readonly site: Site;
	readonly row: ReferrerRule;
	readonly mayWrite: boolean;
	readonly onEdit: () => void;
}

function Row({ site, row, mayWrite, onEdit }: RowProps) {
	const { change, remove } = useReferrerRules(site.id);
	return (
		<Item
			title={words.rule(words.matches[row.match_type], row.referrer_pattern)}
			facts={said(row.label, words.fact(valuesOf(row), row.priority), row.description)}
			state={pausedState(row.is_active)}
			actions={
				mayWrite && (
					<RecordActions
						name={row.referrer_pattern}
						isActive={row.is_active}
						isBusy={change.isBusy || remove.isBusy}
						onEdit={onEdit}
						onToggle={() => change.run({ row, to: { is_active: !row.is_active } })}
						onRemove={() => remove.run(row)}
					/>
				)
			}
		/>
	);
}
