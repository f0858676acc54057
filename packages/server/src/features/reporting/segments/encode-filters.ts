import { fieldError } from "../../../platform/errors/service-error.ts";
import { filterConditions } from "./filter-conditions.ts";
import type { SegmentFilters } from "./schemas.ts";

/** Values travel to the event store in the address of a request, and servers read a megabyte of it at most. */
const MAX_BYTES = 64 * 1024;

/** The text under which filters are stored, without what a request holds beyond them. 422 on `body.filters`. */
export function encodeFilters(filters: SegmentFilters): string {
	filterConditions(filters, "body.filters");
	const kept = (conditions: SegmentFilters["conditions"]) =>
		conditions.map(({ field, operator, value }) => ({ field, operator, value }));
	const keptGroups = (groups: SegmentFilters["groups"]) =>
		groups.map(({ conditions }) => ({ conditions: kept(conditions) }));
	const text = JSON.stringify({
		conditions: kept(filters.conditions),
		groups: keptGroups(filters.groups),
		not_groups: keptGroups(filters.not_groups),
	} satisfies SegmentFilters);
	if (Buffer.byteLength(text) > MAX_BYTES)
		throw fieldError("body.filters", "Must not exceed 64 KB in all", "too_large");
	return text;
}
