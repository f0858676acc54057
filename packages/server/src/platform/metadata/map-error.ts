import { ServiceError } from "../errors/service-error.ts";

/** Primary result codes of SQLite: busy, read-only, input/output error, full disk, cannot open. */
const sqliteUnavailable = new Set([5, 8, 10, 13, 14]);
/** Of sockets, name resolution and the disk. */
const systemCodes = new Set([
	"ECONNREFUSED",
	"ECONNRESET",
	"ECONNABORTED",
	"ETIMEDOUT",
	"ENOTFOUND",
	"EPIPE",
	"EAI_AGAIN",
	"EIO",
	"ENOSPC",
]);
/** SQLSTATE of a server that is away, read-only or full, and of a transaction that was rolled back for another one, which may be repeated. */
const postgresUnavailable = /^(08...|57P0[1-3]|25006|53...|40001|40P01)$/;
const lostConnection =
	/^(Connection terminated|Query read timeout|timeout exceeded when trying to connect|Client has encountered a connection error)/;

function isUnavailable(error: Error): boolean {
	const { code, errcode } = error as Error & { code?: unknown; errcode?: unknown };
	if (typeof errcode === "number") return sqliteUnavailable.has(errcode & 0xff);
	if (typeof code === "string") return systemCodes.has(code) || postgresUnavailable.test(code);
	return lostConnection.test(error.message);
}

/** Runs a call to the store; throws `database_unavailable` when it cannot be reached, after `onUnavailable`. */
export async function withMappedErrors<T>(call: () => Promise<T>, onUnavailable?: () => void): Promise<T> {
	try {
		return await call();
	} catch (error) {
		if (!(error instanceof Error) || !isUnavailable(error)) throw error;
		onUnavailable?.();
		throw new ServiceError("database_unavailable", { cause: error });
	}
}
