import type { MetadataMigration } from "../../src/platform/metadata/migration.ts";

/** Secrets that are sent once and used once: links in mails, challenges of a sign-in. */
export const oneTimeTokens: MetadataMigration = {
	name: "0008-one-time-tokens",
	up: async ({ db }) => {
		await db.schema
			.createTable("one_time_tokens")
			.addColumn("token_hash", "text", (column) => column.primaryKey())
			.addColumn("kind", "text", (column) => column.notNull())
			.addColumn("subject", "text", (column) => column.notNull())
			.addColumn("failures", "integer", (column) => column.notNull())
			.addColumn("expires_at", "bigint", (column) => column.notNull())
			.addColumn("created_at", "bigint", (column) => column.notNull())
			.execute();
		await db.schema
			.createIndex("one_time_tokens_by_subject")
			.on("one_time_tokens")
			.columns(["kind", "subject"])
			.execute();
		await db.schema.createIndex("one_time_tokens_by_end").on("one_time_tokens").column("expires_at").execute();
	},
};
