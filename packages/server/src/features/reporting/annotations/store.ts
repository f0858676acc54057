import { tables } from "../../../../migrations/metadata/tables/index.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";

const withAuthors = (metadata: Metadata, siteId: string) =>
	tables(metadata)
		.selectFrom("annotations")
		.leftJoin("users", "users.id", "annotations.created_by")
		.selectAll("annotations")
		.select("users.name as created_by_name")
		.where("annotations.site_id", "=", siteId);

/** One annotation of the site, with the name of its author. */
export const findAnnotation = (metadata: Metadata, siteId: string, id: number) =>
	withAuthors(metadata, siteId).where("annotations.id", "=", id).executeTakeFirst();

/** The site's annotations of these days, in the order of time; all of them without days. */
export function listAnnotations(
	metadata: Metadata,
	siteId: string,
	{ from, to }: { readonly from: string | undefined; readonly to: string | undefined },
) {
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
