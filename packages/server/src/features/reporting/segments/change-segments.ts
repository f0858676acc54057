import { fieldError, ServiceError } from "../../../platform/errors/service-error.ts";
import type { EventStore } from "../../../platform/event-store/event-store.ts";
import type { Clock } from "../../../platform/lib/clock.ts";
import { randomAlphanumeric } from "../../../platform/lib/ids.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import { type Actor, addedFields, changedFields, recordAudit, removedFields } from "../../auditing/audit-log/index.ts";
import { lockSite } from "../../tenancy/sites/index.ts";
import { checkExpressions, filterConditions } from "./filter-conditions.ts";
import type { SegmentFilters } from "./schemas.ts";
import { getSegment, ownSegment, type Segment, segmentNotFound, systemSegment } from "./segments.ts";
import { countSegments, deleteSegment, insertSegment, type SegmentRow, updateSegment } from "./store.ts";

/** Values travel to the event store in the address of a request, and servers read a megabyte of it at most. */
const MAX_BYTES = 64 * 1024;

/** The text under which filters are stored, without what a request holds beyond them. 422 on `body.filters`. */
function encodeFilters(filters: SegmentFilters): string {
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

/** Own segments that a site may have. */
const MAX_SEGMENTS = 100;
const MAX_DISPLAY_NAME = 100;

/** Dependencies of changing segments. */
export interface SegmentDeps {
	readonly metadata: Metadata;
	readonly eventStore: EventStore;
	readonly clock: Clock;
}

/** A new segment. */
type SegmentInput = Pick<Segment, "name" | "display_name" | "description" | "color" | "filters">;

/** Author and site of a change. */
export interface Change {
	readonly siteId: string;
	readonly actor: Actor;
}

/** Audited fields of a segment. */
const audited = ({ name, display_name, description, color, filters }: SegmentRow) => ({
	name,
	display_name,
	description,
	color,
	filters,
});

/** Saves a segment. 422 for its filters, `duplicate_entry` for a name that is taken, 409 when the site has too many. */
export async function createSegment(
	deps: SegmentDeps,
	{ siteId, actor }: Change,
	{ filters, ...input }: SegmentInput,
): Promise<Segment> {
	const now = deps.clock.now();
	const row: SegmentRow = {
		...input,
		id: `seg_${randomAlphanumeric(12)}`,
		site_id: siteId,
		filters: await storableFilters(deps, filters),
		created_by: actor.userId,
		created_at: now,
		updated_at: now,
	};
	return deps.metadata.transaction().execute(async (metadata) => {
		await lockSite(metadata, siteId);
		const count = await countSegments(metadata, siteId);
		const taken = new ServiceError("duplicate_entry", { message: "A segment of this name exists" });
		if (systemSegment(siteId, input.name) !== undefined) throw taken;
		const inserted = await insertSegment(metadata, row);
		if (inserted === undefined) throw taken;
		if (count >= MAX_SEGMENTS) {
			throw new ServiceError("conflict", { message: `A site may have at most ${MAX_SEGMENTS} segments` });
		}
		const details = addedFields(audited(inserted));
		await recordAudit(metadata, actor, { action: "segment.created", resourceId: row.id, siteId, details }, now);
		return ownSegment(inserted);
	});
}

/** Copies a segment, a system one included, under a new name. Throws `not_found` and as `createSegment`. */
export async function duplicateSegment(
	deps: SegmentDeps,
	change: Change,
	idOrName: string,
	name: string,
): Promise<Segment> {
	const { display_name, description, color, filters } = await getSegment(deps, change.siteId, idOrName);
	const suffix = " (copy)";
	const copied = display_name.slice(0, MAX_DISPLAY_NAME - suffix.length).toWellFormed() + suffix;
	return createSegment(deps, change, { name, display_name: copied, description, color, filters });
}

/** Changes the parts given. Throws `not_found`, `forbidden` for a system segment, and 422 for filters. */
export async function changeSegment(
	deps: SegmentDeps,
	{ siteId, actor }: Change,
	idOrName: string,
	{ display_name, description, color, filters }: Partial<Omit<SegmentInput, "name">>,
): Promise<Segment> {
	const stored = filters && (await storableFilters(deps, filters));
	const now = deps.clock.now();
	return deps.metadata.transaction().execute(async (metadata) => {
		const before = await getOwn(metadata, siteId, idOrName);
		const row = await updateSegment(metadata, before.id, {
			display_name,
			description,
			color,
			filters: stored,
			updated_at: now,
		});
		if (row === undefined) throw segmentNotFound();
		const details = changedFields(audited(before), audited(row));
		await recordAudit(metadata, actor, { action: "segment.updated", resourceId: row.id, siteId, details }, now);
		return ownSegment(row);
	});
}

/** Removes a segment. Throws `not_found` and `forbidden` for a system segment. */
export async function removeSegment(deps: SegmentDeps, { siteId, actor }: Change, idOrName: string): Promise<void> {
	await deps.metadata.transaction().execute(async (metadata) => {
		const row = await getOwn(metadata, siteId, idOrName);
		if (!(await deleteSegment(metadata, row.id))) throw segmentNotFound();
		const details = removedFields(audited(row));
		const entry = { action: "segment.deleted", resourceId: row.id, siteId, details } as const;
		await recordAudit(metadata, actor, entry, deps.clock.now());
	});
}

async function storableFilters(deps: SegmentDeps, filters: SegmentFilters): Promise<string> {
	const text = encodeFilters(filters);
	await checkExpressions(deps, filters, "body.filters");
	return text;
}

async function getOwn(metadata: Metadata, siteId: string, idOrName: string): Promise<SegmentRow> {
	const { stored } = await getSegment({ metadata }, siteId, idOrName);
	if (stored === undefined) throw new ServiceError("forbidden", { message: "System segments cannot be changed" });
	return stored;
}
