import { type NewRow, type Row, tables } from "../../../../migrations/metadata/tables/index.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";

/** A migration job as stored. */
export type MigrationRow = Row<"migration_jobs">;

type Changes = Partial<Omit<MigrationRow, "id" | "site_id" | "import_id">>;

/** Stores a new job. */
export const insertMigration = (metadata: Metadata, row: NewRow<"migration_jobs">): Promise<MigrationRow> =>
	tables(metadata).insertInto("migration_jobs").values(row).returningAll().executeTakeFirstOrThrow();

/** A job by its number. */
export const findMigration = (metadata: Metadata, id: number): Promise<MigrationRow | undefined> =>
	tables(metadata).selectFrom("migration_jobs").selectAll().where("id", "=", id).executeTakeFirst();

/** Jobs of a site, newest first. */
export const listMigrations = (metadata: Metadata, siteId: string): Promise<MigrationRow[]> =>
	tables(metadata)
		.selectFrom("migration_jobs")
		.selectAll()
		.where("site_id", "=", siteId)
		.orderBy("id", "desc")
		.execute();

/** Changes a job that has not ended; undefined when it has, or is gone. */
export const updateUnfinished = (metadata: Metadata, id: number, changes: Changes): Promise<MigrationRow | undefined> =>
	tables(metadata)
		.updateTable("migration_jobs")
		.set(changes)
		.where("id", "=", id)
		.where("status", "in", ["pending", "running"])
		.returningAll()
		.executeTakeFirst();
