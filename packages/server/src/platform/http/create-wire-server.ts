import { createServer, type IncomingMessage, type Server, type ServerOptions, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { Certificates } from "../tls/certificates.ts";
import { refuseUnclearHost } from "./broken-request.ts";
import { dropFalseAddresses } from "./forwarded-addresses.ts";

/** Milliseconds in which a whole request must have arrived. */
export const REQUEST_TIMEOUT = 120_000;
export const KEEP_ALIVE_TIMEOUT = 72_000;

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** Options of the server below the application. */
export interface WireOptions {
	/** Takes a request before the application does; answers true when it took it. */
	readonly intercept?: (request: IncomingMessage, response: ServerResponse) => boolean;
	/** True when browsers reach the service by HTTPS, whatever a request says. */
	readonly isPublicHttps?: boolean;
	/** Sees every request, also those that the application does not get. */
	readonly watch?: (request: IncomingMessage) => void;
	/** Refuses or leads elsewhere what must not come by plain HTTP; answers true when it did. */
	readonly refusePlain?: ((request: IncomingMessage, response: ServerResponse) => boolean) | undefined;
	readonly certificates?: Certificates | undefined;
}

/** The server below the application: requests that it refuses or handles never reach the application. */
export function createWireServer(options: WireOptions, handler: Handler): Server {
	const { intercept, isPublicHttps = false, watch, refusePlain, certificates } = options;
	const listener = (request: IncomingMessage, response: ServerResponse) => {
		if (!server.listening) response.shouldKeepAlive = false;
		if (refuseUnclearHost(request, response, isPublicHttps)) return;
		dropFalseAddresses(request.headers);
		if (intercept?.(request, response) === true || refusePlain?.(request, response) === true) watch?.(request);
		else handler(request, response);
	};
	// Node would answer a request without a host itself, with nothing but the status.
	const server = listening({ requireHostHeader: false }, listener, certificates);
	// Unknown expectations may be ignored, and Node's own 417 has no body.
	server.on("checkExpectation", (request, response) => server.emit("request", request, response));
	server.requestTimeout = REQUEST_TIMEOUT;
	server.keepAliveTimeout = KEEP_ALIVE_TIMEOUT;
	return server;
}

/** Connections that are open keep the certificate that they were shown; the next ones see the new one. */
function listening(options: ServerOptions, listener: Handler, certificates: Certificates | undefined): Server {
	if (certificates === undefined) return createServer(options, listener);
	const first = certificates.current();
	const server = createTlsServer({ ...options, ...(first && { cert: first.cert, key: first.key }) }, listener);
	certificates.onChange(({ cert, key }) => server.setSecureContext({ cert, key }));
	return server;
}
