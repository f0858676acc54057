import type { ColumnDefinitionBuilder, Transaction } from "kysely";

/** Context of a migration: one text for both engines. */
export interface MigrationContext {
	/** The transaction that holds every migration of this run. */
	readonly db: Transaction<unknown>;
	readonly engine: "sqlite" | "postgres";
	/** For `addColumn("id", "integer", autoId)`: a primary key that counts up and is never used twice. */
	readonly autoId: (column: ColumnDefinitionBuilder) => ColumnDefinitionBuilder;
}

/** One step forward of the metadata tables. Column types: `text`, `integer` (ids, 0 and 1), `bigint` (large numbers, read as JavaScript's), `real`. */
export interface MetadataMigration {
	/** Number and name, e.g. `0001-accounts`; never changed after a release. */
	readonly name: string;
	readonly up: (context: MigrationContext) => Promise<void>;
}
