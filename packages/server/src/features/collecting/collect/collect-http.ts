import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import proxyAddr from "@fastify/proxy-addr";
import type { Clock } from "../../../platform/lib/clock.ts";
import type { Collector } from "./collector.ts";
import { MAX_BODY_BYTES } from "./payload.ts";

/** The path that trackers post to. */
const COLLECT_PATH = "/event";

const CORS = { "Access-Control-Allow-Origin": "*" };
const PREFLIGHT = {
	...CORS,
	"Access-Control-Allow-Methods": "POST, OPTIONS",
	"Access-Control-Allow-Headers": "content-type",
	"Access-Control-Max-Age": "86400",
};
const RETRY_AFTER_S = 5;

interface CollectHttpDeps {
	readonly collector: Collector;
	readonly clock: Clock;
	/** Proxies whose `X-Forwarded-*` headers count. */
	readonly trustProxy: boolean | readonly string[];
}

/** True for a request that the collector answers itself, whatever its method. */
export function isCollectRequest(request: IncomingMessage): boolean {
	const url = request.url ?? "";
	return url === COLLECT_PATH || url.startsWith(`${COLLECT_PATH}?`);
}

/**
 * Answers `/event` on the bare HTTP server, ahead of the web framework: it takes by far the most requests of the
 * service and needs none of what a framework adds.
 */
export function createCollectHandler(deps: CollectHttpDeps) {
	const trusts = compileTrust(deps.trustProxy);
	return (request: IncomingMessage, response: ServerResponse): void => {
		if (request.method === "POST")
			readBody(request, response, (body) => takeHit(deps, trusts, request, response, body));
		else if (request.method === "OPTIONS") response.writeHead(204, PREFLIGHT).end();
		else refuseMethod(response);
	};
}

function takeHit(
	{ collector, clock }: CollectHttpDeps,
	trusts: (address: string, hop: number) => boolean,
	request: IncomingMessage,
	response: ServerResponse,
	body: string,
): void {
	const { headers } = request;
	const hit = {
		body,
		ip: proxyAddr(request, trusts),
		userAgent: headers["user-agent"] ?? "",
		headers,
		secure: isSecure(request, trusts),
		receivedAt: clock.now(),
	};
	collector.take(hit, (fate) => {
		if (fate === "unstored") response.writeHead(503, { ...CORS, "Retry-After": RETRY_AFTER_S }).end();
		else response.writeHead(204, CORS).end();
	});
}

/** Hands over at most 15 KB; of a longer body the hit is counted as unreadable and the connection ends. */
function readBody(request: IncomingMessage, response: ServerResponse, whole: (body: string) => void): void {
	let first: Buffer | undefined;
	let more: Buffer[] | undefined;
	let length = 0;
	request.on("data", (chunk: Buffer) => {
		if (length > MAX_BODY_BYTES) return;
		length += chunk.length;
		if (length > MAX_BODY_BYTES) {
			response.setHeader("Connection", "close");
			whole("");
			request.resume();
		} else if (first === undefined) first = chunk;
		else more = [...(more ?? [first]), chunk];
	});
	request.on("end", () => {
		if (length <= MAX_BODY_BYTES) whole((more === undefined ? first : Buffer.concat(more))?.toString("utf8") ?? "");
	});
}

function isSecure(request: IncomingMessage, trusts: (address: string, hop: number) => boolean): boolean {
	if ("encrypted" in request.socket) return true;
	const proto = request.headers["x-forwarded-proto"];
	if (typeof proto !== "string" || !trusts(request.socket.remoteAddress ?? "", 0)) return false;
	return proto.split(",", 1)[0]?.trim() === "https";
}

function compileTrust(trust: boolean | readonly string[]): (address: string, hop: number) => boolean {
	return typeof trust === "boolean" ? () => trust : proxyAddr.compile([...trust]);
}

function refuseMethod(response: ServerResponse): void {
	const requestId = randomUUID();
	const error = { code: "method_not_allowed", message: "Method not allowed" };
	response
		.writeHead(405, { ...CORS, Allow: "POST, OPTIONS", "Content-Type": "application/json", "X-Request-ID": requestId })
		.end(JSON.stringify({ error, request_id: requestId }));
}
