import type { MetadataMigration } from "../../src/platform/metadata/migration.ts";

/** Annotations and saved views. */
export const notesAndViews: MetadataMigration = {
	name: "0024-notes-and-views",
	up: async ({ db, autoId }) => {
		await db.schema
			.createTable("annotations")
			.addColumn("id", "integer", autoId)
			.addColumn("site_id", "text", (column) => column.notNull().references("sites.id"))
			.addColumn("date", "text", (column) => column.notNull())
			.addColumn("hour", "integer")
			.addColumn("text", "text", (column) => column.notNull())
			.addColumn("kind", "text", (column) => column.notNull())
			.addColumn("created_by", "integer", (column) => column.references("users.id"))
			.addColumn("created_at", "bigint", (column) => column.notNull())
			.execute();
		await db.schema.createIndex("annotations_by_day").on("annotations").columns(["site_id", "date"]).execute();
		await db.schema
			.createTable("saved_views")
			.addColumn("id", "integer", autoId)
			.addColumn("site_id", "text", (column) => column.notNull().references("sites.id"))
			.addColumn("kind", "text", (column) => column.notNull())
			.addColumn("name", "text", (column) => column.notNull())
			.addColumn("definition", "text", (column) => column.notNull())
			.addColumn("is_shared", "integer", (column) => column.notNull())
			.addColumn("created_by", "integer", (column) => column.references("users.id"))
			.addColumn("created_at", "bigint", (column) => column.notNull())
			.addColumn("updated_at", "bigint", (column) => column.notNull())
			.addUniqueConstraint("saved_views_key", ["site_id", "created_by", "kind", "name"])
			.execute();
	},
};
