import { roleReaches, type SiteRole } from "../../../access/index.ts";
import { fieldError, ServiceError } from "../../../platform/errors/service-error.ts";
import type { Clock } from "../../../platform/lib/clock.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import { type Actor, addedFields, changedFields, recordAudit, removedFields } from "../../auditing/audit-log/index.ts";
import { lockSite } from "../../tenancy/sites/index.ts";
import {
	countViews,
	deleteView,
	findView,
	insertView,
	isNameTaken,
	updateView,
	type Viewer,
	type ViewRow,
} from "./store.ts";

const MAX_BYTES = 16 * 1024;
/** Queries are at most lists of lists of conditions; readers of a definition rely on it. */
const MAX_DEPTH = 8;

/** The text under which a definition is stored; 422 on `body.definition` for one that is too long or too deep. */
function encodeDefinition(definition: object): string {
	if (isDeeper(definition, MAX_DEPTH)) {
		throw fieldError("body.definition", `Must not be nested more than ${MAX_DEPTH} levels deep`, "too_deep");
	}
	const text = JSON.stringify(definition);
	if (Buffer.byteLength(text) > MAX_BYTES) {
		throw fieldError("body.definition", "Must not exceed 16 KB in all", "too_large");
	}
	return text;
}

const isDeeper = (value: unknown, levels: number): boolean =>
	typeof value === "object" &&
	value !== null &&
	(levels === 0 || Object.values(value).some((part) => isDeeper(part, levels - 1)));

/** Views that a user may keep at a site. */
const MAX_VIEWS = 100;

/** Dependencies of changing saved views. */
export interface ViewDeps {
	readonly metadata: Metadata;
	readonly clock: Clock;
}

/** Author of a change with their role, and its site. */
export interface Change extends Viewer {
	readonly role: SiteRole;
	readonly actor: Actor;
}

/** A new view. */
interface NewView {
	readonly kind: ViewRow["kind"];
	readonly name: string;
	readonly definition: object;
	readonly isShared: boolean;
}

// The definition stays out of the log: it may be long, and private.
const audited = ({ kind, name, is_shared }: Pick<ViewRow, "kind" | "name" | "is_shared">) => ({
	kind,
	name,
	is_shared: is_shared === 1,
});

/** The view with this id, if the user sees it; throws `not_found`. */
export async function getView(metadata: Metadata, viewer: Viewer, id: number): Promise<ViewRow> {
	const row = await findView(metadata, viewer, id);
	if (row === undefined) throw notFound();
	return row;
}

/** Keeps a view. 422 for its definition, `forbidden` for sharing, `duplicate_entry` for its name, 409 when there are too many. */
export async function saveView(deps: ViewDeps, change: Change, view: NewView): Promise<ViewRow> {
	const { siteId, userId, actor } = change;
	const definition = encodeDefinition(view.definition);
	if (view.isShared) refuseSharing(change);
	const nowMs = deps.clock.now();
	return deps.metadata.transaction().execute(async (metadata) => {
		await lockSite(metadata, siteId);
		const count = await countViews(metadata, change);
		const row = { kind: view.kind, name: view.name, is_shared: view.isShared ? 1 : 0, definition };
		const made = { site_id: siteId, created_by: userId, created_at: nowMs, updated_at: nowMs };
		const id = await insertView(metadata, { ...row, ...made });
		if (id === undefined) throw nameTaken();
		if (count >= MAX_VIEWS) {
			throw new ServiceError("conflict", { message: `A user can save at most ${MAX_VIEWS} views of a site` });
		}
		const details = addedFields(audited(row));
		await recordAudit(metadata, actor, { action: "saved_view.created", resourceId: id, siteId, details }, nowMs);
		return getView(metadata, change, id);
	});
}

/** Changes the parts given. Throws `not_found`, and as `saveView`; `forbidden` also for what is somebody else's. */
export async function changeView(
	deps: ViewDeps,
	change: Change,
	id: number,
	{ name, definition, isShared }: Partial<Omit<NewView, "kind">>,
): Promise<ViewRow> {
	const { siteId, actor } = change;
	const encoded = definition && encodeDefinition(definition);
	const nowMs = deps.clock.now();
	return deps.metadata.transaction().execute(async (metadata) => {
		const before = await getChangeable(metadata, change, id);
		if (isShared === true && before.is_shared === 0) refuseSharing(change);
		if (name !== undefined && (await isNameTaken(metadata, before, name))) throw nameTaken();
		const changes = {
			...(name !== undefined && { name }),
			...(encoded !== undefined && { definition: encoded }),
			...(isShared !== undefined && { is_shared: isShared ? 1 : 0 }),
		};
		await updateView(metadata, id, { ...changes, updated_at: nowMs });
		const details = changedFields(audited(before), audited({ ...before, ...changes }));
		await recordAudit(metadata, actor, { action: "saved_view.updated", resourceId: id, siteId, details }, nowMs);
		return { ...before, ...changes, updated_at: nowMs };
	});
}

/** Removes a view. Throws `not_found`, and `forbidden` for what is somebody else's. */
export async function removeView(deps: ViewDeps, change: Change, id: number): Promise<void> {
	const { siteId, actor } = change;
	await deps.metadata.transaction().execute(async (metadata) => {
		const row = await getChangeable(metadata, change, id);
		if (!(await deleteView(metadata, id))) throw notFound();
		const entry = {
			action: "saved_view.deleted",
			resourceId: id,
			siteId,
			details: removedFields(audited(row)),
		} as const;
		await recordAudit(metadata, actor, entry, deps.clock.now());
	});
}

const notFound = () => new ServiceError("not_found", { message: "View not found" });
const nameTaken = () => new ServiceError("duplicate_entry", { message: "You have a view of this kind and name" });

/** Shared views can be changed by their owner and by admins. */
async function getChangeable(metadata: Metadata, change: Change, id: number): Promise<ViewRow> {
	const row = await getView(metadata, change, id);
	if (row.created_by === change.userId || roleReaches(change.role, "admin")) return row;
	throw new ServiceError("forbidden", { message: "Only its creator or an admin can change a view" });
}

function refuseSharing({ role }: Change): void {
	if (roleReaches(role, "editor")) return;
	throw new ServiceError("forbidden", { message: "Sharing a view requires the role editor" });
}
