import type { Condition, Filter } from "../../catalog/filters.ts";

/** Conditions of one request by where they come from. */
export interface ConditionSources {
	readonly advanced: readonly Filter[];
	readonly parameters: readonly Filter[];
	/** What segments choose, those that rank higher first. */
	readonly segments: readonly (readonly Condition[])[];
}

/**
 * All conditions, ANDed. A field that is set in several places counts where it ranks highest: advanced filters,
 * then parameters, then a segment's own conditions; what a segment combines in groups always holds.
 */
export function mergeConditions({ advanced, parameters, segments }: ConditionSources): Condition[] {
	const set = new Set(advanced.map((filter) => filter.dimension));
	const merged: Condition[] = [...advanced];
	for (const rank of [parameters, ...segments]) {
		const kept = rank.filter((condition) => !("dimension" in condition && set.has(condition.dimension)));
		merged.push(...kept);
		for (const condition of kept) if ("dimension" in condition) set.add(condition.dimension);
	}
	return merged;
}
