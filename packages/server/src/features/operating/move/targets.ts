import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { sql } from "kysely";
import type { EventStore } from "../../../platform/event-store/event-store.ts";
import { makeDirectory } from "../../../platform/files/make-directory.ts";
import { writeAtomic } from "../../../platform/files/write-atomic.ts";
import { sha256Hex } from "../../../platform/lib/crypto.ts";
import { filledTables } from "../../../platform/metadata/copy-rows.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import { isNewStore } from "../../../platform/metadata/migrate-metadata.ts";
import { moveFolder } from "./hold-locks.ts";
import { MoveError } from "./move-error.ts";

/** PostgreSQL as the server counts its versions. */
const OLDEST_POSTGRES = 140_000;

/** Throws unless a PostgreSQL can be used and holds nothing; `isOurs` where an earlier run has begun to fill it. */
export async function checkAccountsTarget(to: Metadata, from: Metadata, isOurs: boolean): Promise<void> {
	const { rows } = await reached("MOVE_DATABASE_URL", () =>
		sql<{ version: number; name: string }>`
			select current_setting('server_version_num')::int as version, current_setting('server_version') as name`.execute(
			to,
		),
	);
	const [server] = rows;
	if (server === undefined || server.version < OLDEST_POSTGRES) {
		throw new MoveError(
			"target_too_old",
			`MOVE_DATABASE_URL is PostgreSQL ${server?.name}, and 14 is the oldest that will do`,
		);
	}
	if (isOurs || (await isNewStore(to))) return;
	const filled = await filledTables(to, from);
	if (filled.length === 0) return;
	throw new MoveError(
		"target_not_empty",
		`The database of MOVE_DATABASE_URL holds accounts already (${filled.slice(0, 3).join(", ")}): name an empty one`,
	);
}

/** Throws unless a ClickHouse server can be used and holds no events; `isOurs` where an earlier run has begun to fill it. */
export async function checkEventsTarget(to: EventStore, isOurs: boolean): Promise<void> {
	const tables = await reached("MOVE_CLICKHOUSE_URL", () =>
		to.query<{ name: string }>({
			sql: "SELECT name FROM system.tables WHERE database = currentDatabase() AND name IN ('events', 'bot_hits')",
		}),
	);
	if (isOurs) return;
	for (const { name } of tables) {
		if ((await to.query({ sql: `SELECT 1 AS one FROM ${name} LIMIT 1` })).length === 0) continue;
		throw new MoveError(
			"target_not_empty",
			`The database of MOVE_CLICKHOUSE_URL holds events already (${name}): name an empty one`,
		);
	}
}

async function reached<T>(setting: string, ask: () => Promise<T>): Promise<T> {
	try {
		return await ask();
	} catch (error) {
		const { message, cause } = error as Error;
		const why = cause instanceof Error ? `${message} (${cause.message})` : message;
		throw new MoveError("target_unreachable", `${setting} cannot be used: ${why}`);
	}
}

/** Stores that moves of a directory have begun to fill: they held nothing before, so what they hold is ours. */
export function knownTargets(dataDir: string) {
	const file = join(moveFolder(dataDir), "targets.json");
	const known = new Set<string>(existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as string[]) : []);
	return {
		has: (url: string): boolean => known.has(nameOf(url)),
		/** Notes one, before anything is written to it. */
		add: async (url: string): Promise<void> => {
			if (known.has(nameOf(url))) return;
			known.add(nameOf(url));
			makeDirectory(moveFolder(dataDir));
			await writeAtomic(file, [Buffer.from(`${JSON.stringify([...known])}\n`)]);
		},
	};
}

/** The same store with another user or password is the same store. */
function nameOf(url: string): string {
	const { host, pathname, search } = new URL(url);
	return sha256Hex(`${host}${pathname}${search}`);
}
