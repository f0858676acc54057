import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { ErrorCode } from "../../../platform/errors/codes.ts";
import { clientOf, compileTrust } from "../../../platform/http/client-of.ts";
import type { Clock } from "../../../platform/lib/clock.ts";
import type { Collector } from "./collector.ts";
import { MAX_BODY_BYTES } from "./payload.ts";

/** A beacon comes in one to twelve pieces; each of them costs as much as a short body does. */
const MAX_PIECES = 64;

/** Reads the body as text, cut at a limit. The work is linear in the bytes, however small the chunks are. */
function readBody(request: IncomingMessage, take: (body: string, isCut: boolean) => void): void {
	let first: Buffer | undefined;
	let all: Buffer | undefined;
	let length = 0;
	let pieces = 0;
	let isCut = false;
	const text = () => (all ?? first)?.toString("utf8", 0, Math.min(length, MAX_BODY_BYTES)) ?? "";
	request.on("data", (piece: Buffer) => {
		if (isCut) return;
		pieces++;
		if (pieces === 1) first = piece;
		else {
			if (all === undefined) {
				all = Buffer.allocUnsafe(MAX_BODY_BYTES);
				first?.copy(all);
			}
			// Bytes beyond the limit are dropped.
			piece.copy(all, length);
		}
		length += piece.length;
		if (length <= MAX_BODY_BYTES && pieces <= MAX_PIECES) return;
		isCut = true;
		take(text(), true);
	});
	request.on("end", () => {
		if (!isCut) take(text(), false);
	});
}

const COLLECT_PATH = "/event";

/** Names and values in turn, as node:http writes them without a detour. */
const CORS = ["Access-Control-Allow-Origin", "*"];
const PREFLIGHT = {
	"Access-Control-Allow-Origin": "*",
	"Access-Control-Allow-Methods": "POST, OPTIONS",
	"Access-Control-Allow-Headers": "content-type",
	"Access-Control-Max-Age": "86400",
};
const RETRY_AFTER_S = "5";

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

/** Answers `/event` on the bare HTTP server: it takes by far the most requests and needs nothing of a framework. */
export function createCollectHandler({ collector, clock, trustProxy }: CollectHttpDeps) {
	const trusts = compileTrust(trustProxy);
	return (request: IncomingMessage, response: ServerResponse): void => {
		if (bringsNoHit(request, response)) return;
		readBody(request, (body, isCut) => {
			const { headers } = request;
			const { ip, secure } = clientOf(request, trusts);
			const cut = isCut ? ["Connection", "close"] : [];
			const userAgent = headers["user-agent"] ?? "";
			collector.take({ body, isCut, ip, userAgent, headers, secure, receivedAt: clock.now() }, (fate) => {
				if (fate === "unstored") response.writeHead(503, [...CORS, ...cut, "Retry-After", RETRY_AFTER_S]).end();
				else response.writeHead(204, isCut ? [...CORS, ...cut] : CORS).end();
			});
		});
	};
}

/** Answers `/event` in a process without a collector: with an error, so that a load balancer may try another process. */
export function refuseHits(request: IncomingMessage, response: ServerResponse, message: string): void {
	request.resume();
	if (bringsNoHit(request, response)) return;
	refuse(response, 503, { code: "service_unavailable", message }, ["Retry-After", RETRY_AFTER_S]);
}

/** True for a request of another method than that of hits, which is answered. */
function bringsNoHit({ method }: IncomingMessage, response: ServerResponse): boolean {
	if (method === "POST") return false;
	if (method === "OPTIONS") response.writeHead(204, PREFLIGHT).end();
	else refuse(response, 405, { code: "method_not_allowed", message: "Method not allowed" }, ["Allow", "POST, OPTIONS"]);
	return true;
}

function refuse(
	response: ServerResponse,
	status: number,
	error: { readonly code: ErrorCode; readonly message: string },
	headers: readonly string[],
): void {
	const requestId = randomUUID();
	response
		.writeHead(status, [...CORS, ...headers, "Content-Type", "application/json", "X-Request-ID", requestId])
		.end(JSON.stringify({ error, request_id: requestId }));
}
