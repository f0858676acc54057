import { type Dialect, PostgresDialect, type PostgresPoolClient } from "kysely";
import type { Pool, PoolClient } from "pg";
import { ServiceError } from "../errors/service-error.ts";
import { sha256Hex } from "../lib/crypto.ts";
import { withMappedErrors } from "./map-error.ts";

const MAX_PREPARED = 300;
const NAME_CHARACTERS = 32;
const names = new Map<string, string>();

/** Kysely's PostgreSQL dialect, with lost connections reported as `database_unavailable` and taken out of the pool. */
export const postgresDialect = (pool: Pool): Dialect =>
	new PostgresDialect({
		pool: {
			options: {},
			connect: async () => mapped(await withMappedErrors(() => pool.connect())),
			end: () => pool.end(),
		},
	});

function mapped(client: PoolClient): PostgresPoolClient {
	let isLost = false;
	const query = (sql: unknown, parameters: readonly unknown[] = []) => {
		// A rollback would wait behind the statement that had no answer.
		if (isLost) return Promise.reject(new ServiceError("database_unavailable"));
		if (typeof sql !== "string") throw new Error("Rows are not streamed from the metadata store");
		const onUnavailable = () => {
			isLost = true;
		};
		return withMappedErrors(
			() => client.query({ ...prepared(sql), text: sql, values: [...parameters] }),
			onUnavailable,
		);
	};
	return { query: query as unknown as PostgresPoolClient["query"], release: () => client.release(isLost) };
}

/**
 * The name under which a connection keeps a statement, so that PostgreSQL plans it once: planning the joins of a guard
 * costs more than running them. A `*` is not kept: its plan would fail when a newer process adds a column.
 * The name follows from the text, so that a pooler that mixes up connections cannot run another statement.
 */
function prepared(sql: string): { readonly name?: string } {
	if (sql.includes("*")) return {};
	let name = names.get(sql);
	if (name === undefined) {
		if (names.size >= MAX_PREPARED) return {};
		name = sha256Hex(sql).slice(0, NAME_CHARACTERS);
		names.set(sql, name);
	}
	return { name };
}
