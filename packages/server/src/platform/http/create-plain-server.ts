import { createServer, type Server } from "node:http";
import type { Certificates } from "../tls/certificates.ts";
import { refuse, refuseUnclearHost } from "./broken-request.ts";
import { leadOrRefuse } from "./require-https.ts";

/** Where an authority looks for the proof that a name leads here (RFC 8555, 8.3). */
const CHALLENGES = "/.well-known/acme-challenge/";
const TIMEOUT = 10_000;

interface PlainOptions {
	readonly certificates: Certificates;
	/** Where pages are led; no slash at its end. */
	readonly rootUrl: string;
}

/** The server of plain HTTP beside TLS: it answers authorities, leads pages to HTTPS and refuses the rest. */
export function createPlainServer({ certificates, rootUrl }: PlainOptions): Server {
	const server = createServer({ requireHostHeader: false }, (request, response) => {
		response.shouldKeepAlive = false;
		if (refuseUnclearHost(request, response, false)) return;
		const { url = "", method } = request;
		if (!url.startsWith(CHALLENGES)) return leadOrRefuse(request, response, rootUrl);
		const answer = method === "GET" ? certificates.challengeAnswer(url.slice(CHALLENGES.length)) : undefined;
		if (answer === undefined) return refuse(response, { code: "not_found" });
		response.writeHead(200, { "Content-Type": "application/octet-stream", "Cache-Control": "no-store" }).end(answer);
	});
	server.requestTimeout = TIMEOUT;
	server.headersTimeout = TIMEOUT;
	return server;
}
