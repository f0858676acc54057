import type { NativeConnection, NativeEngine } from "./native-engine.ts";
import { setStatement } from "./set-statement.ts";

/** Most that are kept open unused; the one unused for longest goes first. */
const IDLE = 16;

interface Connection {
	readonly native: NativeConnection;
	/** The setting `log_comment` of all that runs on it. */
	readonly name: string;
	/** Settings with their values, and names of parameters. */
	readonly kind: string;
}

type Use<T> = (connection: NativeConnection, name: string) => Promise<T>;

/** Connections of the engine to a directory: settings, parameters and output of one are its own. */
export function createConnections(
	native: Pick<NativeEngine, "CreateConnection" | "CloseConnection">,
	directory: string,
	args: readonly string[],
) {
	let opened = 0;
	const idle: Connection[] = [];

	const open = (kind: string): Connection => {
		const name = `q${++opened}`;
		const connection = native.CreateConnection(directory, [...args, `--log_comment=${name}`]);
		if (!connection) throw new Error("The engine did not open a connection");
		return { native: connection, name, kind };
	};
	const take = (kind: string): Connection => {
		const at = idle.findLastIndex((connection) => connection.kind === kind);
		return idle.splice(at, at < 0 ? 0 : 1)[0] ?? open(kind);
	};
	const keep = (connection: Connection) => {
		idle.push(connection);
		if (idle.length > IDLE) close(idle.shift());
	};
	const close = (connection: Connection | undefined) => {
		if (connection !== undefined) native.CloseConnection(connection.native);
	};

	return {
		/** Runs `use` on a new connection, and closes it afterwards. */
		async once<T>(use: Use<T>): Promise<T> {
			const connection = open("");
			try {
				return await use(connection.native, connection.name);
			} finally {
				close(connection);
			}
		},
		/**
		 * Runs `use` on a connection on which nothing was ever set but these settings, with these values, and parameters of
		 * these names, whose values `use` sets again; opening one costs as much as a small query. One on which something failed
		 * or was aborted is closed: a query that fails after it produced output leaves its bytes to the next one, and a kill
		 * that comes late must not find another query under the same name.
		 */
		async kept<T>(assignments: ReadonlyMap<string, string>, signal: AbortSignal, use: Use<T>): Promise<T> {
			const connection = take(kindOf(assignments));
			let isClean = false;
			try {
				const result = await use(connection.native, connection.name);
				isClean = !signal.aborted;
				return result;
			} finally {
				if (isClean) keep(connection);
				else close(connection);
			}
		},
		closeIdle() {
			for (const connection of idle.splice(0)) close(connection);
		},
	};
}

/** Parameters by their names, as every statement sets their values. */
const kindOf = (assignments: ReadonlyMap<string, string>): string =>
	setStatement(new Map([...assignments].sort().map(([name, value]) => [name, name.startsWith("param_") ? "" : value])));
