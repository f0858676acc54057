import { ApiError } from "../../../platform/http/api-error.ts";
import type { Clock } from "../../../platform/lib/clock.ts";
import { randomAlphanumeric } from "../../../platform/lib/ids.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import { encodeFilters } from "./encode-filters.ts";
import { getSegment } from "./find-segment.ts";
import type { SegmentFilters } from "./schemas.ts";
import { ownSegment, type Segment } from "./segment.ts";
import { countForInsert, deleteSegment, insertSegment, type SegmentRow, updateSegment } from "./store.ts";
import { systemSegment } from "./system-segments.ts";

/** Own segments that a site may have. */
const MAX_SEGMENTS = 100;
const MAX_DISPLAY_NAME = 100;

/** What changing segments needs. */
export interface SegmentDeps {
	readonly metadata: Metadata;
	readonly clock: Clock;
}

/** What a user decides about a segment, its name apart. */
export interface SegmentInput {
	readonly displayName: string;
	readonly description: string | null;
	readonly color: string | null;
	readonly filters: SegmentFilters;
}

interface Owner {
	readonly siteId: string;
	readonly userId: number;
}

/** Saves a segment. 422 for its filters, `duplicate_entry` for a name that is taken, 409 when the site has too many. */
export async function createSegment(
	deps: SegmentDeps,
	{ siteId, userId }: Owner,
	name: string,
	input: SegmentInput,
): Promise<Segment> {
	const now = deps.clock.now();
	const row: SegmentRow = {
		id: `seg_${randomAlphanumeric(12)}`,
		site_id: siteId,
		name,
		display_name: input.displayName,
		description: input.description,
		color: input.color,
		filters: encodeFilters(input.filters),
		created_by: userId,
		created_at: now,
		updated_at: now,
	};
	return deps.metadata.transaction().execute(async (metadata) => {
		const count = await countForInsert(metadata, siteId);
		const taken = new ApiError("duplicate_entry", { message: "A segment of this name exists" });
		if (systemSegment(siteId, name) !== undefined) throw taken;
		const inserted = await insertSegment(metadata, row);
		if (inserted === undefined) throw taken;
		if (count >= MAX_SEGMENTS) {
			throw new ApiError("conflict", { message: `A site may have at most ${MAX_SEGMENTS} segments` });
		}
		return ownSegment(inserted);
	});
}

/** Copies a segment, a system one included, under a new name. Throws `not_found` and as `createSegment`. */
export async function duplicateSegment(
	deps: SegmentDeps,
	owner: Owner,
	idOrName: string,
	newName: string,
): Promise<Segment> {
	const { displayName, ...input } = await getSegment(deps, owner.siteId, idOrName);
	const suffix = " (copy)";
	const copied = displayName.slice(0, MAX_DISPLAY_NAME - suffix.length).toWellFormed() + suffix;
	return createSegment(deps, owner, newName, { ...input, displayName: copied });
}

/** Changes the parts given. Throws `not_found`, `forbidden` for a system segment, and 422 for filters. */
export async function changeSegment(
	deps: SegmentDeps,
	siteId: string,
	idOrName: string,
	{ displayName, description, color, filters }: Partial<SegmentInput>,
): Promise<Segment> {
	const stored = filters && encodeFilters(filters);
	const { id } = await getOwn(deps, siteId, idOrName);
	const row = await updateSegment(deps.metadata, id, {
		...(displayName !== undefined && { display_name: displayName }),
		...(description !== undefined && { description }),
		...(color !== undefined && { color }),
		...(stored !== undefined && { filters: stored }),
		updated_at: deps.clock.now(),
	});
	if (row === undefined) throw new ApiError("not_found", { message: "Segment not found" });
	return ownSegment(row);
}

/** Removes a segment. Throws `not_found` and `forbidden` for a system segment. */
export async function removeSegment(deps: SegmentDeps, siteId: string, idOrName: string): Promise<void> {
	const { id } = await getOwn(deps, siteId, idOrName);
	if (!(await deleteSegment(deps.metadata, id))) throw new ApiError("not_found", { message: "Segment not found" });
}

async function getOwn(deps: SegmentDeps, siteId: string, idOrName: string): Promise<Segment> {
	const segment = await getSegment(deps, siteId, idOrName);
	if (segment.stored === undefined) {
		throw new ApiError("forbidden", { message: "System segments cannot be changed" });
	}
	return segment;
}
