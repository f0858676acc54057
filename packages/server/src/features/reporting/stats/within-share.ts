import type { SharedView, ShareList } from "../../../access/index.ts";
import type { Dimension, Property } from "../../../analytics/catalog/dimensions.ts";
import type { Condition } from "../../../analytics/catalog/filters.ts";
import { type Reading, segmentConditions } from "../../../analytics/query/question/reading.ts";
import { ServiceError } from "../../../platform/errors/service-error.ts";
import type { SegmentLookup } from "./deps.ts";

/** A site as reports see it that a shared link may have led to. */
export interface SharedSite {
	/** The slug. */
	readonly id: string;
	/** Content of the shared link by which the site is read; null for all other callers. */
	readonly share: SharedView | null;
}

/** The dimensions whose values a list tells, and by which its readers may therefore filter. */
const told: Readonly<Record<ShareList, readonly Dimension[]>> = {
	channels: ["channel_group"],
	sources: ["utm_source"],
	mediums: ["utm_medium"],
	campaigns: ["utm_campaign"],
	terms: ["utm_term"],
	contents: ["utm_content"],
	referrers: ["referrer_domain"],
	// A question about visits reads a page as the landing page.
	pages: ["path", "landing_page"],
	landing_pages: ["landing_page"],
	exit_pages: ["path", "landing_page"],
	content_groups: ["content_grouping", "landing_content_grouping"],
	countries: ["country"],
	devices: ["device_type"],
	browsers: ["browser"],
	systems: ["os"],
	conversions: ["conversion_type"],
	microconversions: ["conversion_type"],
	properties: [],
	hours: ["hour", "day_of_week"],
};

/**
 * True when the lists of a shared link tell the values of all these dimensions; always for other callers. No list tells
 * the values of properties.
 */
export function tells(share: SharedView | null, dimensions: readonly (Dimension | Property)[]): boolean {
	if (share === null) return true;
	const open = new Set<Dimension | Property>(share.lists.flatMap((list) => told[list]));
	return dimensions.every((dimension) => open.has(dimension));
}

function dimensionsOf(condition: Condition): readonly (Dimension | Property)[] {
	if ("all" in condition) return condition.all.flatMap(dimensionsOf);
	if ("any" in condition) return condition.any.flatMap(dimensionsOf);
	if ("not" in condition) return dimensionsOf(condition.not);
	return "imports" in condition ? [] : [condition.dimension];
}

/**
 * Restricts a request to a shared link: the link's segment applies in addition to every filter of its readers, whatever
 * field they name. `forbidden` for a filter that the link does not admit, and once its segment is deleted: a link never
 * shows more than it was made for.
 */
export async function withinShare(
	deps: { readonly segments: SegmentLookup },
	{ id, share }: SharedSite,
	asked: readonly Condition[],
	reading: Reading,
): Promise<readonly Condition[]> {
	if (share === null) return asked;
	if (asked.length > 0 && !share.mayFilter) throw refused("The shared link does not allow filters");
	if (!tells(share, asked.flatMap(dimensionsOf))) throw refused("The shared link does not show what this filters by");
	if (share.segmentId === null) return asked;
	const segment = await deps.segments(id, share.segmentId);
	if (segment === undefined) throw refused("The segment of the shared link is gone");
	return [...asked, ...segmentConditions(segment, reading)];
}

const refused = (message: string) => new ServiceError("forbidden", { message });
