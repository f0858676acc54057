import type { Condition, Filter } from "../../../analytics/catalog/filters.ts";
import { placed } from "../../../analytics/query/question/bad-question.ts";
import { dimensionFilter } from "../../../analytics/query/question/dimension-filter.ts";
import { fieldDimensions, segmentOperators } from "../../../analytics/query/question/filter-vocabulary.ts";
import { fieldError } from "../../../platform/errors/service-error.ts";
import type { SegmentCondition, SegmentFilters } from "./schemas.ts";

type Groups = SegmentFilters["groups"];

/**
 * Conditions of a segment in the form of reports: its own first, then one that requires any group, then one for each
 * excluded group. 422 below `at` for an impossible value and for an invalid expression.
 */
export function filterConditions(filters: SegmentFilters, at: string): Condition[] {
	const groups = combinedGroups(filters.groups, `${at}.groups`);
	const notGroups = combinedGroups(filters.not_groups, `${at}.not_groups`);
	return [
		...filtersOf(filters.conditions, `${at}.conditions`),
		...(groups.length === 0 ? [] : [{ any: groups }]),
		...notGroups.map((group) => ({ not: group })),
	];
}

// A group without conditions says nothing: it neither lets everything in nor shuts everything out.
function combinedGroups(groups: Groups, at: string): Condition[] {
	return groups.flatMap(({ conditions }, index) =>
		conditions.length === 0 ? [] : [{ all: filtersOf(conditions, `${at}.${index}.conditions`) }],
	);
}

function filtersOf(conditions: readonly SegmentCondition[], at: string): Filter[] {
	return conditions.map((condition, index) => filterOf(condition, `${at}.${index}.value`));
}

function filterOf({ field, operator, value }: SegmentCondition, at: string): Filter {
	const takesList = operator === "in" || operator === "not_in";
	if (takesList !== Array.isArray(value)) {
		throw fieldError(
			at,
			takesList ? "Must be a list of texts" : "Must be a text",
			takesList ? "array_type" : "string_type",
		);
	}
	return placed(at, () => dimensionFilter(fieldDimensions[field], segmentOperators[operator], [value].flat()));
}

/** Number of conditions of a segment. */
export function countConditions({ conditions, groups, not_groups: notGroups }: SegmentFilters): number {
	return [{ conditions }, ...groups, ...notGroups].reduce((count, group) => count + group.conditions.length, 0);
}
