import type { FastifyReply, FastifyRequest, preHandlerAsyncHookHandler } from "fastify";
import { ServiceError } from "../../errors/service-error.ts";
import type { Clock } from "../../lib/clock.ts";
import { deriveKey, hmacHex } from "../../lib/crypto.ts";
import { MINUTE_MS } from "../../lib/durations.ts";
import type { App } from "../app.ts";
import { addressGroup } from "./address-group.ts";
import type { RateCounters } from "./open-rate-counters.ts";
import type { RateCount, RateCounter } from "./rate-counter.ts";
import type { RouteLimit } from "./route-limit.ts";

/** Requests a minute of an address, as far as they show no valid credential. */
const ADDRESS_MAX = 60;

/** Where a request stands in a limit. */
export interface LimitState {
	readonly limit: number;
	readonly remaining: number;
	/** When the window ends, ms since the Unix epoch. */
	readonly endsAt: number;
}

/** Dependencies of limiting requests. */
export interface RequestLimiterDeps {
	readonly counters: Pick<RateCounters, "brief" | "lasting">;
	readonly clock: Clock;
	readonly secretKey: string;
}

/** Counts requests, and keeps with each the limit that it is nearest to. Counting throws `rate_limit_exceeded`. */
export class RequestLimiter {
	readonly #deps: RequestLimiterDeps;
	readonly #key: Uint8Array;

	constructor(deps: RequestLimiterDeps) {
		this.#deps = deps;
		this.#key = deriveKey(deps.secretKey, "rate-limit");
	}

	/** Counts a request in a bucket that may take `max` of them a minute. */
	count(request: FastifyRequest, bucket: string, max: number): void | Promise<void> {
		return this.#take(request, this.#deps.counters.brief, { bucket, max, windowMs: MINUTE_MS });
	}

	countAddress(request: FastifyRequest): void | Promise<void> {
		return this.count(request, addressBucket(request), ADDRESS_MAX);
	}

	async countDeclared(request: FastifyRequest, { name, max, windowMs, by }: RouteLimit): Promise<void> {
		const subject = by === "ip" ? addressOf(request) : by(request);
		if (subject === undefined) return;
		const { brief, lasting } = this.#deps.counters;
		// Long windows are stored, so the buckets contain neither addresses nor keys.
		const bucket = `${name}:${hmacHex(this.#key, subject)}`;
		await this.#take(request, windowMs > MINUTE_MS ? lasting : brief, { bucket, max, windowMs });
	}

	/** A request from within the service, which its outer request has counted. */
	exempt(request: FastifyRequest): void {
		request.rateLimit = "exempt";
	}

	/** Writes the headers of an answer; an uncounted request gets the figures of its address. */
	describe(request: FastifyRequest, reply: FastifyReply): void | Promise<void> {
		const { rateLimit } = request;
		if (rateLimit === "exempt") return;
		if (rateLimit) return setHeaders(reply, rateLimit);
		const found = this.#deps.counters.brief.peek(addressBucket(request), MINUTE_MS, this.#deps.clock.now());
		if (found instanceof Promise) return found.then((count) => setHeaders(reply, stateOf(count, ADDRESS_MAX)));
		setHeaders(reply, stateOf(found, ADDRESS_MAX));
	}

	#take(
		request: FastifyRequest,
		counter: RateCounter,
		{ bucket, max, windowMs }: { bucket: string; max: number; windowMs: number },
	): void | Promise<void> {
		const now = this.#deps.clock.now();
		const count = counter.hit(bucket, windowMs, now);
		if (count instanceof Promise) return count.then((reached) => judge(request, reached, max, now));
		judge(request, count, max, now);
	}
}

const addressBucket = (request: FastifyRequest): string => `ip:${addressOf(request)}`;

/** A client that has hung up meanwhile has no address. */
const addressOf = (request: FastifyRequest): string => addressGroup(request.ip ?? "");

const stateOf = ({ count, endsAt }: RateCount, max: number): LimitState => ({
	limit: max,
	remaining: Math.max(0, max - count),
	endsAt,
});

function judge(request: FastifyRequest, count: RateCount, max: number, now: number): void {
	const state = stateOf(count, max);
	const { rateLimit } = request;
	const isNearest = !rateLimit || rateLimit === "exempt" || state.remaining <= rateLimit.remaining;
	if (count.count > max || isNearest) request.rateLimit = state;
	if (count.count <= max) return;
	const retryAfter = Math.max(1, Math.ceil((count.endsAt - now) / 1000));
	throw new ServiceError("rate_limit_exceeded", {
		message: `Too many requests. Try again in ${retryAfter} seconds.`,
		retryAfter,
	});
}

function setHeaders(reply: FastifyReply, { limit, remaining, endsAt }: LimitState): void {
	reply.header("x-ratelimit-limit", String(limit));
	reply.header("x-ratelimit-remaining", String(remaining));
	reply.header("x-ratelimit-reset", String(Math.ceil(endsAt / 1000)));
}

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

/** Adds the three headers to every answer and applies the limits of routes; limits for all are counted with the answer. Before the routes are registered. */
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
