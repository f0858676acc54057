import type { MetadataMigration } from "../../src/platform/metadata/migration.ts";

/** Conversations with the assistant, and the number of questions. */
export const assistant: MetadataMigration = {
	name: "0030-assistant",
	up: async ({ db, autoId }) => {
		await db.schema
			.createTable("assistant_conversations")
			.addColumn("id", "text", (column) => column.primaryKey())
			.addColumn("site_id", "text", (column) => column.notNull().references("sites.id"))
			.addColumn("user_id", "integer", (column) => column.notNull().references("users.id"))
			.addColumn("title", "text", (column) => column.notNull())
			.addColumn("created_at", "bigint", (column) => column.notNull())
			.addColumn("updated_at", "bigint", (column) => column.notNull())
			.execute();
		await db.schema
			.createIndex("assistant_conversations_of_user")
			.on("assistant_conversations")
			.columns(["site_id", "user_id", "updated_at"])
			.execute();
		await db.schema
			.createTable("assistant_messages")
			.addColumn("id", "integer", autoId)
			.addColumn("conversation_id", "text", (column) => column.notNull().references("assistant_conversations.id"))
			.addColumn("role", "text", (column) => column.notNull())
			.addColumn("content", "text", (column) => column.notNull())
			.addColumn("results", "text")
			.addColumn("created_at", "bigint", (column) => column.notNull())
			.execute();
		await db.schema
			.createIndex("assistant_messages_of_conversation")
			.on("assistant_messages")
			.columns(["conversation_id", "id"])
			.execute();
		await db.schema
			.createTable("assistant_usage")
			.addColumn("site_id", "text", (column) => column.notNull().references("sites.id"))
			.addColumn("month", "text", (column) => column.notNull())
			.addColumn("questions", "integer", (column) => column.notNull())
			.addColumn("bonus", "integer", (column) => column.notNull())
			.addPrimaryKeyConstraint("assistant_usage_key", ["site_id", "month"])
			.execute();
	},
};
