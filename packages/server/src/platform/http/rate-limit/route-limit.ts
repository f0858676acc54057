import type { FastifyRequest } from "fastify";
import { HOUR_MS, MINUTE_MS } from "../../lib/durations.ts";

/** A limit of one route, on top of those that hold for all; those that fail validation, or the `preHandler` of the route, are not counted. */
export interface RouteLimit {
	/** Routes whose limits have the same name share their count. */
	readonly name: string;
	readonly max: number;
	readonly windowMs: number;
	/** Requests that count together: those of an address, or those for which the function returns the same text. */
	readonly by: "ip" | ((request: FastifyRequest) => string | undefined);
	/** True when the requests of this public route do not count among those that an address may send in a minute. */
	readonly isAlone?: true;
}

/** A limit of `max` requests a minute and address of this route alone, beside what an address may send otherwise. */
export const minutelyAlone = (name: string, max: number): RouteLimit => ({
	name,
	max,
	windowMs: MINUTE_MS,
	by: "ip",
	isAlone: true,
});

/** A limit of `max` requests an hour and address; it holds across restarts. */
export const hourly = (name: string, max: number): RouteLimit => ({ name, max, windowMs: HOUR_MS, by: "ip" });

/** A limit of `max` requests an hour and user. */
export const hourlyOfUser = (name: string, max: number): RouteLimit => ({
	name,
	max,
	windowMs: HOUR_MS,
	by: (request) => String(request.caller.userId),
});
