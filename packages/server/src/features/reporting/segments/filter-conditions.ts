import type { Condition, Filter } from "../../../analytics/catalog/filters.ts";
import { checkExpression } from "../../../analytics/query/engine/run.ts";
import { placed, placedFault } from "../../../analytics/query/question/bad-question.ts";
import { dimensionFilter } from "../../../analytics/query/question/dimension-filter.ts";
import { dimensionOfField, segmentOperators } from "../../../analytics/query/question/filter-vocabulary.ts";
import { fieldError } from "../../../platform/errors/service-error.ts";
import type { EventStore } from "../../../platform/event-store/event-store.ts";
import { parseJson } from "../../../platform/http/validate.ts";
import { type SegmentCondition, SegmentFilters } from "./schemas.ts";

/** 422 on the place of the first expression of a segment that the event store refuses. */
export async function checkExpressions(
	deps: { readonly eventStore: EventStore },
	filters: SegmentFilters,
	at: string,
): Promise<void> {
	for (const { pattern, field } of expressionsOf(filters, at)) {
		await checkExpression(deps, pattern).catch((error: unknown) => {
			throw placedFault(field, error);
		});
	}
}

function expressionsOf(filters: SegmentFilters, at: string) {
	const lists: readonly (readonly [string, readonly SegmentCondition[]])[] = [
		["conditions", filters.conditions],
		...filters.groups.map((group, index) => [`groups.${index}.conditions`, group.conditions] as const),
		...filters.not_groups.map((group, index) => [`not_groups.${index}.conditions`, group.conditions] as const),
	];
	return lists.flatMap(([place, conditions]) =>
		conditions.flatMap(({ operator, value }, index) =>
			operator === "regex" || operator === "not_regex"
				? [{ pattern: String(value), field: `${at}.${place}.${index}.value` }]
				: [],
		),
	);
}

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
	return conditions.map((condition, index) => filterOf(condition, `${at}.${index}`));
}

function filterOf({ field, operator, value }: SegmentCondition, at: string): Filter {
	const takesList = operator === "in" || operator === "not_in";
	if (takesList !== Array.isArray(value)) {
		throw fieldError(
			`${at}.value`,
			takesList ? "Must be a list of texts" : "Must be a text",
			takesList ? "array_type" : "string_type",
		);
	}
	const dimension = placed(`${at}.field`, () => dimensionOfField(field));
	return placed(`${at}.value`, () => dimensionFilter(dimension, segmentOperators[operator], [value].flat()));
}

export function countConditions({ conditions, groups, not_groups: notGroups }: SegmentFilters): number {
	return [{ conditions }, ...groups, ...notGroups].reduce((count, group) => count + group.conditions.length, 0);
}

/** An address has room for this much, where a body holds what is saved. */
const MAX_BYTES = 8 * 1024;

/**
 * Conditions of an unsaved segment, given in a request as the JSON of its filters. Like `resolveSegment`; 422 at `at`,
 * or below it, for filters that could not be saved, and for more than 8 KB.
 */
export async function readSegmentFilters(
	deps: { readonly eventStore: EventStore },
	text: string,
	at: string,
): Promise<Condition> {
	if (Buffer.byteLength(text) > MAX_BYTES)
		throw fieldError(at, "Must not exceed 8 KB; save it as a segment", "too_large");
	const filters = parseJson(SegmentFilters, text, at);
	const conditions = filterConditions(filters, at);
	await checkExpressions(deps, filters, at);
	return { all: conditions };
}
