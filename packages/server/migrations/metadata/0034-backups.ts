import type { MetadataMigration } from "../../src/platform/metadata/migration.ts";

/** Which backups were made, and which were not. */
export const backups: MetadataMigration = {
	name: "0034-backups",
	up: async ({ db, autoId }) => {
		await db.schema
			.createTable("backup_runs")
			.addColumn("id", "integer", autoId)
			.addColumn("backup_id", "text", (column) => column.notNull())
			.addColumn("status", "text", (column) => column.notNull())
			.addColumn("started_at", "bigint", (column) => column.notNull())
			.addColumn("ended_at", "bigint", (column) => column.notNull())
			.addColumn("bytes", "bigint")
			.addColumn("new_bytes", "bigint")
			.addColumn("error_message", "text")
			.execute();
	},
};
