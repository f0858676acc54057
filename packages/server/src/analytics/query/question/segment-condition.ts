import type { Dimension } from "../../catalog/dimensions.ts";
import type { Condition } from "../../catalog/filters.ts";
import type { PathMeaning } from "./advanced-filters.ts";

const landing: Partial<Record<Dimension, Dimension>> = {
	path: "landing_page",
	content_grouping: "landing_content_grouping",
};

function onLanding(condition: Condition): Condition {
	if ("all" in condition) return { all: condition.all.map(onLanding) };
	if ("any" in condition) return { any: condition.any.map(onLanding) };
	if ("not" in condition) return { not: onLanding(condition.not) };
	if ("imports" in condition) return condition;
	return { ...condition, dimension: landing[condition.dimension] ?? condition.dimension };
}

/**
 * A segment as a report reads it: where `path` means the landing page, so do the segment's pages and content groups. The
 * members of a segment that ANDs are single, so that explicit values can override them.
 */
export function segmentConditions(segment: Condition, path: PathMeaning): Condition[] {
	const read = path === "landing_page" ? onLanding(segment) : segment;
	return "all" in read ? [...read.all] : [read];
}
