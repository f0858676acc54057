import {
	type CompiledQuery,
	type DatabaseConnection,
	type Dialect,
	type Driver,
	PostgresDialect,
	type TransactionSettings,
} from "kysely";
import type { Pool } from "pg";
import { withMappedErrors } from "./map-error.ts";

/** Kysely's PostgreSQL dialect, with lost connections reported as `database_unavailable`. */
export function postgresDialect(pool: Pool): Dialect {
	const inner = new PostgresDialect({ pool });
	return {
		createDriver: () => withErrorMapping(inner.createDriver()),
		createQueryCompiler: () => inner.createQueryCompiler(),
		createAdapter: () => inner.createAdapter(),
		createIntrospector: (db) => inner.createIntrospector(db),
	};
}

function withErrorMapping(inner: Driver): Driver {
	const wrappers = new WeakMap<DatabaseConnection, DatabaseConnection>();
	const wrapped = new WeakMap<DatabaseConnection, DatabaseConnection>();
	const wrap = (connection: DatabaseConnection): DatabaseConnection => {
		const known = wrappers.get(connection);
		if (known !== undefined) return known;
		const wrapper = mapConnection(connection);
		wrappers.set(connection, wrapper);
		wrapped.set(wrapper, connection);
		return wrapper;
	};
	const unwrap = (wrapper: DatabaseConnection) => wrapped.get(wrapper) ?? wrapper;
	return {
		init: (options) => inner.init(options),
		acquireConnection: async (options) => wrap(await withMappedErrors(() => inner.acquireConnection(options))),
		beginTransaction: (wrapper, settings: TransactionSettings) =>
			withMappedErrors(() => inner.beginTransaction(unwrap(wrapper), settings)),
		commitTransaction: (wrapper) => withMappedErrors(() => inner.commitTransaction(unwrap(wrapper))),
		rollbackTransaction: (wrapper) => withMappedErrors(() => inner.rollbackTransaction(unwrap(wrapper))),
		releaseConnection: (wrapper, options) => inner.releaseConnection(unwrap(wrapper), options),
		destroy: (options) => inner.destroy(options),
	};
}

function mapConnection(connection: DatabaseConnection): DatabaseConnection {
	return {
		executeQuery: <Row>(query: CompiledQuery) => withMappedErrors(() => connection.executeQuery<Row>(query)),
		streamQuery: <Row>(query: CompiledQuery, chunkSize: number) => connection.streamQuery<Row>(query, chunkSize),
	};
}
