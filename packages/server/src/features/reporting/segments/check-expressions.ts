import { checkExpression } from "../../../analytics/query/engine/check-expression.ts";
import { placedFault } from "../../../analytics/query/question/bad-question.ts";
import type { EventStore } from "../../../platform/event-store/event-store.ts";
import type { SegmentCondition, SegmentFilters } from "./schemas.ts";

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
