import { randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";
import cors from "@fastify/cors";
import Fastify, { type FastifyBaseLogger, type FastifyReply, type FastifyRequest, LogController } from "fastify";
import { ServiceError } from "../errors/service-error.ts";
import type { Clock } from "../lib/clock.ts";
import { type Readiness, ready } from "../lib/readiness.ts";
import { describeCause } from "../log/describe-cause.ts";
import { createLineLimit } from "../log/line-limit.ts";
import type { App } from "./app.ts";
import { answerBrokenRequest } from "./broken-request.ts";
import { createWireServer, KEEP_ALIVE_TIMEOUT, REQUEST_TIMEOUT, type WireOptions } from "./create-wire-server.ts";
import { stampTimestamp } from "./envelope.ts";
import { errorBody, sendError } from "./error-handler.ts";
import {
	completeRoute,
	createRouteTable,
	declaredHeaders,
	type GuardDescription,
	type RouteTable,
} from "./route-rules.ts";
import { ErrorEnvelope } from "./schemas.ts";
import { corsOptions, setSecurityHeaders } from "./security-headers.ts";
import { checkedSerializer, plainSerializer } from "./serialize.ts";
import { compileValidator } from "./validate.ts";

const BODY_LIMIT = 1024 * 1024;
/** Characters of a part of a path that stands for a value. */
const MAX_PARAM_LENGTH = 1024;
/** Milliseconds between looks for connections that a closing server need not wait for. */
const IDLE_CHECK = 20;
/** Milliseconds that a closing server leaves its clients to send the rest of a request and to take an answer. */
const CLOSE_GRACE = 2000;

declare module "fastify" {
	interface FastifyInstance {
		/** Does work on the metadata store when the application is ready and the store can be used. */
		onStoreReady(work: () => Promise<void>): void;
		/** Pattern of the route that a request with this method and path reaches; undefined when there is none. */
		patternOf(method: string, path: string): string | undefined;
		/** Limits the lines on requests that fail because a store is away. */
		limitAwayLines(): number | undefined;
		/** Declaration of the route with exactly this method and pattern; undefined if there is none. */
		schemaOf(method: string, url: string): FastifySchema | undefined;
	}
}

/** The part of the routes that a process serves. */
export interface ServedPart {
	readonly has: (path: string) => boolean;
	/** Answer to an address outside of it. */
	readonly refusal: string;
}

/** Everything that the HTTP application needs from outside. */
export interface HttpAppOptions extends WireOptions {
	readonly log: FastifyBaseLogger;
	readonly clock: Clock;
	/** When the metadata store can be used; at once when absent. */
	readonly store?: Readiness;
	/** Which `X-Forwarded-*` headers count. */
	readonly trustProxy: boolean | readonly string[];
	readonly describeGuard: (guard: unknown) => GuardDescription;
	/** Served routes; all when absent. */
	readonly served?: ServedPart | undefined;
	/** Checks each answer against the declared schema: for tests. */
	readonly checkResponses?: boolean;
}

/** Where a request is led that this process does not serve: no route is there. */
const NOT_SERVED = "/.not-served";
const pathOf = (url: string): string => url.split("?", 1)[0] ?? "/";

/** Builds the application without routes: envelopes, errors, request ids, validation, security headers and CORS. */
export async function createHttpApp(options: HttpAppOptions): Promise<App> {
	const routes = createRouteTable({ maxParamLength: MAX_PARAM_LENGTH });
	const app: App = Fastify({
		loggerInstance: options.log,
		logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: "request_id" }),
		bodyLimit: BODY_LIMIT,
		requestTimeout: REQUEST_TIMEOUT,
		keepAliveTimeout: KEEP_ALIVE_TIMEOUT,
		trustProxy: typeof options.trustProxy === "boolean" ? options.trustProxy : [...options.trustProxy],
		genReqId: () => randomUUID(),
		frameworkErrors: (error, request, reply) => {
			reply.header("x-request-id", request.id);
			setSecurityHeaders(request as FastifyRequest, reply as FastifyReply, options.isPublicHttps ?? false);
			void answerUnroutable(error, request as FastifyRequest, reply as FastifyReply);
		},
		clientErrorHandler: (error, socket) => answerBrokenRequest(error, socket, options.isPublicHttps ?? false),
		routerOptions: { querystringParser: parseQueryString, maxParamLength: MAX_PARAM_LENGTH },
		...servingOnly(options.served),
		serverFactory: (handler) => createWireServer(options, handler),
	});
	app.setValidatorCompiler(compileValidator);
	app.setSerializerCompiler(options.checkResponses === true ? checkedSerializer : plainSerializer);
	app.addSchema(ErrorEnvelope);
	addHooks(app, options, routes);
	addBodyParser(app);
	await app.register(cors, corsOptions);
	app.setErrorHandler(sendError);
	app.setNotFoundHandler((request, reply) => answerUnknownRoute(options, routes, request, reply));
	return app;
}

const servingOnly = (served: ServedPart | undefined) =>
	served === undefined
		? {}
		: { rewriteUrl: ({ url = "/" }: IncomingMessage) => (served.has(pathOf(url)) ? url : NOT_SERVED) };

function addHooks(app: App, options: HttpAppOptions, routes: RouteTable): void {
	app.decorate("limitAwayLines", createLineLimit(options.clock));
	app.decorate("patternOf", (method: string, path: string) => routes.patternOf(method, path));
	app.decorate("schemaOf", (method: string, url: string) => routes.schemaOf(method, url));
	const { store = ready, log } = options;
	app.decorate("onStoreReady", (work: () => Promise<void>) => {
		app.addHook("onReady", async () => {
			if (store.isReady) return work();
			const failed = (error: unknown) => log.error({ cause: describeCause(error) }, "A start-up task failed");
			void store.whenReady.then(work).catch(failed);
		});
	});
	app.addHook("onRoute", (route) => {
		completeRoute(route, options.describeGuard);
		// Behind the hooks of plugins, which add headers such as those of cookies.
		if (options.checkResponses === true) route.onSend = [...[route.onSend ?? []].flat(), refuseUndeclared];
		routes.add(route);
	});
	app.addHook("onRequest", async (request, reply) => {
		options.watch?.(request.raw);
		reply.header("x-request-id", request.id);
		setSecurityHeaders(request, reply, options.isPublicHttps ?? false);
	});
	app.addHook("preSerialization", async (_request, _reply, payload) => stampTimestamp(payload, options.clock.now()));
	app.addHook("preClose", async () => {
		// One that never listened has no connections, and never says that it closed.
		if (!app.server.listening) return;
		// A closing server waits for its connections, and those that were busy at first would be kept alive.
		app.server.once(
			"close",
			options.clock.every(IDLE_CHECK, () => app.server.closeIdleConnections()),
		);
		app.server.once(
			"close",
			options.clock.after(CLOSE_GRACE, () => app.server.closeAllConnections()),
		);
	});
	app.addHook("onResponse", async (request, reply) => {
		request.log.debug({
			method: request.method,
			route: request.routeOptions.url,
			status: reply.statusCode,
			ms: Math.round(reply.elapsedTime * 10) / 10,
		});
	});
}

/** Makes an answer with a status or header that the description of the API does not know one that says so: for tests. */
async function refuseUndeclared(request: FastifyRequest, reply: FastifyReply, payload: unknown): Promise<unknown> {
	const { method, routeOptions, id } = request;
	const { hide, response, "x-headers": headers = [] } = routeOptions.schema ?? {};
	if (response === undefined || hide === true) return payload;
	const header = declaredHeaders.find((name) => reply.hasHeader(name) && !headers.includes(name));
	const isDeclared = String(reply.statusCode) in (response as object);
	if (isDeclared && (header === undefined || reply.statusCode >= 400)) return payload;
	const what = isDeclared ? `sends ${header}` : `answers ${reply.statusCode}`;
	const message = `${method} ${routeOptions.url} does not declare that it ${what}`;
	reply.code(500).removeHeader("content-length").removeHeader("content-encoding");
	return JSON.stringify(errorBody(new ServiceError("internal_error", message), id));
}

function addBodyParser(app: App): void {
	app.removeAllContentTypeParsers();
	const parse = app.getDefaultJsonParser("error", "error");
	const refuse = (message: string) => new ServiceError("bad_request", message);
	app.addContentTypeParser("application/json", { parseAs: "buffer" }, (request, bytes: Buffer, done) => {
		// A call without a body may still name the type: many clients always send it. A route that needs one refuses it.
		if (bytes.length === 0) return done(null, undefined);
		const body = textOf(bytes);
		if (body === undefined) return done(refuse("The body is not valid UTF-8"));
		parse(request, body, (error, value) => done(error === null ? null : refuse(whyUnread(body)), value));
	});
}

const utf8 = new TextDecoder("utf-8", { fatal: true });

function textOf(bytes: Buffer): string | undefined {
	try {
		return utf8.decode(bytes);
	} catch {
		return undefined;
	}
}

/** The parser also refuses names by which an object of the program could be changed. */
function whyUnread(body: string): string {
	return body.includes('"__proto__"') || body.includes('"constructor"')
		? "The body is not valid JSON, or something in it is named __proto__ or constructor.prototype"
		: "The body is not valid JSON";
}

/** Refusals of the router itself run no hooks. */
async function answerUnroutable(error: unknown, request: FastifyRequest, reply: FastifyReply): Promise<void> {
	const { requestLimiter } = request.server;
	try {
		await requestLimiter?.countAddress(request);
		await requestLimiter?.describe(request, reply);
		sendError(error, request, reply);
	} catch (refusal) {
		await requestLimiter?.describe(request, reply);
		sendError(refusal, request, reply);
	}
}

function answerUnknownRoute(
	{ served }: HttpAppOptions,
	routes: RouteTable,
	request: FastifyRequest,
	reply: FastifyReply,
): void {
	if (served !== undefined && request.url === NOT_SERVED) {
		sendError(new ServiceError("not_found", served.refusal), request, reply);
		return;
	}
	const methods = routes.methodsOf(pathOf(request.url));
	if (methods.length > 0) reply.header("allow", methods.join(", "));
	sendError(new ServiceError(methods.length > 0 ? "method_not_allowed" : "not_found"), request, reply);
}

/** Parses a query string into trimmed texts, and lists where a name is repeated; `country[]=ES` is `country=ES`. */
export function parseQueryString(text: string): Record<string, string | string[]> {
	const query: Record<string, string | string[]> = Object.create(null);
	for (const [rawName, rawValue] of new URLSearchParams(text)) {
		const name = rawName.endsWith("[]") ? rawName.slice(0, -2) : rawName;
		const value = rawValue.trim();
		const earlier = query[name];
		if (earlier === undefined) query[name] = value;
		else if (Array.isArray(earlier)) earlier.push(value);
		else query[name] = [earlier, value];
	}
	return query;
}
