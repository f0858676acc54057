import type { MetadataMigration } from "../../src/platform/metadata/migration.ts";

/** By what the processes on one PostgreSQL know that they were given the same secret. */
export const serverSecrets: MetadataMigration = {
	name: "0035-server-secrets",
	up: async ({ db }) => {
		await db.schema
			.createTable("server_secrets")
			.addColumn("fingerprint", "text", (column) => column.primaryKey())
			.addColumn("noted_at", "bigint", (column) => column.notNull())
			.execute();
	},
};
