/** Why a request to another server brought no answer. */
export type OutboundFailure = "timeout" | "dns" | "connection" | "tls" | "blocked_address" | "too_large";

const texts: Readonly<Record<OutboundFailure, string>> = {
	timeout: "No answer in time",
	dns: "The name of the host could not be resolved",
	connection: "The connection failed",
	tls: "The TLS connection failed",
	blocked_address: "The address is not a public one",
	too_large: "The answer is too large",
};

/** A request to another server that brought no answer. Its message names no address and is fit for the user. */
export class OutboundError extends Error {
	readonly failure: OutboundFailure;

	constructor(failure: OutboundFailure, cause?: unknown) {
		super(texts[failure], { cause });
		this.name = "OutboundError";
		this.failure = failure;
	}
}

const dnsCodes: ReadonlySet<string> = new Set(["ENOTFOUND", "EAI_AGAIN", "ENODATA", "ESERVFAIL", "EAI_FAIL"]);
const timeoutCodes: ReadonlySet<string> = new Set([
	"UND_ERR_CONNECT_TIMEOUT",
	"UND_ERR_HEADERS_TIMEOUT",
	"UND_ERR_BODY_TIMEOUT",
	"ETIMEDOUT",
]);
const isTls = (code: string) =>
	/^(ERR_(TLS|SSL)_|CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|EPROTO$|HOSTNAME_)/.test(code);

/** Meaning of an error of the client. */
export function outboundError(error: unknown): OutboundError {
	for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
		if (cause instanceof OutboundError) return cause;
		const { code, name } = cause as Error & { code?: unknown };
		if (name === "TimeoutError" || (typeof code === "string" && timeoutCodes.has(code))) {
			return new OutboundError("timeout", error);
		}
		if (typeof code !== "string") continue;
		if (dnsCodes.has(code)) return new OutboundError("dns", error);
		if (isTls(code)) return new OutboundError("tls", error);
		if (code === "UND_ERR_RES_EXCEEDED_MAX_SIZE") return new OutboundError("too_large", error);
	}
	return new OutboundError("connection", error);
}
