import type { Condition, Filter } from "../../catalog/filters.ts";

/** Conditions of one request by where they come from. */
export interface ConditionSources {
	readonly advanced: readonly Filter[];
	readonly parameters: readonly Filter[];
	/** Conditions of segments, highest precedence first. */
	readonly segments: readonly (readonly Condition[])[];
}

/**
 * All conditions, ANDed. A field that is set in several places counts where its precedence is highest: advanced
 * filters, then parameters, then a segment's own conditions. The groups of a segment always apply.
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
