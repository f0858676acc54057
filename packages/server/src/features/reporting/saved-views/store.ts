import { type NewRow, type Row, tables } from "../../../../migrations/metadata/tables/index.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";

/** A saved view as stored, with the name of its author. */
export type ViewRow = Row<"saved_views"> & { readonly maker: string | null };

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
		.select("users.name as maker")
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

export async function countViews(metadata: Metadata, { siteId, userId }: Viewer): Promise<number> {
	const { count } = await tables(metadata)
		.selectFrom("saved_views")
		.select((query) => query.fn.countAll<number>().as("count"))
		.where("site_id", "=", siteId)
		.where("created_by", "=", userId)
		.executeTakeFirstOrThrow();
	return Number(count);
}

/** Stores a view; its id, undefined when its maker has one of this kind and name at the site. */
export async function insertView(metadata: Metadata, row: NewRow<"saved_views">): Promise<number | undefined> {
	const inserted = await tables(metadata)
		.insertInto("saved_views")
		.values(row)
		.onConflict((conflict) => conflict.columns(["site_id", "created_by", "kind", "name"]).doNothing())
		.returning("id")
		.executeTakeFirst();
	return inserted?.id;
}

/** True when another view of the same maker and kind has this name at the site. */
export async function isNameTaken(metadata: Metadata, { id, site_id, created_by, kind }: ViewRow, name: string) {
	const other = await tables(metadata)
		.selectFrom("saved_views")
		.select("id")
		.where("site_id", "=", site_id)
		.where("created_by", "=", created_by)
		.where("kind", "=", kind)
		.where("name", "=", name)
		.where("id", "!=", id)
		.executeTakeFirst();
	return other !== undefined;
}

export async function updateView(
	metadata: Metadata,
	id: number,
	changes: Partial<Pick<ViewRow, "name" | "definition" | "is_shared">> & { readonly updated_at: number },
): Promise<void> {
	await tables(metadata).updateTable("saved_views").set(changes).where("id", "=", id).execute();
}

/** Removes a view; false when it is gone. */
export async function deleteView(metadata: Metadata, id: number): Promise<boolean> {
	const rows = await tables(metadata).deleteFrom("saved_views").where("id", "=", id).returning("id").execute();
	return rows.length === 1;
}
