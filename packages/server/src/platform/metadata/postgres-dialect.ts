import { type Dialect, PostgresDialect, type PostgresPoolClient } from "kysely";
import type { Pool, PoolClient } from "pg";
import { withMappedErrors } from "./map-error.ts";

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
		if (typeof sql !== "string") throw new Error("Rows are not streamed from the metadata store");
		const onUnavailable = () => {
			isLost = true;
		};
		return withMappedErrors(() => client.query(sql, [...parameters]), onUnavailable);
	};
	return { query: query as unknown as PostgresPoolClient["query"], release: () => client.release(isLost) };
}
