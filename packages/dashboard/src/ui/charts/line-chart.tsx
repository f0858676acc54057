import {
	type KeyboardEvent,
	type PointerEvent,
	type ReactNode,
	type RefObject,
	useId,
	useLayoutEffect,
	useRef,
	useState,
} from "react";
import { classes } from "../../lib/classes.ts";
import { textScale } from "../../lib/text-scale.ts";
import { type ChartFrame, type ChartLine, frameOf, type ValueAxis, wayOf } from "./chart-frame.ts";
import styles from "./line-chart.module.css";
import { nearestPoint } from "./scale.ts";
import { pointTicks } from "./ticks.ts";

/** How wide an element is in pixels, as it changes; 0 before it is on the page. */
function useWidth(element: RefObject<HTMLElement | null>): number {
	const [width, setWidth] = useState(0);
	// The layout is outside of React; measured before the first paint, so that nothing moves.
	useLayoutEffect(() => {
		if (element.current === null) return;
		setWidth(Math.floor(element.current.clientWidth));
		const observer = new ResizeObserver(([entry]) => entry && setWidth(Math.floor(entry.contentRect.width)));
		observer.observe(element.current);
		return () => observer.disconnect();
	}, [element]);
	return width;
}

interface LineChartProps {
	/** Names the chart for screen readers. */
	readonly label: string;
	/** Number of points along the chart. */
	readonly count: number;
	/** In drawing order, from back to front. */
	readonly lines: readonly ChartLine[];
	readonly axis: ValueAxis;
	/** The axis of the second line. */
	readonly endAxis?: ValueAxis | undefined;
	/** A point's short name, below the chart. */
	readonly pointText: (index: number) => string;
	/** All that is to say about a point, in one sentence. */
	readonly saidOf: (index: number) => string;
	/** The same to look at. */
	readonly readout: (index: number) => ReactNode;
	/** Stand on the axis, at positions of points in pixels. */
	readonly marks?: ((x: (index: number) => number) => ReactNode) | undefined;
	/** Enter on a point. */
	readonly onChoose?: ((index: number) => void) | undefined;
}

/** A chart of lines in real pixels. Pointer and arrow keys choose a point, which is read out and said. */
export function LineChart({ label, count, lines, axis, endAxis, marks, onChoose, ...texts }: LineChartProps) {
	const box = useRef<HTMLDivElement>(null);
	const width = useWidth(box);
	const [at, setAt] = useState<number>();
	const height = width < 560 ? 200 : 260;
	const frame =
		width > 0
			? frameOf({ width, height, count, textScale: textScale() }, lines, { start: axis, end: endAxis })
			: undefined;
	const chosen = at === undefined ? undefined : Math.min(at, count - 1);
	return (
		<div ref={box} className={styles.chart}>
			<div
				className={styles.drawing}
				style={{ height }}
				role="slider"
				tabIndex={0}
				aria-label={label}
				aria-valuemin={1}
				aria-valuemax={count}
				aria-valuenow={(chosen ?? count - 1) + 1}
				aria-valuetext={texts.saidOf(chosen ?? count - 1)}
				onKeyDown={(event) => {
					if (event.key === "Enter") onChoose?.(chosen ?? count - 1);
					else setAt(afterKey(event, chosen, count));
				}}
				onBlur={() => setAt(undefined)}
				onPointerMove={(event) => frame && setAt(pointAt(event, frame, count))}
				onPointerDown={(event) => frame && setAt(pointAt(event, frame, count))}
				onPointerLeave={() => setAt(undefined)}
			>
				{frame && (
					<svg width={width} height={height} aria-hidden="true">
						<Axes frame={frame} count={count} pointText={texts.pointText} />
						{lines.map((line) => (
							<Line key={line.key} frame={frame} line={line} />
						))}
						{chosen !== undefined && <Cursor frame={frame} lines={lines} at={chosen} />}
					</svg>
				)}
				{frame && chosen !== undefined && (
					<div className={styles.readout} style={besides(frame, chosen)}>
						{texts.readout(chosen)}
					</div>
				)}
			</div>
			{frame && marks && (
				<div className={styles.marks} style={{ top: frame.bottom }}>
					{marks(frame.x)}
				</div>
			)}
		</div>
	);
}

function pointAt(event: PointerEvent<HTMLElement>, { left, right }: ChartFrame, count: number): number {
	const x = event.clientX - event.currentTarget.getBoundingClientRect().left;
	return nearestPoint((x - left) / (right - left), count);
}

/** The readout stands on the side that has more room. */
function besides({ x, width }: ChartFrame, at: number): { left: number } | { right: number } {
	return x(at) < width / 2 ? { left: x(at) + 12 } : { right: width - x(at) + 12 };
}

function afterKey(event: KeyboardEvent, at: number | undefined, count: number): number | undefined {
	if (event.ctrlKey || event.metaKey || event.altKey) return at;
	if (event.key === "Escape" && at !== undefined) {
		event.preventDefault();
		return undefined;
	}
	const from = at ?? count;
	const to = { ArrowLeft: from - 1, ArrowRight: at === undefined ? 0 : from + 1, Home: 0, End: count - 1 }[event.key];
	if (to === undefined) return at;
	event.preventDefault();
	return Math.max(0, Math.min(count - 1, to));
}

interface Framed {
	readonly frame: ChartFrame;
}

/** Lines of the values, their numbers, and the dates below. */
function Axes({ frame, count, pointText }: Framed & { count: number; pointText: (index: number) => string }) {
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
function Line({ frame, line }: Framed & { readonly line: ChartLine }) {
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
function Cursor({ frame, lines, at }: Framed & { readonly lines: readonly ChartLine[]; readonly at: number }) {
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
