import type { Condition } from "../../../analytics/catalog/filters.ts";
import { fieldError } from "../../../platform/errors/service-error.ts";
import type { EventStore } from "../../../platform/event-store/event-store.ts";
import { parseJson } from "../../../platform/http/validate.ts";
import { checkExpressions } from "./check-expressions.ts";
import { filterConditions } from "./filter-conditions.ts";
import { SegmentFilters } from "./schemas.ts";

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
