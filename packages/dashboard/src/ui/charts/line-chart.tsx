import {
	type KeyboardEvent,
	type PointerEvent,
	type ReactNode,
	type RefObject,
	useLayoutEffect,
	useRef,
	useState,
} from "react";
import { textScale } from "../../lib/text-scale.ts";
import { type ChartFrame, type ChartLine, frameOf, type ValueAxis } from "./chart-frame.ts";
import { Axes, Cursor, Line } from "./chart-lines.tsx";
import styles from "./line-chart.module.css";
import { nearestPoint } from "./scale.ts";

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
	/** Stands in a row of its own below the axis: it gets the positions of points, in pixels. */
	readonly below?: ((x: (index: number) => number) => ReactNode) | undefined;
	/** Enter on a point. */
	readonly onChoose?: ((index: number) => void) | undefined;
}

/** A chart of lines in real pixels. Pointer and arrow keys choose a point, which is read out and said. */
export function LineChart({ label, count, lines, axis, endAxis, below, onChoose, ...texts }: LineChartProps) {
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
			{below && <div className={styles.below}>{frame && below(frame.x)}</div>}
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
