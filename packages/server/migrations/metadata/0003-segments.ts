import type { MetadataMigration } from "../../src/platform/metadata/migration.ts";

/** Saved segments of the sites. */
export const segments: MetadataMigration = {
	name: "0003-segments",
	up: async ({ db }) => {
		await db.schema
			.createTable("segments")
			.addColumn("id", "text", (column) => column.primaryKey())
			.addColumn("site_id", "text", (column) => column.notNull().references("sites.id"))
			.addColumn("name", "text", (column) => column.notNull())
			.addColumn("display_name", "text", (column) => column.notNull())
			.addColumn("description", "text")
			.addColumn("color", "text")
			.addColumn("filters", "text", (column) => column.notNull())
			.addColumn("created_by", "integer", (column) => column.references("users.id"))
			.addColumn("created_at", "bigint", (column) => column.notNull())
			.addColumn("updated_at", "bigint", (column) => column.notNull())
			.addUniqueConstraint("segments_key", ["site_id", "name"])
			.execute();
	},
};
