import { ServiceError } from "../errors/service-error.ts";
import { EngineError } from "./client/engine-error.ts";

const TIMEOUTS: ReadonlySet<string> = new Set(["TIMEOUT_EXCEEDED", "SOCKET_TIMEOUT", "TOO_SLOW"]);

const OUT_OF_MEMORY = "MEMORY_LIMIT_EXCEEDED";
const TOO_BIG =
	"The report needs more memory than the event store may use: ask for fewer days, dimensions or rows, or filter more; an operator can raise EVENT_STORE_MEMORY";

const UNREACHABLE: ReadonlySet<string> = new Set([
	"ECONNREFUSED",
	"ECONNRESET",
	"EPIPE",
	"ENOTFOUND",
	"EAI_AGAIN",
	"EHOSTUNREACH",
	"ENETUNREACH",
	"ETIMEDOUT",
	// The socket file of a store process that is gone.
	"ENOENT",
	"UND_ERR_SOCKET",
	"UND_ERR_CONNECT_TIMEOUT",
	"UND_ERR_DESTROYED",
	"UND_ERR_CLOSED",
]);

const SILENT: ReadonlySet<string> = new Set(["UND_ERR_HEADERS_TIMEOUT", "UND_ERR_BODY_TIMEOUT"]);

/** Why a statement failed, for logs: the engine's error name and the statement without its values. */
export class StoreFailure extends Error {
	/** The engine's own text. Not enumerable, so that no logger prints it: it may quote data of visitors. */
	declare readonly engineMessage: string;
	/** The engine's name of its error, such as `CANNOT_COMPILE_REGEXP`; undefined when the engine did not answer. */
	readonly engineError: string | undefined;

	constructor(reason: string, sql: string, engineMessage: string, engineError?: string) {
		super(sql === "" ? reason : `${reason} in ${sql.replace(/\s+/g, " ").trim().slice(0, 500)}`);
		this.name = "StoreFailure";
		this.engineError = engineError;
		Object.defineProperty(this, "engineMessage", { value: engineMessage, enumerable: false });
	}

	/** The same name, where logs look for it. */
	get code(): string | undefined {
		return this.engineError;
	}
}

/** The error that the event store throws for a failure of the client or the engine. */
export function storeError(error: unknown, sql: string): ServiceError {
	if (error instanceof ServiceError) return error;
	if (error instanceof EngineError) {
		const reason = `${error.type ?? "UNKNOWN"} (${error.code})`;
		const cause = new StoreFailure(reason, sql, error.message, error.type);
		if (error.type !== undefined && TIMEOUTS.has(error.type)) return new ServiceError("gateway_timeout", { cause });
		if (error.type === OUT_OF_MEMORY && /^\s*(SELECT|WITH)\b/i.test(sql)) {
			return new ServiceError("gateway_timeout", { message: TOO_BIG, cause });
		}
		return new ServiceError("database_error", { cause });
	}
	const message = error instanceof Error ? error.message : String(error);
	const code = error instanceof Error && "code" in error ? String(error.code) : "";
	if (UNREACHABLE.has(code)) {
		return new ServiceError("database_unavailable", {
			cause: new StoreFailure(code || "connection lost", "", message),
		});
	}
	if (SILENT.has(code)) {
		return new ServiceError("gateway_timeout", { cause: new StoreFailure("no answer in time", sql, message) });
	}
	return new ServiceError("database_error", { cause: new StoreFailure(code || "unexpected answer", sql, message) });
}
