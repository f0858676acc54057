import { type Dimension, isProperty, type Property } from "../../catalog/dimensions.ts";
import { type Condition, type Filter, withoutImports } from "../../catalog/filters.ts";

/** Meaning of the field `path`: the page of the row, or the landing page of its visit. */
export type PathMeaning = Extract<Dimension, "path" | "landing_page">;

/** How a question reads the fields in which the hits of one visit differ. */
export interface Reading {
	/** `path` and with it `content_grouping`. */
	readonly path: PathMeaning;
	/** `conversion_type` and properties: those of the row, or of any event of its visit. */
	readonly events: "row" | "visit";
}

/** About visits. */
export const ofVisits: Reading = { path: "landing_page", events: "visit" };
/** About events, and the visits that they happened in. */
export const ofEvents: Reading = { path: "landing_page", events: "row" };
/** About hits one by one. */
export const ofHits: Reading = { path: "path", events: "row" };

/** The reading of a question that groups by some dimensions: it filters by what it shows. */
export const readingOf = (dimensions: readonly Dimension[]): Reading => ({
	path: dimensions.includes("path") || dimensions.includes("content_grouping") ? "path" : "landing_page",
	events: dimensions.includes("conversion_type") ? "row" : "visit",
});

const landing: Partial<Record<Dimension | Property, Dimension>> = {
	path: "landing_page",
	content_grouping: "landing_content_grouping",
};

/** A filter as a question reads it. */
export function readFilter(filter: Filter, { path, events }: Reading): Filter {
	const isOfEvents = filter.dimension === "conversion_type" || isProperty(filter.dimension);
	if (isOfEvents) return events === "visit" ? { ...filter, of: "visit" } : filter;
	if (path === "path") return filter;
	return { ...filter, dimension: landing[filter.dimension] ?? filter.dimension };
}

function readCondition(condition: Condition, reading: Reading): Condition {
	if ("all" in condition) return { all: condition.all.map((one) => readCondition(one, reading)) };
	if ("any" in condition) return { any: condition.any.map((one) => readCondition(one, reading)) };
	if ("not" in condition) return { not: readCondition(condition.not, reading) };
	return "imports" in condition ? condition : readFilter(condition, reading);
}

/**
 * A segment as a question reads it. The members of a segment that ANDs are single, so that explicit values can override
 * them.
 */
export function segmentConditions(segment: Condition, reading: Reading): Condition[] {
	const read = readCondition(segment, reading);
	return "all" in read ? [...read.all] : [read];
}

/** Conditions of one request by where they come from. */
interface ConditionSources {
	readonly advanced?: readonly Filter[];
	readonly parameters: readonly Filter[];
	/** Highest precedence first. */
	readonly segments?: readonly Condition[];
	readonly imports: "include" | "exclude" | undefined;
}

/**
 * All conditions as a question reads them, ANDed. A field that is set in several places counts where its precedence is highest: advanced
 * filters, then parameters, then a segment's own conditions. The groups of a segment always apply.
 */
export function mergeConditions(
	{ advanced = [], parameters, segments = [], imports }: ConditionSources,
	reading: Reading,
): Condition[] {
	const set = new Set(advanced.map((filter) => filter.dimension));
	const merged: Condition[] = [...advanced];
	for (const rank of [parameters, ...segments.map((segment) => segmentConditions(segment, reading))]) {
		const kept = rank.filter((condition) => !("dimension" in condition && set.has(condition.dimension)));
		merged.push(...kept);
		for (const condition of kept) if ("dimension" in condition) set.add(condition.dimension);
	}
	return imports === "exclude" ? [...merged, withoutImports] : merged;
}
