import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { Kysely } from "kysely";
import type { Metadata } from "./metadata.ts";
import { sqliteDialect } from "./sqlite-dialect.ts";

/** Opens the metadata store: PostgreSQL by its address, else `metadata.sqlite` in the data directory. Close with `destroy()`. */
export async function openMetadata(options: { databaseUrl?: string | undefined; dataDir: string }): Promise<Metadata> {
	if (options.databaseUrl !== undefined) return new Kysely({ dialect: await openPostgres(options.databaseUrl) });
	mkdirSync(options.dataDir, { recursive: true, mode: 0o700 });
	return new Kysely({ dialect: sqliteDialect(join(options.dataDir, "metadata.sqlite")) });
}

const INT8 = 20;
const NUMERIC = 1700;

async function openPostgres(connectionString: string) {
	// Loaded only when it is used: the driver costs start time that the embedded store does not need.
	const [{ default: pg }, { postgresDialect }] = await Promise.all([import("pg"), import("./postgres-dialect.ts")]);
	const types = {
		getTypeParser: (oid: number, format?: "text" | "binary") =>
			(oid === INT8 || oid === NUMERIC) && format !== "binary" ? Number : pg.types.getTypeParser(oid, format),
	};
	const pool = new pg.Pool({ connectionString, max: 10, connectionTimeoutMillis: 5000, types });
	// Without a listener an idle connection that the server ends would end this process; the next query reports it.
	pool.on("error", () => undefined);
	return postgresDialect(pool);
}
