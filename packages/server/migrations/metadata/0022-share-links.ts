import type { MetadataMigration } from "../../src/platform/metadata/migration.ts";

/** Links by which people without an account read a site's report. */
export const shareLinks: MetadataMigration = {
	name: "0022-share-links",
	up: async ({ db }) => {
		await db.schema
			.createTable("share_links")
			.addColumn("id", "text", (column) => column.primaryKey())
			.addColumn("site_id", "text", (column) => column.notNull().references("sites.id").onDelete("cascade"))
			.addColumn("name", "text", (column) => column.notNull())
			.addColumn("token_hash", "text", (column) => column.notNull().unique())
			.addColumn("token_prefix", "text", (column) => column.notNull())
			.addColumn("password_hash", "text")
			.addColumn("segment_id", "text")
			.addColumn("lists", "text", (column) => column.notNull())
			.addColumn("may_filter", "integer", (column) => column.notNull())
			.addColumn("embed_origins", "text", (column) => column.notNull())
			.addColumn("expires_at", "bigint")
			.addColumn("is_active", "integer", (column) => column.notNull())
			.addColumn("generation", "integer", (column) => column.notNull())
			.addColumn("views", "integer", (column) => column.notNull())
			.addColumn("last_seen_at", "bigint")
			.addColumn("created_at", "bigint", (column) => column.notNull())
			.addColumn("updated_at", "bigint", (column) => column.notNull())
			.execute();
		await db.schema.createIndex("share_links_by_site").on("share_links").columns(["site_id", "created_at"]).execute();
	},
};
