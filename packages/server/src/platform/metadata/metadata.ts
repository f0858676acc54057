import { type Kysely, SqliteAdapter } from "kysely";

/**
 * The metadata store (accounts, settings, jobs): SQLite or PostgreSQL behind Kysely. Each user names its tables:
 * `metadata.withTables<Tables>()`. Portable subset: integer ids and millisecond timestamps, booleans as 0 and 1, JSON
 * as text, `ON CONFLICT`, `RETURNING`. Throws `ServiceError` `database_unavailable` when the store cannot be reached.
 */
export type Metadata = Kysely<Record<never, never>>;

const SQLITE_CONSTRAINT_PRIMARYKEY = 1555;
const SQLITE_CONSTRAINT_UNIQUE = 2067;
const POSTGRES_UNIQUE_VIOLATION = "23505";

/** True when a write failed because a unique value exists already, on either engine. */
export function isUniqueViolation(error: unknown): boolean {
	if (!(error instanceof Error)) return false;
	const { code, errcode } = error as Error & { code?: unknown; errcode?: unknown };
	return (
		code === POSTGRES_UNIQUE_VIOLATION ||
		errcode === SQLITE_CONSTRAINT_UNIQUE ||
		errcode === SQLITE_CONSTRAINT_PRIMARYKEY
	);
}

/** On which engine a metadata store is. */
export const engineOf = (metadata: Metadata): "sqlite" | "postgresql" =>
	metadata.getExecutor().adapter instanceof SqliteAdapter ? "sqlite" : "postgresql";
