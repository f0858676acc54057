import type { ReactNode } from "react";
import { Change, changeText } from "../../ui/change/change.tsx";
import { changeOf } from "../../ui/change/change-of.ts";
import type { ChartLine } from "../../ui/charts/chart-frame.ts";
import { LineChart } from "../../ui/charts/line-chart.tsx";
import type { Stretch } from "./chart-points.ts";
import { t } from "./chart-texts.ts";
import type { Drawn } from "./drawn.ts";
import styles from "./main-chart.module.css";
import { longName, shortName } from "./point-names.ts";

interface ChartViewProps {
	readonly drawn: Drawn;
	/** Stand below the axis, at their points. */
	readonly marks: ((x: (index: number) => number) => ReactNode) | undefined;
	/** Writes something beside a point; missing for those who may not. */
	readonly onNote: ((at: Stretch) => void) | undefined;
}

/** The drawn chart with its readout; a sentence tells the same to those who cannot see it. */
export function ChartView({ drawn, marks, onNote }: ChartViewProps) {
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
				below={marks}
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
