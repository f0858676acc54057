import { type ComponentType, Suspense, useEffect, useState } from "react";
import { isShared } from "../../api/shared.ts";
import { texts } from "../../lib/language.ts";
import { lazily } from "../../lib/lazily.ts";
import { useLater } from "../../lib/use-later.ts";
import { Baseline, baselineOf } from "../../ui/change/baseline.ts";
import { DefinitionDrawer } from "../definitions/index.ts";
import { ScreenHead, useSiteSearch } from "../site/index.ts";
import { WhyChips } from "../why/index.ts";
import { MainChart } from "./main-chart.tsx";
import { MetricStrip } from "./metric-strip.tsx";
import styles from "./report-screen.module.css";
import { useAsked, useOverview } from "./use-overview.ts";

// Starts to load with this module, without waiting for the upper half.
const lower = import("./lower-report.tsx");

const LimitBanner = lazily(async () => ({ default: (await import("../billing/index.ts")).LimitBanner }));

const t = texts({ en: { title: "Report" }, es: { title: "Informe" } });

/** The report of a site: how much, how it changed, and where it comes from. */
export function ReportScreen() {
	const { data } = useOverview(useAsked());
	return (
		<Baseline value={baselineOf(data)}>
			<div className="column-12">
				<div className="visually-hidden">
					<ScreenHead title={t.title} />
				</div>
				<div className={styles.top}>
					<MetricStrip />
					{/* Its points are compared one by one. */}
					<Baseline value={undefined}>
						<MainChart />
					</Baseline>
					{!isShared && <WhyLine />}
				</div>
				<Lower />
				{!isShared && <Limit />}
				<ReportPanel />
			</div>
		</Baseline>
	);
}

/** The limit is requested after the figures. */
const Limit = () =>
	useLater() && (
		<Suspense>
			<LimitBanner />
		</Suspense>
	);

/** The lower half as soon as it has arrived: `Suspense` would hold it back for 300 ms after what stands above. */
function Lower() {
	const [Part, setPart] = useState<ComponentType>();
	// Files on their way are outside of React.
	useEffect(() => void lower.then(({ LowerReport }) => setPart(() => LowerReport)), []);
	return Part ? <Part /> : <div className={styles.lower} data-loading="" />;
}

const ListPanel = lazily(async () => ({ default: (await import("./list-panel.tsx")).ListPanel }));

const definition = "definition:";

/** The panel in the address: all rows of a list, or the definition of a metric. */
function ReportPanel() {
	const { panel } = useSiteSearch();
	if (panel === undefined) return null;
	return (
		<Suspense>
			{panel.startsWith(definition) ? (
				<DefinitionDrawer metric={panel.slice(definition.length)} />
			) : (
				<ListPanel name={panel} />
			)}
		</Suspense>
	);
}

/** The values that explain the change of what the chart shows, in one line. */
function WhyLine() {
	const { metric, daysBefore } = useAsked();
	if (daysBefore === undefined) return null;
	return (
		<Suspense fallback={<div className={styles.why} />}>
			<WhyChips metric={metric} />
		</Suspense>
	);
}
