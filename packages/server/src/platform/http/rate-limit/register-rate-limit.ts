import type { FastifyRequest, preHandlerAsyncHookHandler } from "fastify";
import type { App } from "../app.ts";
import { type LimitState, RequestLimiter, type RequestLimiterDeps } from "./request-limiter.ts";
import type { RouteLimit } from "./route-limit.ts";

declare module "fastify" {
	interface FastifyInstance {
		/** Undefined when requests are not limited. */
		requestLimiter?: RequestLimiter;
	}
	interface FastifyRequest {
		/** The limit that the request is nearest to; null = none counted it. */
		rateLimit: LimitState | "exempt" | null;
	}
	interface FastifyContextConfig {
		/** Limits of this route beyond those that hold for all; `none` = outside of every limit. */
		limit?: "none" | RouteLimit | readonly RouteLimit[];
	}
}

/**
 * Adds the three headers to every answer and applies the limits of routes. Limits for all routes are counted by the
 * code that knows the caller, with the returned limiter. Register it before the routes.
 */
export function registerRateLimit(app: App, deps: RequestLimiterDeps): RequestLimiter {
	const limiter = new RequestLimiter(deps);
	app.decorate("requestLimiter", limiter);
	app.decorateRequest("rateLimit", null);
	app.addHook("onRoute", (route) => {
		const limits = declared(route.config?.limit);
		if (limits.length === 0) return;
		const check: preHandlerAsyncHookHandler = async (request: FastifyRequest) => {
			for (const limit of limits) await limiter.countDeclared(request, limit);
		};
		// After what the route itself checks of a request: like a fault that its schema finds, that costs nothing.
		route.preHandler = [...[route.preHandler ?? []].flat(), check];
	});
	app.addHook("onSend", (request, reply, payload, done) => {
		const described = limiter.describe(request, reply);
		if (described === undefined) done(null, payload);
		else
			described.then(
				() => done(null, payload),
				() => done(null, payload),
			);
	});
	return limiter;
}

function declared(limit: "none" | RouteLimit | readonly RouteLimit[] | undefined): readonly RouteLimit[] {
	if (limit === undefined || limit === "none") return [];
	return "name" in limit ? [limit] : limit;
}
