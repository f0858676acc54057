import type { MetadataMigration } from "../../src/platform/metadata/migration.ts";

/** Keys of the channels that set up sites for others, and the sites that came that way. */
export const provisioning: MetadataMigration = {
	name: "0015-provisioning",
	up: async ({ db, autoId }) => {
		await db.schema
			.createTable("provision_keys")
			.addColumn("id", "integer", autoId)
			.addColumn("channel", "text", (column) => column.notNull())
			.addColumn("key_hash", "text", (column) => column.notNull().unique())
			.addColumn("key_prefix", "text", (column) => column.notNull())
			.addColumn("created_at", "bigint", (column) => column.notNull())
			.addColumn("revoked_at", "bigint")
			.execute();
		await db.schema
			.createTable("provisioned_sites")
			.addColumn("site_id", "text", (column) => column.primaryKey().references("sites.id"))
			.addColumn("user_id", "integer", (column) => column.notNull().references("users.id"))
			.addColumn("channel", "text", (column) => column.notNull())
			.addColumn("install_source", "text")
			.addColumn("created_at", "bigint", (column) => column.notNull())
			.addColumn("settled_at", "bigint")
			.execute();
		await db.schema
			.createIndex("provisioned_sites_by_age")
			.on("provisioned_sites")
			.columns(["settled_at", "created_at"])
			.execute();
		await db.schema.createIndex("provisioned_sites_by_user").on("provisioned_sites").column("user_id").execute();
	},
};
