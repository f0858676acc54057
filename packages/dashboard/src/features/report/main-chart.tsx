import { lazy, Suspense, useState } from "react";
import { Loaded } from "../../ui/loaded/loaded.tsx";
import { useSite } from "../site/index.ts";
import { useAlertMarks } from "./alert-marks.tsx";
import { ChartHead } from "./chart-head.tsx";
import { t } from "./chart-texts.ts";
import { ChartView } from "./chart-view.tsx";
import { type Drawn, drawnOf } from "./drawn.ts";
import type { Overview } from "./figures.ts";
import styles from "./main-chart.module.css";
import { NothingHere } from "./nothing-here.tsx";
import { useAsked, useOverview } from "./use-overview.ts";

const ChartTable = lazy(async () => ({ default: (await import("./chart-table.tsx")).ChartTable }));

/** The chosen metric over time, with what it is compared with. */
export function MainChart() {
	const site = useSite();
	const asked = useAsked();
	const query = useOverview(asked);
	const [isTable, setTable] = useState(false);
	return (
		<section aria-label={t.chart} className={styles.card}>
			<ChartHead
				asked={asked}
				drawn={query.data && drawnOf(query.data, asked, site.currency)}
				isTable={isTable}
				onTable={() => setTable(!isTable)}
			/>
			<Loaded query={query} skeleton={<div className={styles.skeleton} />} isEmpty={isNothing} empty={<NothingHere />}>
				{(overview) => <Shown drawn={drawnOf(overview, asked, site.currency)} isTable={isTable} />}
			</Loaded>
		</section>
	);
}

function Shown({ drawn, isTable }: { readonly drawn: Drawn; readonly isTable: boolean }) {
	const marks = useAlertMarks(drawn);
	if (!isTable) return <ChartView drawn={drawn} marks={marks} />;
	return (
		<Suspense fallback={<div className={styles.skeleton} />}>
			<ChartTable drawn={drawn} />
		</Suspense>
	);
}

/** True where neither these days nor those before have a hit. */
const isNothing = ({ traffic, traffic_change }: Overview): boolean =>
	[traffic, traffic_change].every(
		(sums) => sums === undefined || sums.entrances + sums.page_views + sums.conversions + sums.microconversions === 0,
	);
