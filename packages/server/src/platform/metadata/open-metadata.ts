import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { Kysely } from "kysely";
import type { Metadata } from "./metadata.ts";
import { IN_MEMORY, sqliteDialect } from "./sqlite-dialect.ts";

/** How long SQLite's file may be held by another process that migrates; a large store takes its time. */
const MIGRATED_WITHIN_MS = 10 * 60_000;
/** How long PostgreSQL may take for a statement, or for the lock that it waits for; a server that hangs is away. */
const ANSWER_MS = 15_000;

/** Where a metadata store is. */
export interface OpenMetadataOptions {
	readonly databaseUrl?: string | undefined;
	readonly dataDir: string;
	/** One connection whose statements may take as long as they need. */
	readonly isForMigrations?: boolean;
}

/** Opens the metadata store: PostgreSQL by its address, else `metadata.sqlite` in the data directory. Close with `destroy()`. */
export async function openMetadata(options: OpenMetadataOptions): Promise<Metadata> {
	if (options.databaseUrl !== undefined) {
		const limits = options.isForMigrations === true ? { max: 1 } : { max: 10, query_timeout: ANSWER_MS };
		return new Kysely({ dialect: await openPostgres(options.databaseUrl, limits) });
	}
	mkdirSync(options.dataDir, { recursive: true, mode: 0o700 });
	const busyMs = options.isForMigrations === true ? { busyMs: MIGRATED_WITHIN_MS } : {};
	return new Kysely({ dialect: sqliteDialect(join(options.dataDir, "metadata.sqlite"), busyMs) });
}

/** A store in memory alone, empty. */
export const openMemoryMetadata = (): Metadata => new Kysely({ dialect: sqliteDialect(IN_MEMORY) });

const INT8 = 20;
const NUMERIC = 1700;

async function openPostgres(connectionString: string, limits: { max: number; query_timeout?: number }) {
	// Loaded only when it is used: the driver costs start time that the embedded store does not need.
	const [{ default: pg }, { postgresDialect }] = await Promise.all([import("pg"), import("./postgres-dialect.ts")]);
	const types = {
		getTypeParser: (oid: number, format?: "text" | "binary") =>
			(oid === INT8 || oid === NUMERIC) && format !== "binary" ? Number : pg.types.getTypeParser(oid, format),
	};
	const pool = new pg.Pool({ connectionString, ...limits, connectionTimeoutMillis: 5000, keepAlive: true, types });
	// Without a listener an idle connection that the server ends would end this process; the next query reports it.
	pool.on("error", () => undefined);
	// One that is in use may break, too, after the answer that was waited for has been given up.
	pool.on("connect", (client) => client.on("error", () => undefined));
	return postgresDialect(pool);
}
