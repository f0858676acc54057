import { linear } from "./scale.ts";
import { sharedTicks, valueTicks } from "./ticks.ts";

/** A line of a chart; a value is missing where nothing is to be drawn. */
export interface ChartLine {
	readonly key: string;
	readonly values: readonly (number | undefined)[];
	/**
	 * `main` has an area, `second` is dashed and has an axis of its own, `before` is dotted and grey, `series` is one of
	 * several that are alike.
	 */
	readonly look: "main" | "second" | "before" | "series";
	/** The colour of a `series`, 1 to 5. */
	readonly colour?: number;
	/** The point that is still growing: the way to it is dotted. */
	readonly unfinished?: number | undefined;
}

/** How the values of an axis are written. */
export interface ValueAxis {
	readonly text: (value: number) => string;
	/** Values come in whole numbers only. */
	readonly whole: boolean;
}

interface Axis {
	readonly ticks: readonly number[];
	readonly texts: readonly string[];
	readonly y: (value: number) => number;
}

/** Where everything of a chart lies, in pixels. */
export interface ChartFrame {
	readonly width: number;
	readonly height: number;
	readonly left: number;
	readonly right: number;
	readonly bottom: number;
	/** How much larger than usual texts are. */
	readonly textScale: number;
	readonly x: (index: number) => number;
	readonly start: Axis;
	readonly end: Axis | undefined;
}

const above = 10;
/** Room for captions at their usual size, and about the width of one of their figures. */
const captionHeight = 26;
const characterWidth = 7;

function axisOf(lines: readonly ChartLine[], { text, whole }: ValueAxis, bottom: number, first?: Axis): Axis {
	const values = lines.flatMap((line) => line.values.filter((value) => value !== undefined));
	const [min, max] = [Math.min(0, ...values), Math.max(0, ...values)];
	const isShared = first !== undefined && min === 0 && max > 0 && first.ticks[0] === 0;
	const ticks = isShared ? sharedTicks(max, first.ticks.length - 1, whole) : valueTicks(min, max, { whole });
	const range = [ticks[0] ?? 0, ticks.at(-1) ?? 1] as const;
	return { ticks, texts: ticks.map(text), y: linear(range, [bottom, above]) };
}

const gutter = ({ texts }: Axis, scale: number) =>
	Math.max(...texts.map(({ length }) => length)) * characterWidth * scale + 10;

/** Lays a chart out; lines of the look `second` have the axis at the end. */
export function frameOf(
	size: { readonly width: number; readonly height: number; readonly count: number; readonly textScale?: number },
	lines: readonly ChartLine[],
	axes: { readonly start: ValueAxis; readonly end?: ValueAxis | undefined },
): ChartFrame {
	const { width, height, count, textScale = 1 } = size;
	const bottom = height - captionHeight * textScale;
	const isSecond = ({ look }: ChartLine) => look === "second";
	const start = axisOf(
		lines.filter((line) => !isSecond(line)),
		axes.start,
		bottom,
	);
	const end = axes.end && axisOf(lines.filter(isSecond), axes.end, bottom, start);
	const left = gutter(start, textScale);
	const right = width - (end ? gutter(end, textScale) : 8);
	const spread = linear([0, Math.max(1, count - 1)], [left, right]);
	// A single point stands in the middle.
	const x = count === 1 ? () => (left + right) / 2 : spread;
	return { width, height, textScale, left, right, bottom, x, start, end };
}

/** The way along some points; it breaks off where a value is missing. */
export function wayOf(values: readonly (number | undefined)[], x: (i: number) => number, y: (v: number) => number) {
	let isOn = false;
	let way = "";
	for (const [index, value] of values.entries()) {
		if (value !== undefined) way += `${isOn ? "L" : "M"}${x(index).toFixed(1)} ${y(value).toFixed(1)}`;
		isOn = value !== undefined;
	}
	return way;
}
