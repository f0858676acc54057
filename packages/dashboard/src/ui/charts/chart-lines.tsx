import { useId } from "react";
import { classes } from "../../lib/classes.ts";
import { type ChartFrame, type ChartLine, wayOf } from "./chart-frame.ts";
import styles from "./line-chart.module.css";
import { pointTicks } from "./ticks.ts";

interface Framed {
	readonly frame: ChartFrame;
}

/** Lines of the values, their numbers, and the dates below. */
export function Axes({ frame, count, pointText }: Framed & { count: number; pointText: (index: number) => string }) {
	const { start, end, left, right, bottom, width, textScale, x } = frame;
	const widestName = 80 * textScale;
	const ticks = pointTicks(count, mostNames(frame));
	const anchor = (index: number) =>
		index === 0 && count > 1 ? "start" : x(index) > width - widestName / 2 && index > 0 ? "end" : "middle";
	return (
		<g className={styles.axes}>
			{start.ticks.map((value, at) => (
				<g key={value}>
					<line x1={left} x2={right} y1={start.y(value)} y2={start.y(value)} data-zero={value === 0 || undefined} />
					<text x={left - 8} y={start.y(value) + 4} textAnchor="end">
						{start.texts[at]}
					</text>
				</g>
			))}
			{end?.ticks.map((value, at) => (
				<text key={value} className={styles.endText} x={right + 8} y={end.y(value) + 4}>
					{end.texts[at]}
				</text>
			))}
			{ticks.map((index) => (
				<text key={index} x={x(index)} y={bottom + 18} textAnchor={anchor(index)}>
					{pointText(index)}
				</text>
			))}
		</g>
	);
}

/** The colour of one of several lines that are alike. */
const colourOf = ({ colour }: ChartLine) =>
	colour === undefined ? undefined : { color: `var(--series-${colour})`, fill: `var(--series-${colour})` };

/** A line; the way to a point that still grows is dotted. */
export function Line({ frame, line }: Framed & { readonly line: ChartLine }) {
	const gradient = useId();
	const { values, look, unfinished } = line;
	const y = look === "second" && frame.end ? frame.end.y : frame.start.y;
	const done = unfinished === undefined ? values : values.slice(0, unfinished);
	const rest = unfinished === undefined ? [] : values.map((value, at) => (at < unfinished - 1 ? undefined : value));
	const last = values.findLastIndex((value) => value !== undefined);
	const zero = y(0).toFixed(1);
	const only = values.length === 1 || last === 0 ? values[0] : undefined;
	return (
		<g className={styles[look]} style={colourOf(line)}>
			{look === "main" && last > 0 && (
				<>
					<linearGradient id={gradient} x1="0" x2="0" y1="0" y2="1">
						<stop offset="0" className={styles.areaTop} />
						<stop offset="1" className={styles.areaEnd} />
					</linearGradient>
					<path
						d={`${wayOf(values, frame.x, y)}L${frame.x(last).toFixed(1)} ${zero}L${frame.x(0).toFixed(1)} ${zero}Z`}
						fill={`url(#${gradient})`}
					/>
				</>
			)}
			<path className={styles.way} d={wayOf(done, frame.x, y)} />
			<path className={classes(styles.way, styles.unfinished)} d={wayOf(rest, frame.x, y)} />
			{only !== undefined && <circle cx={frame.x(0)} cy={y(only)} r="3.5" />}
		</g>
	);
}

/** Marks one point on all lines. */
export function Cursor({ frame, lines, at }: Framed & { readonly lines: readonly ChartLine[]; readonly at: number }) {
	const x = frame.x(at);
	return (
		<g className={styles.cursor}>
			<line x1={x} x2={x} y1={0} y2={frame.bottom} />
			{lines.map((line) => {
				const { key, values, look } = line;
				const value = values[at];
				const y = look === "second" && frame.end ? frame.end.y : frame.start.y;
				if (value === undefined) return null;
				return <circle key={key} className={styles[look]} style={colourOf(line)} cx={x} cy={y(value)} r="4" />;
			})}
		</g>
	);
}

/** How many points have room for their names below the axis. */
function mostNames({ width, left, right, textScale }: ChartFrame): number {
	if (width / textScale < 280) return 2;
	return width / textScale < 560 ? 4 : Math.floor((right - left) / textScale / 130);
}
