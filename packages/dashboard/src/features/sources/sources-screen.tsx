import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useId } from "react";
import { may } from "../../api/may.ts";
import { RecordItem, type RecordRowProps } from "../../ui/items/record-actions.tsx";
import { Tabs } from "../../ui/tabs/tabs.tsx";
import { ScreenHead, type Site, useChangeSearch, usePanel, useSite, useSiteSearch } from "../site/index.ts";
import { ListCard } from "./list-card.tsx";
import { ParametersTab } from "./parameters-tab.tsx";
import { PaymentDialog } from "./payment-dialog.tsx";
import { ReferrersTab } from "./referrers-tab.tsx";
import { valuesOf } from "./rule-facts.ts";
import styles from "./sources.module.css";
import { t } from "./texts.ts";
import { type PaymentPage, paymentPagesQuery, usePaymentPages } from "./use-payment-pages.ts";

/** The lists in the collector's order: URL parameters, payment pages, referrers. */
const tabs = ["parameters", "payments", "referrers"] as const;
const shown = { parameters: ParametersTab, payments: PaymentsTab, referrers: ReferrersTab };

/** How a visit gets its source: three lists that act one after the other. */
export function SourcesScreen() {
	const site = useSite();
	const { view } = useSiteSearch();
	const change = useChangeSearch();
	const panel = useId();
	const chosen = tabs.find((key) => key === view[0]) ?? tabs[0];
	const Tab = shown[chosen];
	return (
		<>
			<ScreenHead title={t.title} />
			<p className={styles.hint}>
				{t.intro} {t.forNow}{" "}
				<Link to="/sites/$id/settings/channels" params={{ id: site.id }}>
					{t.toChannels}
				</Link>
			</p>
			<Tabs
				label={t.steps}
				tabs={tabs.map((key) => ({ key, label: t.tabs[key] }))}
				chosen={chosen}
				onChoose={(key) => change({ view: key === tabs[0] ? [] : [key], panel: undefined })}
				panel={panel}
			/>
			<div id={panel} role="tabpanel" aria-label={t.tabs[chosen]} className={styles.panel}>
				<Tab key={chosen} site={site} />
			</div>
		</>
	);
}

const words = t.payments;

/** Pages that visitors come back from: they begin no new visit. */
function PaymentsTab({ site }: { readonly site: Site }) {
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

const Row = (props: RecordRowProps<PaymentPage> & { readonly site: Site }) => {
	const { row } = props;
	return (
		<RecordItem
			{...props}
			name={row.domain}
			title={row.service_name === "" ? row.domain : `${row.service_name}: ${row.domain}`}
			facts={words.fact(valuesOf(row))}
			changes={usePaymentPages(props.site.id)}
		/>
	);
};
