import type { Kind } from "../../lib/format.ts";

/** How a figure moved. */
export interface Movement {
	/** `new`: there was nothing before; `none`: nothing then and now. */
	readonly state: "up" | "down" | "same" | "new" | "none";
	/** Percent; points for rates; in the unit of the figure for a difference. */
	readonly by: number;
	readonly unit: "percent" | "points" | "difference";
	readonly kind: Kind;
}

/** From where on a movement is one. */
const least = { percent: 0.5, points: 0.05, difference: 0.005 } as const;

/**
 * Compares a figure with the one before: rates by their points, everything else by percent, and by its difference where
 * one of them is below zero, as revenue with refunds, and the one before is not above: of such a base there is no percentage.
 */
export function changeOf(now: number, before: number, kind: Kind): Movement {
	const unit = kind === "rate" ? "points" : before > 0 ? "percent" : "difference";
	if (now === 0 && before === 0) return { state: "none", by: 0, unit, kind };
	if (unit === "difference" && before === 0 && now > 0) return { state: "new", by: 0, unit, kind };
	const by = unit === "percent" ? (100 * (now - before)) / before : now - before;
	return { state: Math.abs(by) < least[unit] ? "same" : by > 0 ? "up" : "down", by, unit, kind };
}
