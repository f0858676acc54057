import type { MetadataMigration } from "../../src/platform/metadata/migration.ts";

/** The addresses whose hits a site does not count. */
export const blocklist: MetadataMigration = {
	name: "0014-blocklist",
	up: async ({ db, autoId }) => {
		await db.schema
			.createTable("blocklist_entries")
			.addColumn("id", "integer", autoId)
			.addColumn("site_id", "text", (column) => column.notNull().references("sites.id"))
			.addColumn("ip_or_cidr", "text", (column) => column.notNull())
			.addColumn("reason", "text", (column) => column.notNull())
			.addColumn("is_active", "integer", (column) => column.notNull())
			.addColumn("created_at", "bigint", (column) => column.notNull())
			.addUniqueConstraint("blocklist_entries_once", ["site_id", "ip_or_cidr"])
			.execute();
	},
};
