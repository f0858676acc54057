import type { MetadataMigration } from "../../src/platform/metadata/migration.ts";

/** Shorter retention periods of sites, which take effect some days after they were set. */
export const retentionChanges: MetadataMigration = {
	name: "0036-retention-changes",
	up: async ({ db }) => {
		await db.schema.alterTable("sites").addColumn("retention_pending_months", "integer").execute();
		await db.schema.alterTable("sites").addColumn("retention_pending_at", "bigint").execute();
	},
};
