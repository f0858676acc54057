import type { Condition } from "../../../analytics/catalog/filters.ts";
import { ServiceError } from "../../../platform/errors/service-error.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import { filterConditions } from "./filter-conditions.ts";
import type { SegmentCondition, SegmentFilters } from "./schemas.ts";
import { findOwnSegment, type SegmentRow } from "./store.ts";

/** A saved choice of visits: one of the site's own, or a system segment that every site has. */
export interface Segment
	extends Pick<SegmentRow, "id" | "site_id" | "name" | "display_name" | "description" | "color"> {
	readonly filters: SegmentFilters;
	/** Undefined on system segments. */
	readonly stored?: SegmentRow;
}

/** A stored segment. */
export const ownSegment = (row: SegmentRow): Segment => ({
	...row,
	filters: JSON.parse(row.filters) as SegmentFilters,
	stored: row,
});

const is = (field: SegmentCondition["field"], value: string): SegmentCondition => ({ field, operator: "eq", value });

/** The segments that every site has: name, name on the screen, description, and conditions. */
const definitions: readonly (readonly [string, string, string, ...SegmentCondition[]])[] = [
	["all-traffic", "All traffic", "Every visit"],
	["organic-search", "Organic search", "Visits with the medium organic", is("utm_medium", "organic")],
	["paid-search", "Paid search", "Visits with the medium cpc", is("utm_medium", "cpc")],
	[
		"social",
		"Social",
		"Visits of the channels Organic Social and Paid Social",
		{ field: "channel", operator: "in", value: ["Organic Social", "Paid Social"] },
	],
	["direct", "Direct", "Visits of the channel Direct", is("channel", "Direct")],
	["referral", "Referral", "Visits of the channel Referral", is("channel", "Referral")],
	["mobile", "Mobile", "Visits from phones", is("device_type", "mobile")],
	["desktop", "Desktop", "Visits from desktop computers", is("device_type", "desktop")],
];

/** System segments, seen from a site. */
export const systemSegments = (siteId: string): Segment[] =>
	definitions.map(([name, display_name, description, ...conditions]) => ({
		id: `seg_sys_${name}`,
		site_id: siteId,
		name,
		display_name,
		description,
		color: null,
		filters: { conditions, groups: [], not_groups: [] },
	}));

/** The system segment with this id or name. */
export const systemSegment = (siteId: string, idOrName: string): Segment | undefined =>
	systemSegments(siteId).find(({ id, name }) => id === idOrName || name === idOrName);

// Other texts name no segment; some of them PostgreSQL would refuse to compare.
const ID_OR_NAME = /^[A-Za-z0-9_-]{1,64}$/;

/** The segment of a site with this id or name; an id never looks like a name. */
export async function findSegment(
	{ metadata }: { readonly metadata: Metadata },
	siteId: string,
	idOrName: string,
): Promise<Segment | undefined> {
	if (!ID_OR_NAME.test(idOrName)) return undefined;
	const system = systemSegment(siteId, idOrName);
	if (system !== undefined) return system;
	const row = await findOwnSegment(metadata, siteId, idOrName);
	return row && ownSegment(row);
}

/** There is no such segment of the site. */
export const segmentNotFound = () => new ServiceError("not_found", { message: "Segment not found" });

/** The same; throws `not_found`. */
export async function getSegment(
	deps: { readonly metadata: Metadata },
	siteId: string,
	idOrName: string,
): Promise<Segment> {
	const segment = await findSegment(deps, siteId, idOrName);
	if (segment === undefined) throw segmentNotFound();
	return segment;
}

/**
 * Conditions of a saved segment of the site, by its id or name; undefined if there is none. Its own conditions are
 * directly under `all`, where parameters of a request replace those on the same field.
 */
export async function resolveSegment(
	deps: { readonly metadata: Metadata },
	siteId: string,
	idOrName: string,
): Promise<Condition | undefined> {
	const segment = await findSegment(deps, siteId, idOrName);
	return segment && { all: filterConditions(segment.filters, "query.segment") };
}
