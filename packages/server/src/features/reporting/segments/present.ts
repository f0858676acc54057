import { timestamp } from "../../../platform/lib/timestamp.ts";
import { countConditions } from "./filter-conditions.ts";
import type { Segment } from "./segment.ts";

/** A segment in a list. */
export const presentSummary = (segment: Segment) => ({
	id: segment.id,
	name: segment.name,
	display_name: segment.displayName,
	description: segment.description,
	color: segment.color,
	is_system: segment.stored === undefined,
	filter_count: countConditions(segment.filters),
});

/** A segment with what it chooses. */
export const presentSegment = (segment: Segment) => ({
	...presentSummary(segment),
	account_id: segment.siteId,
	filters: segment.filters,
	created_by: segment.stored?.created_by ?? null,
	created_at: segment.stored === undefined ? null : timestamp(segment.stored.created_at),
	updated_at: segment.stored === undefined ? null : timestamp(segment.stored.updated_at),
});
