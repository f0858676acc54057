import { randomUUID } from "node:crypto";
import { type IncomingMessage, maxHeaderSize, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { ServiceError } from "../errors/service-error.ts";
import { errorBody } from "./error-handler.ts";
import { securityHeaders, transportHeader } from "./security-headers.ts";

const tooLong = `The address and the headers together are longer than ${maxHeaderSize} bytes`;
const oneHost = "A request names its host once, in the header Host";

/** The answer to what no route is looked for; no limit counts it. */
function refusalOf(message: string | undefined, isPublicHttps: boolean) {
	const requestId = randomUUID();
	const refusal = new ServiceError("bad_request", message === undefined ? {} : { message });
	const body = JSON.stringify(errorBody(refusal, requestId));
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

/** Answers bytes that are no HTTP request, before any route could be found. */
export function answerBrokenRequest(error: Error & { code?: string }, socket: Socket, isPublicHttps: boolean): void {
	if (error.code === "ECONNRESET" || !socket.writable) {
		socket.destroy();
		return;
	}
	const { headers, body } = refusalOf(error.code === "HPE_HEADER_OVERFLOW" ? tooLong : undefined, isPublicHttps);
	const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
	socket.end(["HTTP/1.1 400 Bad Request", ...lines, "", body].join("\r\n"));
}

/**
 * Refuses a request that names no host or several (RFC 9112, 3.2): who stands in front might have looked at another one. Answers
 * whether it did.
 */
export function refuseUnclearHost(request: IncomingMessage, response: ServerResponse, isPublicHttps: boolean): boolean {
	const hosts = request.rawHeaders.filter((name, at) => at % 2 === 0 && isHost(name)).length;
	if (hosts === 1 || (hosts === 0 && request.httpVersion === "1.0")) return false;
	const { headers, body } = refusalOf(oneHost, isPublicHttps);
	response.writeHead(400, headers).end(body);
	return true;
}

// Every hit passes here.
const isHost = (name: string): boolean => name.length === 4 && name.toLowerCase() === "host";
