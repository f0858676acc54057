import { Suspense, useState } from "react";
import { may } from "../../api/may.ts";
import { isShared } from "../../api/shared.ts";
import { classes } from "../../lib/classes.ts";
import { lazily } from "../../lib/lazily.ts";
import { useLater } from "../../lib/use-later.ts";
import { baselineOf } from "../../ui/change/baseline.ts";
import { Loaded } from "../../ui/loaded/loaded.tsx";
import { ChartMarks, NoteDialog } from "../notes/index.ts";
import { useSite } from "../site/index.ts";
import { ChartHead } from "./chart-head.tsx";
import type { Stretch } from "./chart-points.ts";
import { t } from "./chart-texts.ts";
import { ChartView } from "./chart-view.tsx";
import { type Drawn, drawnOf } from "./drawn.ts";
import type { Overview } from "./figures.ts";
import styles from "./main-chart.module.css";
import { useAsked, useOverview } from "./use-overview.ts";

const NothingHere = lazily(async () => ({ default: (await import("./nothing-here.tsx")).NothingHere }));
const ChartTable = lazily(async () => ({ default: (await import("./chart-table.tsx")).ChartTable }));

/** The chosen metric over time, with what it is compared with. */
export function MainChart() {
	const site = useSite();
	const asked = useAsked();
	const query = useOverview(asked);
	const [isTable, setTable] = useState(false);
	const [noteAt, setNoteAt] = useState<{ readonly date: string; readonly hour?: number | undefined }>();
	const onNote = may("POST /annotations", site.role) ? setNoteAt : undefined;
	const lastDay = asked.runsUntil === undefined ? asked.days.to : asked.clock.today;
	return (
		<section aria-label={t.chart} className={styles.card}>
			<ChartHead
				asked={asked}
				drawn={query.data && drawnOf(query.data, asked, site.currency)}
				baseline={baselineOf(query.data)}
				isTable={isTable}
				onTable={() => setTable(!isTable)}
				onNote={onNote && (() => onNote({ date: lastDay }))}
			/>
			<Loaded
				query={query}
				skeleton={<div className={classes("placeholder", styles.skeleton)} />}
				isEmpty={isNothing}
				empty={
					<Suspense>
						<NothingHere isFirst />
					</Suspense>
				}
			>
				{(overview) => <Shown drawn={drawnOf(overview, asked, site.currency)} isTable={isTable} onNote={onNote} />}
			</Loaded>
			<Suspense>{noteAt && <NoteDialog of={noteAt} onClose={() => setNoteAt(undefined)} />}</Suspense>
		</section>
	);
}

interface ShownProps {
	readonly drawn: Drawn;
	readonly isTable: boolean;
	readonly onNote: ((at: Stretch) => void) | undefined;
}

function Shown({ drawn, isTable, onNote }: ShownProps) {
	// Annotations are not shown on shared links.
	const isLater = useLater() && !isShared;
	const points = drawn.points.map(({ at }) => at);
	const marks = (x: (index: number) => number) =>
		isLater && (
			<Suspense>
				<ChartMarks points={points} days={drawn.days} x={x} />
			</Suspense>
		);
	if (!isTable) return <ChartView drawn={drawn} marks={isShared ? undefined : marks} onNote={onNote} />;
	return (
		<Suspense fallback={<div className={classes("placeholder", styles.skeleton)} />}>
			<ChartTable drawn={drawn} />
		</Suspense>
	);
}

/** True where neither these days nor those before have a hit. */
const isNothing = ({ traffic, traffic_change }: Overview): boolean =>
	[traffic, traffic_change].every(
		(sums) => sums === undefined || sums.entrances + sums.page_views + sums.conversions + sums.microconversions === 0,
	);
