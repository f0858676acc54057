import type { NativeConnection, NativeEngine } from "./native-engine.ts";

let opened = 0;

/**
 * Runs `use` on a connection that nobody used before and closes it afterwards, whatever happened: a query that fails
 * after it produced output leaves its bytes to the next query on the same connection, and settings would stick.
 * Queries on it carry `name` in the setting `log_comment`.
 */
export async function withConnection<T>(
	native: Pick<NativeEngine, "CreateConnection" | "CloseConnection">,
	directory: string,
	args: readonly string[],
	use: (connection: NativeConnection, name: string) => Promise<T>,
): Promise<T> {
	const name = `q${++opened}`;
	const connection = native.CreateConnection(directory, [...args, `--log_comment=${name}`]);
	if (!connection) throw new Error("The engine did not open a connection");
	try {
		return await use(connection, name);
	} finally {
		native.CloseConnection(connection);
	}
}
