import type { MetadataMigration } from "../../src/platform/metadata/migration.ts";

/** Work to be done later, and how far each schedule has come. */
export const jobs: MetadataMigration = {
	name: "0009-jobs",
	up: async ({ db, autoId }) => {
		await db.schema
			.createTable("jobs")
			.addColumn("id", "integer", autoId)
			.addColumn("kind", "text", (column) => column.notNull())
			.addColumn("unique_key", "text")
			.addColumn("lane", "text")
			.addColumn("payload", "text", (column) => column.notNull())
			.addColumn("state", "text", (column) => column.notNull())
			.addColumn("due_at", "bigint")
			.addColumn("lease", "text")
			.addColumn("attempts", "integer", (column) => column.notNull())
			.addColumn("last_error", "text")
			.addColumn("created_at", "bigint", (column) => column.notNull())
			.addColumn("finished_at", "bigint")
			.execute();
		await db.schema.createIndex("jobs_by_key").unique().on("jobs").columns(["kind", "unique_key"]).execute();
		const waiting = { jobs_by_due_time: ["kind", "due_at", "id"], jobs_by_lane: ["kind", "lane", "due_at", "id"] };
		for (const [name, columns] of Object.entries(waiting)) {
			await db.schema.createIndex(name).on("jobs").columns(columns).where("due_at", "is not", null).execute();
		}
		await db.schema
			.createIndex("jobs_by_end")
			.on("jobs")
			.columns(["finished_at", "state"])
			.where("finished_at", "is not", null)
			.execute();
		await db.schema
			.createTable("job_schedules")
			.addColumn("name", "text", (column) => column.primaryKey())
			.addColumn("counted_until", "bigint", (column) => column.notNull())
			.execute();
	},
};
