import { randomUUID } from "node:crypto";
import { type IncomingMessage, maxHeaderSize, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { ErrorCode } from "../errors/codes.ts";
import { ServiceError } from "../errors/service-error.ts";
import { statusOf } from "./error-answers.ts";
import { errorBody } from "./error-handler.ts";
import { securityHeaders, transportHeader } from "./security-headers.ts";

const tooLong = `The address and the headers together are longer than ${maxHeaderSize} bytes`;
const oneHost = "A request names its host once, in the header Host";

interface Refused {
	readonly code: ErrorCode;
	readonly message?: string;
}

/** The answer to what no route is looked for; no limit counts it. */
function refusalOf(refused: Refused, isPublicHttps: boolean) {
	const requestId = randomUUID();
	const { code, ...options } = refused;
	const body = JSON.stringify(errorBody(new ServiceError(code, options), requestId));
	const headers = {
		"X-Request-ID": requestId,
		"Content-Type": "application/json; charset=utf-8",
		...securityHeaders,
		...(isPublicHttps && transportHeader),
		"Content-Length": String(Buffer.byteLength(body)),
		Connection: "close",
	};
	return { headers, body };
}

/** Answers a request with an error before a route is looked for, and ends its connection. */
export function refuse(response: ServerResponse, refused: Refused, isPublicHttps = false): void {
	const { headers, body } = refusalOf(refused, isPublicHttps);
	response.writeHead(statusOf(refused.code), headers).end(body);
}

/** Answers bytes that are no HTTP request, before any route could be found. */
export function answerBrokenRequest(error: Error & { code?: string }, socket: Socket, isPublicHttps: boolean): void {
	if (error.code === "ECONNRESET" || !socket.writable) {
		socket.destroy();
		return;
	}
	const message = error.code === "HPE_HEADER_OVERFLOW" ? { message: tooLong } : {};
	const { headers, body } = refusalOf({ code: "bad_request", ...message }, isPublicHttps);
	const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
	socket.end(["HTTP/1.1 400 Bad Request", ...lines, "", body].join("\r\n"));
}

/** Refuses a request with no or several host names (RFC 9112, 3.2), as a proxy may have used another one. Answers whether it did. */
export function refuseUnclearHost(request: IncomingMessage, response: ServerResponse, isPublicHttps: boolean): boolean {
	const hosts = request.rawHeaders.filter((name, at) => at % 2 === 0 && isHost(name)).length;
	if (hosts === 1 || (hosts === 0 && request.httpVersion === "1.0")) return false;
	refuse(response, { code: "bad_request", message: oneHost }, isPublicHttps);
	return true;
}

// Every hit passes here.
const isHost = (name: string): boolean => name.length === 4 && name.toLowerCase() === "host";
