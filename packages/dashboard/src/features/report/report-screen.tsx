import { type ComponentType, Suspense, useEffect, useState } from "react";
import { isShared } from "../../api/shared.ts";
import { texts } from "../../lib/language.ts";
import { lazily } from "../../lib/lazily.ts";
import { useLater } from "../../lib/use-later.ts";
import { Baseline, baselineOf } from "../../ui/change/baseline.ts";
import { ScreenHead } from "../site/index.ts";
import { MainChart } from "./main-chart.tsx";
import { MetricStrip } from "./metric-strip.tsx";
import { ReportPanel } from "./report-panel.tsx";
import styles from "./report-screen.module.css";
import { useAsked, useOverview } from "./use-overview.ts";
import { WhyLine } from "./why-line.tsx";

// Starts to load with this module, without waiting for the upper half.
const lower = import("./lower-report.tsx");

const LimitBanner = lazily(async () => ({ default: (await import("../billing/index.ts")).LimitBanner }));

const t = texts({ en: { title: "Report" }, es: { title: "Informe" } });

/** The report of a site: how much, how it changed, and where it comes from. */
export function ReportScreen() {
	const { data } = useOverview(useAsked());
	return (
		<Baseline value={baselineOf(data)}>
			<div className={styles.report}>
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
