import { type Row, tables } from "../../../../migrations/metadata/tables/index.ts";
import { tableOf } from "../../../../migrations/metadata/tables/table-of.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";

export const savedViews = tableOf("saved_views");

/** A saved view as stored, with the site and the name of its author as the answer calls them. */
export type ViewRow = Row<"saved_views"> & { readonly account_id: string; readonly created_by_name: string | null };

/** Visible views: those of this user, and shared ones of the site. */
interface Viewer {
	readonly siteId: string;
	readonly userId: number;
}

const seenBy = (metadata: Metadata, { siteId, userId }: Viewer) =>
	tables(metadata)
		.selectFrom("saved_views")
		.leftJoin("users", "users.id", "saved_views.created_by")
		.selectAll("saved_views")
		.select(["saved_views.site_id as account_id", "users.name as created_by_name"])
		.where("saved_views.site_id", "=", siteId)
		.where((view) => view.or([view("saved_views.created_by", "=", userId), view("saved_views.is_shared", "=", 1)]));

/** The views that a user sees at a site, by name; of one kind, or all. */
export function listViews(metadata: Metadata, viewer: Viewer, kind: ViewRow["kind"] | undefined): Promise<ViewRow[]> {
	let query = seenBy(metadata, viewer);
	if (kind !== undefined) query = query.where("saved_views.kind", "=", kind);
	return query.orderBy("saved_views.name").orderBy("saved_views.id").execute();
}

/** The view with this id, if the user sees it. */
export const findView = (metadata: Metadata, viewer: Viewer, id: number): Promise<ViewRow | undefined> =>
	seenBy(metadata, viewer).where("saved_views.id", "=", id).executeTakeFirst();
