import type { Shape } from "./rule-body.ts";

/** Page views a day of the sites that were tried. */
export const sizes = [240, 1_000, 10_000, 100_000] as const;

/** False alarms in 90 days in which nothing happens, by the size of the site: the table of docs/alerts.md. */
export const falseAlarms = {
	spike: [355, 179, 20, 0],
	drop: [339, 149, 14, 0],
	day: [0, 0, 0, 0],
	deviation: [22, 6, 0, 0],
} as const satisfies Record<string, readonly number[]>;
export type Tried = keyof typeof falseAlarms;

/** The tried size that is nearest to a site's. */
export function nearestSize(pageViewsADay: number): number {
	const far = (size: number) => Math.abs(Math.log(size / Math.max(1, pageViewsADay)));
	return sizes.reduce<number>((best, size, at) => (far(size) < far(sizes[best] ?? 1) ? at : best), 0);
}

/** The tried rule that says how often chance alone would fire this one; undefined where none is alike. */
export function triedLike({ type, condition, window, baseline }: Omit<Shape, "tells">): Tried | undefined {
	if (type !== "traffic_drop" && type !== "traffic_spike") return undefined;
	if (condition === "std_deviation") return baseline === "30d" || baseline === "90d" ? "deviation" : undefined;
	if (condition !== "percentage_change") return undefined;
	if (window === "24h") return "day";
	return type === "traffic_drop" ? "drop" : "spike";
}
