import type { Static } from "typebox";
import type { Condition } from "../../../analytics/catalog/filters.ts";
import { fieldError, ServiceError } from "../../../platform/errors/service-error.ts";
import type { EventStore } from "../../../platform/event-store/event-store.ts";
import { randomAlphanumeric } from "../../../platform/lib/ids.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import { addedFields, type ChangeDeps, changedFields, removedFields } from "../../auditing/audit-log/index.ts";
import { changeInTurn, type SiteChange } from "../../tenancy/organizations/index.ts";
import { checkExpressions, filterConditions } from "./filter-conditions.ts";
import type { ChangeSegmentBody, SegmentCondition, SegmentFilters } from "./schemas.ts";
import { type SegmentRow, segments } from "./store.ts";

/** A saved choice of visits: one of the site's own, or a system segment that every site has. */
export interface Segment
	extends Pick<SegmentRow, "id" | "site_id" | "name" | "display_name" | "description" | "color"> {
	readonly filters: SegmentFilters;
	/** Undefined on system segments. */
	readonly stored?: SegmentRow;
}

const ownSegment = (row: SegmentRow): Segment => ({
	...row,
	filters: JSON.parse(row.filters) as SegmentFilters,
	stored: row,
});

/** Own segments of a site, oldest first. */
export const ownSegments = async (metadata: Metadata, site_id: string): Promise<Segment[]> =>
	(await segments.list(metadata, { site_id }, "created_at", "name")).map(ownSegment);

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

const systemSegment = (siteId: string, idOrName: string): Segment | undefined =>
	systemSegments(siteId).find(({ id, name }) => id === idOrName || name === idOrName);

// Other texts name no segment; some of them PostgreSQL would refuse to compare.
const ID_OR_NAME = /^[A-Za-z0-9_-]{1,64}$/;

/** The segment of a site with this id or name. */
export async function findSegment(
	{ metadata }: { readonly metadata: Metadata },
	siteId: string,
	idOrName: string,
): Promise<Segment | undefined> {
	if (!ID_OR_NAME.test(idOrName)) return undefined;
	const system = systemSegment(siteId, idOrName);
	if (system !== undefined) return system;
	// A name has no underscore.
	const named = idOrName.includes("_") ? { id: idOrName } : { name: idOrName };
	const row = await segments.find(metadata, { site_id: siteId, ...named });
	return row && ownSegment(row);
}

const segmentNotFound = () => new ServiceError("not_found", "Segment not found");

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

/** Own segments that a site may have. */
const MAX_SEGMENTS = 100;
const MAX_DISPLAY_NAME = 100;

export interface SegmentDeps extends ChangeDeps {
	readonly eventStore: EventStore;
}

type SegmentInput = Pick<Segment, "name" | "display_name" | "description" | "color" | "filters">;

const audited = ({ name, display_name, description, color, filters }: SegmentRow) => ({
	name,
	display_name,
	description,
	color,
	filters,
});

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

async function storableFilters(deps: SegmentDeps, filters: SegmentFilters): Promise<string> {
	const text = encodeFilters(filters);
	await checkExpressions(deps, filters, "body.filters");
	return text;
}

async function getOwn(metadata: Metadata, siteId: string, idOrName: string): Promise<SegmentRow> {
	const { stored } = await getSegment({ metadata }, siteId, idOrName);
	if (stored === undefined) throw new ServiceError("forbidden", "System segments cannot be changed");
	return stored;
}

/** Saves a segment. 422 for its filters, `duplicate_entry` for a name that is taken, 409 when the site has too many. */
export async function createSegment(
	deps: SegmentDeps,
	by: SiteChange,
	{ filters, ...input }: SegmentInput,
): Promise<Segment> {
	const stored = await storableFilters(deps, filters);
	const siteId = by.site.id;
	return changeInTurn(deps, by, async (metadata, now) => {
		const count = await segments.count(metadata, { site_id: siteId });
		const taken = new ServiceError("duplicate_entry", "A segment of this name exists");
		if (systemSegment(siteId, input.name) !== undefined) throw taken;
		const row = await segments.insertUnlessTaken(metadata, {
			...input,
			id: `seg_${randomAlphanumeric(12)}`,
			site_id: siteId,
			filters: stored,
			created_by: by.actor.userId,
			created_at: now,
			updated_at: now,
		});
		if (row === undefined) throw taken;
		if (count >= MAX_SEGMENTS) {
			throw new ServiceError("conflict", `A site may have at most ${MAX_SEGMENTS} segments`);
		}
		const entry = { action: "segment.created", resourceId: row.id, details: addedFields(audited(row)) } as const;
		return { answer: ownSegment(row), entry };
	});
}

/** Copies a segment, a system one included, under a new name. Throws `not_found` and as `createSegment`. */
export async function duplicateSegment(
	deps: SegmentDeps,
	by: SiteChange,
	idOrName: string,
	name: string,
): Promise<Segment> {
	const { display_name, description, color, filters } = await getSegment(deps, by.site.id, idOrName);
	const suffix = " (copy)";
	const copied = display_name.slice(0, MAX_DISPLAY_NAME - suffix.length).toWellFormed() + suffix;
	return createSegment(deps, by, { name, display_name: copied, description, color, filters });
}

/** Changes the parts given. Throws `not_found`, `forbidden` for a system segment, and 422 for filters. */
export async function changeSegment(
	deps: SegmentDeps,
	by: SiteChange,
	idOrName: string,
	{ display_name, description, color, filters }: Static<typeof ChangeSegmentBody>,
): Promise<Segment> {
	const stored = filters && (await storableFilters(deps, filters));
	return changeInTurn(deps, by, async (metadata, updated_at) => {
		const before = await getOwn(metadata, by.site.id, idOrName);
		const changes = { display_name, description, color, filters: stored, updated_at };
		const row = await segments.update(metadata, { id: before.id }, changes);
		if (row === undefined) throw segmentNotFound();
		const details = changedFields(audited(before), audited(row));
		return { answer: ownSegment(row), entry: { action: "segment.updated", resourceId: row.id, details } };
	});
}

/** Removes a segment. Throws `not_found` and `forbidden` for a system segment. */
export async function removeSegment(deps: SegmentDeps, by: SiteChange, idOrName: string): Promise<void> {
	await changeInTurn(deps, by, async (metadata) => {
		const row = await getOwn(metadata, by.site.id, idOrName);
		if ((await segments.delete(metadata, { id: row.id })) === undefined) throw segmentNotFound();
		const details = removedFields(audited(row));
		return { answer: undefined, entry: { action: "segment.deleted", resourceId: row.id, details } };
	});
}
