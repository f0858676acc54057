import { createRequire } from "node:module";
import { dirname, join } from "node:path";

/** A connection of the engine: its settings and its output buffer are its own. */
export type NativeConnection = object & { readonly __brand?: "connection" };

/** A running streamed query. */
export type NativeStream = object & { readonly __brand?: "stream" };

/** The functions of chDB's native addon that the engine uses. */
export interface NativeEngine {
	/** Arguments in the command-line form of `clickhouse local`; the first connection of a process also sets up the server. */
	CreateConnection(directory: string, args: readonly string[]): NativeConnection | undefined;
	CloseConnection(connection: NativeConnection): void;
	QueryAsyncConnection(connection: NativeConnection, sql: string, format: string): Promise<{ bytes: Uint8Array }>;
	InsertRawAsyncConnection(
		connection: NativeConnection,
		prefix: string,
		data: Buffer,
		countLines: boolean,
	): Promise<{ rowsWritten: number }>;
	StreamQuery(connection: NativeConnection, sql: string, format: string): NativeStream;
	StreamFetch(stream: NativeStream): Promise<{ done: true } | { done: false; bytes: Uint8Array }>;
	StreamCancel(stream: NativeStream): void;
}

/** Loads chDB's addon, without its `Session`, whose `close()` waits for every running operation of the process. */
export function loadNativeEngine(): NativeEngine {
	const require = createRequire(import.meta.url);
	const loader = require(join(dirname(require.resolve("chdb")), "dist", "loader.js")) as {
		loadNative(): NativeEngine;
	};
	return loader.loadNative();
}
