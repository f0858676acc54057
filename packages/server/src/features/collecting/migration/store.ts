import type { Row } from "../../../../migrations/metadata/tables/index.ts";
import { tableOf } from "../../../../migrations/metadata/tables/table-of.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";

/** Kinds of data that a migration job brings, in its order. */
export const migrationKinds = ["conversions", "microconversions", "pageviews"] as const;
export type MigrationKind = (typeof migrationKinds)[number];

/** Rows that there are of each kind, and those that have come: the column `fetched`. */
export type FetchedByKind = Readonly<Record<MigrationKind, { readonly total: number; readonly migrated: number }>>;

export type MigrationRow = Row<"migration_jobs">;

type Changes = Partial<Omit<MigrationRow, "id" | "site_id" | "import_id">>;

export const migrations = tableOf("migration_jobs");

/** Those of a site, newest first. */
export const listMigrations = async (metadata: Metadata, siteId: string): Promise<MigrationRow[]> =>
	(await migrations.list(metadata, { site_id: siteId }, "id")).reverse();

/** Changes a job that has not ended; undefined when it has, or is gone. */
export const updateUnfinished = (metadata: Metadata, id: number, changes: Changes): Promise<MigrationRow | undefined> =>
	migrations.update(metadata, { id, status: ["pending", "running"] }, changes);
