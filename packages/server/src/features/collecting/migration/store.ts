import { type NewRow, type Row, tables } from "../../../../migrations/metadata/tables/index.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";

/** Kinds of data that a migration job brings, in its order. */
export const migrationKinds = ["conversions", "microconversions", "pageviews"] as const;
export type MigrationKind = (typeof migrationKinds)[number];

/** Rows that there are of each kind, and those that have come: the column `fetched`. */
export type FetchedByKind = Readonly<Record<MigrationKind, { readonly total: number; readonly migrated: number }>>;

export type MigrationRow = Row<"migration_jobs">;

type Changes = Partial<Omit<MigrationRow, "id" | "site_id" | "import_id">>;

export const insertMigration = (metadata: Metadata, row: NewRow<"migration_jobs">): Promise<MigrationRow> =>
	tables(metadata).insertInto("migration_jobs").values(row).returningAll().executeTakeFirstOrThrow();

export const findMigration = (metadata: Metadata, id: number): Promise<MigrationRow | undefined> =>
	tables(metadata).selectFrom("migration_jobs").selectAll().where("id", "=", id).executeTakeFirst();

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
