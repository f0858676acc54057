import { type NewRow, type Row, tables } from "../../../../migrations/metadata/tables/index.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";

/** An annotation as stored, with the name of whoever wrote it. */
export type AnnotationRow = Row<"annotations"> & { readonly author: string | null };

/** Editable fields of an annotation. */
export type AnnotationContent = Pick<AnnotationRow, "date" | "hour" | "text" | "kind">;

const withAuthors = (metadata: Metadata, siteId: string) =>
	tables(metadata)
		.selectFrom("annotations")
		.leftJoin("users", "users.id", "annotations.created_by")
		.selectAll("annotations")
		.select("users.name as author")
		.where("annotations.site_id", "=", siteId);

/** The site's annotations of these days, in the order of time; all of them without days. */
export function listAnnotations(
	metadata: Metadata,
	siteId: string,
	{ from, to }: { readonly from: string | undefined; readonly to: string | undefined },
): Promise<AnnotationRow[]> {
	let query = withAuthors(metadata, siteId);
	if (from !== undefined) query = query.where("annotations.date", ">=", from);
	if (to !== undefined) query = query.where("annotations.date", "<=", to);
	// Annotations of a whole day come before those of its hours, in every store.
	return query
		.orderBy("annotations.date")
		.orderBy(({ fn, val, ref }) => fn.coalesce(ref("annotations.hour"), val(-1)))
		.orderBy("annotations.id")
		.execute();
}

/** One annotation of the site. */
export const findAnnotation = (metadata: Metadata, siteId: string, id: number): Promise<AnnotationRow | undefined> =>
	withAuthors(metadata, siteId).where("annotations.id", "=", id).executeTakeFirst();

/** Number of annotations of a site. */
export async function countAnnotations(metadata: Metadata, siteId: string): Promise<number> {
	const { count } = await tables(metadata)
		.selectFrom("annotations")
		.select((query) => query.fn.countAll<number>().as("count"))
		.where("site_id", "=", siteId)
		.executeTakeFirstOrThrow();
	return Number(count);
}

/** Stores an annotation; its id. */
export async function insertAnnotation(metadata: Metadata, row: NewRow<"annotations">): Promise<number> {
	const { id } = await tables(metadata).insertInto("annotations").values(row).returning("id").executeTakeFirstOrThrow();
	return id;
}

/** Changes an annotation of the site. */
export async function updateAnnotation(
	metadata: Metadata,
	siteId: string,
	id: number,
	changes: Partial<AnnotationContent>,
): Promise<void> {
	if (Object.keys(changes).length === 0) return;
	await tables(metadata)
		.updateTable("annotations")
		.set(changes)
		.where("site_id", "=", siteId)
		.where("id", "=", id)
		.execute();
}

/** Removes an annotation of the site; undefined when it has none of this id. */
export const deleteAnnotation = (
	metadata: Metadata,
	siteId: string,
	id: number,
): Promise<AnnotationContent | undefined> =>
	tables(metadata)
		.deleteFrom("annotations")
		.where("site_id", "=", siteId)
		.where("id", "=", id)
		.returning(["date", "hour", "text", "kind"])
		.executeTakeFirst();
