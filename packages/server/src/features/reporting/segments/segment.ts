import type { SegmentFilters } from "./schemas.ts";
import type { SegmentRow } from "./store.ts";

/** A saved choice of visits: one of the site's own, or a system segment that every site has. */
export interface Segment {
	readonly id: string;
	readonly siteId: string;
	readonly name: string;
	readonly displayName: string;
	readonly description: string | null;
	readonly color: string | null;
	readonly filters: SegmentFilters;
	/** Undefined on system segments. */
	readonly stored: SegmentRow | undefined;
}

/** A stored segment. */
export function ownSegment(row: SegmentRow): Segment {
	return {
		id: row.id,
		siteId: row.site_id,
		name: row.name,
		displayName: row.display_name,
		description: row.description,
		color: row.color,
		filters: JSON.parse(row.filters) as SegmentFilters,
		stored: row,
	};
}
