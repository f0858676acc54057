import type { NativeConnection, NativeEngine } from "./native-engine.ts";

const SPARE = 4;

/** Connections for one use each. */
export interface ConnectionPool {
	/**
	 * Runs `use` on a connection that nobody used before and closes it afterwards, whatever happened.
	 * Queries on it carry `name` in the setting `log_comment`.
	 */
	withConnection<T>(use: (connection: NativeConnection, name: string) => Promise<T>): Promise<T>;
	close(): void;
}

/**
 * Opens connections ahead, because opening one costs a tenth of a query's fixed cost. None is used twice: a query that
 * fails after it produced output leaves its bytes to the next query on the same connection, and settings would stick.
 */
export function createConnectionPool(
	native: Pick<NativeEngine, "CreateConnection" | "CloseConnection">,
	directory: string,
	args: readonly string[],
): ConnectionPool {
	const spare: { connection: NativeConnection; name: string }[] = [];
	let opened = 0;
	let refill: NodeJS.Immediate | undefined;
	let closed = false;

	const open = () => {
		const name = `q${++opened}`;
		const connection = native.CreateConnection(directory, [...args, `--log_comment=${name}`]);
		if (!connection) throw new Error("The engine did not open a connection");
		return { connection, name };
	};
	const fill = () => {
		refill = undefined;
		if (closed || spare.length >= SPARE) return;
		spare.push(open());
		scheduleFill();
	};
	const scheduleFill = () => {
		refill ??= setImmediate(fill);
	};
	scheduleFill();

	return {
		async withConnection(use) {
			const { connection, name } = spare.pop() ?? open();
			try {
				return await use(connection, name);
			} finally {
				native.CloseConnection(connection);
				if (!closed) scheduleFill();
			}
		},
		close() {
			closed = true;
			if (refill) clearImmediate(refill);
			for (const { connection } of spare.splice(0)) native.CloseConnection(connection);
		},
	};
}
