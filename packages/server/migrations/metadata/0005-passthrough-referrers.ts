import type { MetadataMigration } from "../../src/platform/metadata/migration.ts";

/** Referrers that do not interrupt a session, a site. */
export const passthroughReferrers: MetadataMigration = {
	name: "0005-passthrough-referrers",
	up: async ({ db, autoId }) => {
		await db.schema
			.createTable("passthrough_referrers")
			.addColumn("id", "integer", autoId)
			.addColumn("site_id", "text", (column) => column.notNull().references("sites.id"))
			.addColumn("domain", "text", (column) => column.notNull())
			.addColumn("utm_source", "text", (column) => column.notNull())
			.addColumn("utm_medium", "text", (column) => column.notNull())
			.addColumn("utm_campaign", "text", (column) => column.notNull())
			.addColumn("utm_term", "text", (column) => column.notNull())
			.addColumn("service_name", "text", (column) => column.notNull())
			.addColumn("is_active", "integer", (column) => column.notNull())
			.addColumn("created_at", "bigint", (column) => column.notNull())
			.addColumn("updated_at", "bigint", (column) => column.notNull())
			.addUniqueConstraint("passthrough_referrers_key", ["site_id", "domain"])
			.execute();
	},
};
