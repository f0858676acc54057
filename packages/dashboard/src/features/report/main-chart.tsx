import { Plus, Table2 } from "lucide-react";
import { type ReactNode, Suspense, useState } from "react";
import { may } from "../../api/may.ts";
import { isShared } from "../../api/shared.ts";
import { classes } from "../../lib/classes.ts";
import { daysBetween } from "../../lib/days.ts";
import { days as daysText } from "../../lib/format.ts";
import { lazily } from "../../lib/lazily.ts";
import { useLater } from "../../lib/use-later.ts";
import { Button } from "../../ui/button/button.tsx";
import { baselineOf } from "../../ui/change/baseline.ts";
import { Change, changeText, sinceText } from "../../ui/change/change.tsx";
import { changeOf } from "../../ui/change/change-of.ts";
import type { ChartLine } from "../../ui/charts/chart-frame.ts";
import { LineChart } from "../../ui/charts/line-chart.tsx";
import { Options } from "../../ui/field/options.tsx";
import { Loaded } from "../../ui/loaded/loaded.tsx";
import { CopyAs } from "../copy-as/index.ts";
import { ChartMarks, NoteDialog } from "../notes/index.ts";
import { metrics, useChangeSearch, useSite } from "../site/index.ts";
import type { Stretch } from "./chart-points.ts";
import { t } from "./chart-texts.ts";
import { type Drawn, drawnOf } from "./drawn.ts";
import { chartable, type Overview, type Step, stepsFor } from "./figures.ts";
import styles from "./main-chart.module.css";
import { longName, shortName } from "./point-names.ts";
import { type Asked, useAsked, useOverview } from "./use-overview.ts";

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

interface ChartViewProps {
	readonly drawn: Drawn;
	/** Stand on the axis, at their points. */
	readonly marks: ((x: (index: number) => number) => ReactNode) | undefined;
	/** Writes something beside a point; missing for those who may not. */
	readonly onNote: ((at: Stretch) => void) | undefined;
}

/** The drawn chart with its readout; a sentence tells the same to those who cannot see it. */
function ChartView({ drawn, marks, onNote }: ChartViewProps) {
	const { metric, second, points, step, days } = drawn;
	return (
		<figure className={styles.figure}>
			<figcaption className="visually-hidden">{drawn.summary}</figcaption>
			<LineChart
				label={t.points(metric.label, t.steps[step]) + (onNote ? t.enter : "")}
				count={points.length}
				lines={linesOf(drawn)}
				axis={metric.axis}
				endAxis={second?.axis}
				pointText={(index) => (points[index] ? shortName(points[index].at, step, days.from === days.to) : "")}
				saidOf={(index) => said(drawn, index)}
				readout={(index) => <Readout drawn={drawn} index={index} />}
				marks={marks}
				onChoose={(index) => points[index] && onNote?.(points[index].at)}
			/>
		</figure>
	);
}

function linesOf({ points, second, unfinished }: Drawn): readonly ChartLine[] {
	const before = points.map((point) => point.before?.value);
	return [
		...(before.some((value) => value !== undefined)
			? [{ key: "before", look: "before", values: before } as const]
			: []),
		...(second
			? [{ key: "second", look: "second", values: points.map((point) => point.second), unfinished } as const]
			: []),
		{ key: "main", look: "main", values: points.map(({ now }) => now), unfinished },
	];
}

function said({ points, metric, second, step, unfinished, runsUntil }: Drawn, index: number): string {
	const point = points[index];
	if (point === undefined) return "";
	const name = longName(point.at, step);
	if (point.now === undefined) return `${name}: ${t.toCome}`;
	return [
		`${name}${index === unfinished && runsUntil ? ` (${t.until(runsUntil)})` : ""}: ${metric.label} ${metric.exact(point.now)}`,
		...(second && point.second !== undefined ? [`${second.label} ${second.exact(point.second)}`] : []),
		...(point.before
			? [
					`${longName(point.before.at, step)}: ${metric.exact(point.before.value)}`,
					changeText(changeOf(point.now, point.before.value, metric.kind), metric.currency),
				]
			: []),
	].join("; ");
}

function Readout({ drawn, index }: { readonly drawn: Drawn; readonly index: number }) {
	const { points, metric, second, step, unfinished, runsUntil } = drawn;
	const point = points[index];
	if (point === undefined) return null;
	const { at, now, before } = point;
	return (
		<div className={styles.readout}>
			<strong>{metric.label}</strong>
			{now !== undefined && before && (
				<Change now={now} before={before.value} kind={metric.kind} good={metric.good} currency={metric.currency} />
			)}
			<span data-line="main">
				{longName(at, step)}
				{index === unfinished && runsUntil && <em>{t.until(runsUntil)}</em>}
			</span>
			<b>{now === undefined ? t.toCome : metric.exact(now)}</b>
			{before && (
				<>
					<span data-line="before">{longName(before.at, step)}</span>
					<span>{metric.exact(before.value)}</span>
				</>
			)}
			{second && point.second !== undefined && (
				<>
					<span data-line="second">{second.label}</span>
					<b>{second.exact(point.second)}</b>
				</>
			)}
		</div>
	);
}

interface ChartHeadProps {
	readonly asked: Asked;
	/** Missing until the first answer. */
	readonly drawn: Drawn | undefined;
	/** The site's first day with data, where the compared period begins before it. */
	readonly baseline: string | undefined;
	readonly isTable: boolean;
	readonly onTable: () => void;
	/** Missing for those who may not write one. */
	readonly onNote: (() => void) | undefined;
}

/** Metric, granularity and actions of the chart. */
function ChartHead({ asked, drawn, baseline, isTable, onTable, onNote }: ChartHeadProps) {
	return (
		<header className={styles.head}>
			<h2 data-line="main">{metrics[asked.metric].label}</h2>
			<StepChoice asked={asked} />
			<div className={styles.lines}>
				<SecondChoice asked={asked} />
				{asked.daysBefore && (
					<span className="caption" data-line="before">
						{daysText(asked.daysBefore.from, asked.daysBefore.to)}
						{baseline !== undefined && `, ${sinceText(baseline)}`}
					</span>
				)}
				{asked.runsUntil && (
					<span className="caption" data-line="running">
						{t.running(asked.runsUntil)}
					</span>
				)}
			</div>
			<div className={styles.actions}>
				{onNote && (
					<Button look="quiet" small onClick={onNote} className={styles.action}>
						<Plus size={16} aria-hidden="true" />
						<span>{t.note}</span>
					</Button>
				)}
				<Button look="quiet" small aria-pressed={isTable} onClick={onTable} className={styles.action}>
					<Table2 size={16} aria-hidden="true" />
					<span>{t.asTable}</span>
				</Button>
				<CopyChart asked={asked} drawn={drawn} />
			</div>
		</header>
	);
}

/** Rendered from the start, so that nothing moves; actions that need figures are enabled when they are loaded. */
function CopyChart({ asked, drawn }: Pick<ChartHeadProps, "asked" | "drawn">) {
	return (
		<CopyAs
			about={metrics[asked.metric].label}
			route="GET /stats/overview"
			params={asked.input}
			rows={drawn && (async () => (await import("./chart-rows.ts")).chartRows(drawn))}
			sql={{ metric: asked.metric }}
		/>
	);
}

function StepChoice({ asked }: { readonly asked: Asked }) {
	const change = useChangeSearch();
	const steps = stepsFor(daysBetween(asked.days.from, asked.days.to));
	return (
		<select
			aria-label={t.step}
			className={styles.select}
			value={asked.step}
			onChange={(event) => change({ by: event.target.value as Step })}
		>
			<Options of={steps} text={(step) => t.steps[step]} />
		</select>
	);
}

function SecondChoice({ asked: { metric, second } }: { readonly asked: Asked }) {
	const change = useChangeSearch();
	return (
		<span className={styles.second} data-line={second && "second"}>
			<select
				aria-label={t.second}
				className={styles.select}
				value={second ?? ""}
				onChange={(event) => change({ metric2: event.target.value || undefined })}
			>
				<option value="">{t.addSecond}</option>
				{chartable
					.filter((key) => key !== metric)
					.map((key) => (
						<option key={key} value={key}>
							{second === key ? t.and(metrics[key].label) : metrics[key].label}
						</option>
					))}
			</select>
		</span>
	);
}
