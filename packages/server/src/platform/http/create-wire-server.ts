import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { refuseUnclearHost } from "./broken-request.ts";
import { dropFalseAddresses } from "./forwarded-addresses.ts";

/** Milliseconds in which a whole request must have arrived. */
export const REQUEST_TIMEOUT = 120_000;
export const KEEP_ALIVE_TIMEOUT = 72_000;

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

interface WireOptions {
	readonly intercept?: (request: IncomingMessage, response: ServerResponse) => boolean;
	readonly isPublicHttps?: boolean;
	readonly watch?: (request: IncomingMessage) => void;
}

/** The server below the application: what it refuses or takes itself, the application never sees. */
export function createWireServer({ intercept, isPublicHttps = false, watch }: WireOptions, handler: Handler): Server {
	// Node would answer a request without a host itself, with nothing but the status.
	const server = createServer({ requireHostHeader: false }, (request, response) => {
		if (!server.listening) response.shouldKeepAlive = false;
		if (refuseUnclearHost(request, response, isPublicHttps)) return;
		dropFalseAddresses(request.headers);
		if (intercept?.(request, response) === true) watch?.(request);
		else handler(request, response);
	});
	// An expectation that nobody knows may be passed over, and Node's own 417 says nothing.
	server.on("checkExpectation", (request, response) => server.emit("request", request, response));
	server.requestTimeout = REQUEST_TIMEOUT;
	server.keepAliveTimeout = KEEP_ALIVE_TIMEOUT;
	return server;
}
