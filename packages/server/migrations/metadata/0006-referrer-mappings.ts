import type { MetadataMigration } from "../../src/platform/metadata/migration.ts";

/** The sites' own names for referrers. */
export const referrerMappings: MetadataMigration = {
	name: "0006-referrer-mappings",
	up: async ({ db, autoId }) => {
		await db.schema
			.createTable("referrer_mappings")
			.addColumn("id", "integer", autoId)
			.addColumn("site_id", "text", (column) => column.notNull().references("sites.id"))
			.addColumn("referrer_pattern", "text", (column) => column.notNull())
			.addColumn("match_type", "text", (column) => column.notNull())
			.addColumn("utm_source", "text", (column) => column.notNull())
			.addColumn("utm_medium", "text", (column) => column.notNull())
			.addColumn("utm_campaign", "text", (column) => column.notNull())
			.addColumn("utm_term", "text", (column) => column.notNull())
			.addColumn("utm_content", "text", (column) => column.notNull())
			.addColumn("label", "text")
			.addColumn("description", "text")
			.addColumn("priority", "integer", (column) => column.notNull())
			.addColumn("is_active", "integer", (column) => column.notNull())
			.addColumn("created_at", "bigint", (column) => column.notNull())
			.addColumn("updated_at", "bigint", (column) => column.notNull())
			.execute();
		await db.schema.createIndex("referrer_mappings_by_site").on("referrer_mappings").column("site_id").execute();
	},
};
