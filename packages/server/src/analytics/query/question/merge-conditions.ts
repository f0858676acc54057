import type { Condition, Filter } from "../../catalog/filters.ts";

/** Conditions of one request by where they come from. */
export interface ConditionSources {
	readonly advanced: readonly Filter[];
	readonly parameters: readonly Filter[];
	readonly segment: readonly Condition[];
}

/**
 * All conditions, ANDed. A field that is set in several places counts where it ranks highest: advanced filters,
 * then parameters, then the segment's own conditions; what a segment combines in groups always holds.
 */
export function mergeConditions({ advanced, parameters, segment }: ConditionSources): Condition[] {
	const set = new Set(advanced.map((filter) => filter.dimension));
	const merged: Condition[] = [...advanced];
	for (const rank of [parameters, segment]) {
		const kept = rank.filter((condition) => !("dimension" in condition && set.has(condition.dimension)));
		merged.push(...kept);
		for (const condition of kept) if ("dimension" in condition) set.add(condition.dimension);
	}
	return merged;
}
