import { Link } from "@tanstack/react-router";
import { useId } from "react";
import { Tabs } from "../../ui/tabs/tabs.tsx";
import { ScreenHead, useChangeSearch, useSite, useSiteSearch } from "../site/index.ts";
import { ParametersTab } from "./parameters-tab.tsx";
import { PaymentsTab } from "./payments-tab.tsx";
import { ReferrersTab } from "./referrers-tab.tsx";
import styles from "./sources.module.css";
import { t } from "./texts.ts";

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
