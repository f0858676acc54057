import { texts } from "../../lib/language.ts";
import { ScreenHead } from "../site/index.ts";
import { HonestyFoot } from "./honesty-foot.tsx";
import { ListCards } from "./list-cards.tsx";
import { MainChart } from "./main-chart.tsx";
import { MetricStrip } from "./metric-strip.tsx";
import { ReportPanel } from "./report-panel.tsx";
import styles from "./report-screen.module.css";
import { WhyLine } from "./why-line.tsx";

const t = texts({ en: { title: "Report" }, es: { title: "Informe" } });

/** The report of a site: how much, how it changed, and where it comes from. */
export function ReportScreen() {
	return (
		<div className={styles.report}>
			<div className="visually-hidden">
				<ScreenHead title={t.title} />
			</div>
			<div className={styles.top}>
				<MetricStrip />
				<MainChart />
				<WhyLine />
			</div>
			<ListCards />
			<HonestyFoot />
			<ReportPanel />
		</div>
	);
}
