import type { Kind } from "../../lib/format.ts";

/** How a figure moved. */
export interface Movement {
	/** `new`: there was nothing before; `none`: nothing then and now. */
	readonly state: "up" | "down" | "same" | "new" | "none";
	/** Percent; points for rates. */
	readonly by: number;
	readonly unit: "percent" | "points";
}

/** Compares a figure with the one before: rates by their points, everything else by percent. */
export function changeOf(now: number, before: number, kind: Kind): Movement {
	const unit = kind === "rate" ? "points" : "percent";
	if (now === 0 && before === 0) return { state: "none", by: 0, unit };
	if (unit === "percent" && before === 0) return { state: "new", by: 0, unit };
	const by = unit === "points" ? now - before : (100 * (now - before)) / before;
	const isSame = Math.abs(by) < (unit === "points" ? 0.05 : 0.5);
	return { state: isSame ? "same" : by > 0 ? "up" : "down", by, unit };
}
