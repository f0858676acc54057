import { METHODS } from "node:http";
import { Socket } from "node:net";
import type { FastifyRequest } from "fastify";
import type { OpenSpan, Trace } from "../lib/trace.ts";
import type { App } from "./app.ts";

const known: ReadonlySet<string> = new Set(METHODS);

/** A span for each request, named by the pattern of its route, without caller, address and content. Before the routes are registered. */
export function traceRequests(app: App, trace: Trace): void {
	const spans = new WeakMap<FastifyRequest, OpenSpan>();
	app.addHook("onRequest", (request, _reply, done) => {
		const method = known.has(request.method) ? request.method : "_OTHER";
		const { url: route } = request.routeOptions;
		const attributes = { "http.request.method": method, ...(route !== undefined && { "http.route": route }) };
		const name = route === undefined ? method : `${method} ${route}`;
		// A request that another one injected has no connection, and is a part of that one. A connection carries what was before.
		const isInjected = !(request.raw.socket instanceof Socket);
		const isPart = isInjected && request.headers.traceparent === undefined;
		// Others could join traces and have their requests sampled: only what a trusted proxy forwarded names a trace.
		const isTrusted = (request.ips?.length ?? 1) > 1;
		spans.set(
			request,
			trace.begin({ name, kind: "server", attributes }, isPart ? undefined : isTrusted ? request.headers : {}),
		);
		done();
	});
	// After the body is read, as the body's reader continues in the context of the connection.
	app.addHook("preHandler", (request, _reply, done) => {
		const span = spans.get(request);
		if (span === undefined) done();
		else span.within(done);
	});
	app.addHook("onResponse", (request, reply, done) => {
		const span = spans.get(request);
		span?.set({ "http.response.status_code": reply.statusCode });
		span?.end(reply.statusCode >= 500 ? String(reply.statusCode) : undefined);
		done();
	});
}
