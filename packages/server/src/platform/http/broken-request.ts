import { randomUUID } from "node:crypto";
import { maxHeaderSize } from "node:http";
import type { Socket } from "node:net";
import { ServiceError } from "../errors/service-error.ts";
import { errorBody } from "./error-handler.ts";
import { securityHeaders } from "./security-headers.ts";

const tooLong = `The address and the headers together are longer than ${maxHeaderSize} bytes`;

/** Answers bytes that are no HTTP request, before any route could be found. */
export function answerBrokenRequest(error: Error & { code?: string }, socket: Socket): void {
	if (error.code === "ECONNRESET" || !socket.writable) {
		socket.destroy();
		return;
	}
	const requestId = randomUUID();
	const refusal = new ServiceError("bad_request", error.code === "HPE_HEADER_OVERFLOW" ? { message: tooLong } : {});
	const body = JSON.stringify(errorBody(refusal, requestId));
	socket.end(
		[
			"HTTP/1.1 400 Bad Request",
			`X-Request-ID: ${requestId}`,
			"Content-Type: application/json; charset=utf-8",
			...Object.entries(securityHeaders).map(([name, value]) => `${name}: ${value}`),
			`Content-Length: ${Buffer.byteLength(body)}`,
			"Connection: close",
			"",
			body,
		].join("\r\n"),
	);
}
