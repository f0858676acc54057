import { useQuery } from "@tanstack/react-query";
import { may } from "../../api/may.ts";
import { Item } from "../../ui/items/items.tsx";
import { pausedState, RecordActions } from "../../ui/items/record-actions.tsx";
import { type Site, usePanel } from "../site/index.ts";
import { ListCard } from "./list-card.tsx";
import { PaymentDialog } from "./payment-dialog.tsx";
import { valuesOf } from "./rule-facts.ts";
import { t } from "./texts.ts";
import { type PaymentPage, paymentPagesQuery, usePaymentPages } from "./use-payment-pages.ts";

const words = t.payments;

/** Pages that visitors come back from: they begin no new visit. */
export function PaymentsTab({ site }: { readonly site: Site }) {
	const query = useQuery(paymentPagesQuery(site.id));
	const panel = usePanel();
	const mayWrite = may("POST /passthrough-referrers", site.role);
	return (
		<>
			<ListCard
				words={words}
				visit={words.visit}
				query={query}
				rowsOf={({ referrers }) => referrers}
				onAdd={mayWrite ? () => panel.open("new") : undefined}
				row={(row) => (
					<Row key={row.id} site={site} row={row} mayWrite={mayWrite} onEdit={() => panel.open("payment", row.id)} />
				)}
			/>
			{mayWrite && panel.kind === "new" && <PaymentDialog site={site} onClose={panel.close} />}
			{mayWrite && panel.kind === "payment" && (
				<PaymentDialog key={panel.id} site={site} id={Number(panel.id)} onClose={panel.close} />
			)}
		</>
	);
}

interface RowProps {
	readonly site: Site;
	readonly row: PaymentPage;
	readonly mayWrite: boolean;
	readonly onEdit: () => void;
}

function Row({ site, row, mayWrite, onEdit }: RowProps) {
	const { change, remove } = usePaymentPages(site.id);
	return (
		<Item
			title={row.service_name === "" ? row.domain : `${row.service_name}: ${row.domain}`}
			facts={words.fact(valuesOf(row))}
			state={pausedState(row.is_active)}
			actions={
				mayWrite && (
					<RecordActions
						name={row.domain}
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
