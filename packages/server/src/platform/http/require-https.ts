import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import proxyAddr from "@fastify/proxy-addr";
import type { Certificates } from "../tls/certificates.ts";
import { refuse, refuseUnclearHost } from "./broken-request.ts";
import { clientOf, compileTrust } from "./client-of.ts";
import { securityHeaders } from "./security-headers.ts";

interface HttpsRules {
	/** Where browsers reach the service by HTTPS; no slash at its end. */
	readonly publicUrl: string;
	/** Which `X-Forwarded-*` headers count. */
	readonly trustProxy: boolean | readonly string[];
}

/** Load balancers request these without TLS. */
const healthPaths: ReadonlySet<string> = new Set(["/livez", "/readyz", "/health"]);
const forwarding = ["x-forwarded-for", "x-forwarded-proto", "forwarded"] as const;
const isOwnMachine = proxyAddr.compile(["loopback"]);
const isOwnNetwork = proxyAddr.compile(["loopback", "linklocal", "uniquelocal"]);

/** Redirects pages without TLS to the public address and refuses other requests, but for commands on this machine, health checks and figures within the network. */
export function requireHttps({ publicUrl, trustProxy }: HttpsRules) {
	const trusts = compileTrust(trustProxy);
	return (request: IncomingMessage, response: ServerResponse): boolean => {
		if (clientOf(request, trusts).secure || needsNone(request)) return false;
		const fault = proxyFault(request, trusts(request.socket.remoteAddress ?? "", 0));
		if (fault !== undefined) refuse(response, { code: "forbidden", message: fault });
		else leadOrRefuse(request, response, publicUrl);
		return true;
	};
}

/** Leads a page that was asked for by plain HTTP to its address of HTTPS, and refuses what else came. */
function leadOrRefuse(request: IncomingMessage, response: ServerResponse, publicUrl: string): void {
	if (!isPage(request)) {
		refuse(response, { code: "forbidden", message: `Plain HTTP is not taken here: use ${publicUrl}` });
		return;
	}
	const location = publicUrl + (request.url?.startsWith("/") === true ? request.url : "/");
	response.writeHead(308, { ...securityHeaders, Location: location, "Content-Length": "0", Connection: "close" }).end();
}

function needsNone(request: IncomingMessage): boolean {
	const path = pathOf(request);
	if (healthPaths.has(path)) return true;
	if (forwarding.some((name) => request.headers[name] !== undefined)) return false;
	const address = request.socket.remoteAddress ?? "";
	if (path === "/metrics") return isOwnNetwork(address, 0);
	return isOwnMachine(address, 0) && /^(localhost|127\.[\d.]+|\[::1\])(:\d+)?$/i.test(request.headers.host ?? "");
}

/** A proxy that is set up wrong would lead browsers in a circle. */
function proxyFault({ headers }: IncomingMessage, isTrusted: boolean): string | undefined {
	const proto = headers["x-forwarded-proto"];
	if (!isTrusted && /https/i.test(String(proto ?? "")))
		return "The proxy that passed this request on is not trusted: name its address in TRUST_PROXY";
	if (proto === undefined && (isTrusted || headers["x-forwarded-for"] !== undefined))
		return "The proxy in front must pass X-Forwarded-Proto on; REQUIRE_HTTPS=false does without it";
	return undefined;
}

/** Requests of browsers for pages. Programs with credentials must learn that they may not send them like this. */
function isPage(request: IncomingMessage): boolean {
	const { method, headers } = request;
	const hasCredentials = headers.authorization !== undefined || headers["x-api-key"] !== undefined;
	return (method === "GET" || method === "HEAD") && !hasCredentials && !/^\/(api|mcp)(\/|$)/.test(pathOf(request));
}

const pathOf = ({ url = "" }: IncomingMessage): string => url.split("?", 1)[0] ?? "";

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
