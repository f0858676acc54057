import { ServiceError } from "../../../platform/errors/service-error.ts";
import type { Clock } from "../../../platform/lib/clock.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import { type Actor, addedFields, changedFields, recordAudit, removedFields } from "../../auditing/audit-log/index.ts";
import { lockSite } from "../../tenancy/sites/index.ts";
import {
	type AnnotationContent,
	type AnnotationRow,
	countAnnotations,
	deleteAnnotation,
	findAnnotation,
	insertAnnotation,
	updateAnnotation,
} from "./store.ts";

/** Annotations that a site may have: a list of all of them is one answer. */
const MAX_ANNOTATIONS = 1_000;

/** Dependencies of changing annotations. */
export interface AnnotationDeps {
	readonly metadata: Metadata;
	readonly clock: Clock;
}

/** Author and site of a change. */
interface Change {
	readonly siteId: string;
	readonly actor: Actor;
}

/** Audited fields of an annotation. */
const audited = ({ date, hour, text, kind }: AnnotationContent) => ({ date, hour, text, kind });

/** The annotation of a site with this id; throws `not_found`. */
export async function getAnnotation(
	{ metadata }: Pick<AnnotationDeps, "metadata">,
	siteId: string,
	id: number,
): Promise<AnnotationRow> {
	const row = await findAnnotation(metadata, siteId, id);
	if (row === undefined) throw notFound();
	return row;
}

/** Writes something beside a day; 409 when the site has too many annotations. */
export async function addAnnotation(
	deps: AnnotationDeps,
	{ siteId, actor }: Change,
	content: AnnotationContent,
): Promise<AnnotationRow> {
	const nowMs = deps.clock.now();
	return deps.metadata.transaction().execute(async (metadata) => {
		await lockSite(metadata, siteId);
		if ((await countAnnotations(metadata, siteId)) >= MAX_ANNOTATIONS) {
			throw new ServiceError("conflict", { message: `A site may have at most ${MAX_ANNOTATIONS} annotations` });
		}
		const id = await insertAnnotation(metadata, {
			...content,
			site_id: siteId,
			created_by: actor.userId,
			created_at: nowMs,
		});
		const details = addedFields(audited(content));
		await recordAudit(metadata, actor, { action: "annotation.created", resourceId: id, siteId, details }, nowMs);
		return getAnnotation({ metadata }, siteId, id);
	});
}

/** Changes the parts given; throws `not_found`. */
export async function changeAnnotation(
	deps: AnnotationDeps,
	{ siteId, actor }: Change,
	id: number,
	changes: Partial<AnnotationContent>,
): Promise<AnnotationRow> {
	return deps.metadata.transaction().execute(async (metadata) => {
		const before = await getAnnotation({ metadata }, siteId, id);
		await updateAnnotation(metadata, siteId, id, changes);
		const row = await getAnnotation({ metadata }, siteId, id);
		const details = changedFields(audited(before), audited(row));
		const entry = { action: "annotation.updated", resourceId: id, siteId, details } as const;
		await recordAudit(metadata, actor, entry, deps.clock.now());
		return row;
	});
}

/** Removes an annotation; throws `not_found`. */
export async function removeAnnotation(deps: AnnotationDeps, { siteId, actor }: Change, id: number): Promise<void> {
	await deps.metadata.transaction().execute(async (metadata) => {
		const content = await deleteAnnotation(metadata, siteId, id);
		if (content === undefined) throw notFound();
		const details = removedFields(audited(content));
		const entry = { action: "annotation.deleted", resourceId: id, siteId, details } as const;
		await recordAudit(metadata, actor, entry, deps.clock.now());
	});
}

const notFound = () => new ServiceError("not_found", { message: "Annotation not found" });
