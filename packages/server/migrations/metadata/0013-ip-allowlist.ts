import type { MetadataMigration } from "../../src/platform/metadata/migration.ts";

/** The addresses from which a site may be opened, and who came from where. */
export const ipAllowlist: MetadataMigration = {
	name: "0013-ip-allowlist",
	up: async ({ db, autoId }) => {
		await db.schema
			.createTable("ip_allowlist_settings")
			.addColumn("site_id", "text", (column) => column.primaryKey().references("sites.id"))
			.addColumn("is_enabled", "integer", (column) => column.notNull())
			.addColumn("enforce_for_api_tokens", "integer", (column) => column.notNull())
			.addColumn("enforce_for_dashboard", "integer", (column) => column.notNull())
			.addColumn("created_at", "bigint", (column) => column.notNull())
			.addColumn("updated_at", "bigint", (column) => column.notNull())
			.execute();
		await db.schema
			.createTable("ip_allowlist_patterns")
			.addColumn("id", "integer", autoId)
			.addColumn("site_id", "text", (column) => column.notNull().references("sites.id"))
			.addColumn("pattern", "text", (column) => column.notNull())
			.addColumn("pattern_type", "text", (column) => column.notNull())
			.addColumn("label", "text")
			.addColumn("description", "text")
			.addColumn("is_active", "integer", (column) => column.notNull())
			.addColumn("created_by", "integer", (column) => column.references("users.id"))
			.addColumn("created_at", "bigint", (column) => column.notNull())
			.addColumn("updated_at", "bigint", (column) => column.notNull())
			.addUniqueConstraint("ip_allowlist_patterns_once", ["site_id", "pattern_type", "pattern"])
			.execute();
		await db.schema
			.createTable("ip_allowlist_attempts")
			.addColumn("id", "integer", autoId)
			.addColumn("site_id", "text", (column) => column.notNull().references("sites.id"))
			.addColumn("user_id", "integer", (column) => column.references("users.id"))
			.addColumn("ip_address", "text", (column) => column.notNull())
			.addColumn("auth_type", "text", (column) => column.notNull())
			.addColumn("access_granted", "integer", (column) => column.notNull())
			.addColumn("matched_pattern_id", "integer")
			.addColumn("matched_pattern", "text")
			.addColumn("user_agent", "text")
			.addColumn("created_at", "bigint", (column) => column.notNull())
			.execute();
		const index = (name: string, ...columns: string[]) =>
			db.schema.createIndex(`ip_allowlist_attempts_by_${name}`).on("ip_allowlist_attempts").columns(columns).execute();
		await index("site", "site_id", "access_granted");
		await index("time", "created_at");
	},
};
