import type { FastifyContextConfig, FastifyReply, FastifyRequest } from "fastify";
import { ServiceError } from "../platform/errors/service-error.ts";
import { addressGroup } from "../platform/http/rate-limit/address-group.ts";
import type { RequestLimiter } from "../platform/http/rate-limit/request-limiter.ts";
import type { PlanTier, Reader } from "./principal.ts";
import type { RequestSite } from "./site-store.ts";

/** Least requests a minute of a key on reports, however small its plan. */
const LEAST_REPORTS = 30;
const REPORTS = /^\/api\/v1\/stats\//;

interface RequestLimitDeps {
	readonly limiter: RequestLimiter;
	/** Requests a minute that a plan allows one user or key. */
	readonly requestsPerMinute: (plan: PlanTier) => number;
	/** Plan of callers who belong to no organization. */
	readonly defaultPlan: PlanTier;
}

export type RequestLimits = ReturnType<typeof createRequestLimits>;

/** False for routes that are outside of every limit, or have one that stands alone. */
const isCountedByAddress = (limit: FastifyContextConfig["limit"]): boolean =>
	limit !== "none" && ![limit ?? []].flat().some(({ isAlone }) => isAlone === true);

const isReport = (request: FastifyRequest): boolean => REPORTS.test(request.routeOptions.url ?? "");

/** Key of the shared counter. Readers of a link have one each, so that none uses up the limit of the others. */
function bucketOf(request: FastifyRequest, caller: Reader): string {
	if (caller.kind === "share") return `share:${caller.linkId} ${addressGroup(request.ip)}`;
	return caller.kind === "key" ? `key:${caller.tokenId}` : `user:${caller.userId}`;
}

/**
 * Limits a minute: a bucket for each user and key by plan, one for each address without a valid credential. Each request is counted
 * once; all but `exempt` throw `rate_limit_exceeded`.
 */
export function createRequestLimits({ limiter, requestsPerMinute, defaultPlan }: RequestLimitDeps) {
	const ofPlan = (caller: Reader, site: RequestSite | undefined) =>
		requestsPerMinute(site?.planTier ?? caller.plan ?? defaultPlan);
	/** Counts reports that a key reads through another route; none for other callers. */
	const reports = async (request: FastifyRequest, caller: Reader, site: RequestSite | undefined): Promise<void> => {
		if (caller.kind !== "key" || !isReport(request)) return;
		const half = Math.max(LEAST_REPORTS, Math.floor(ofPlan(caller, site) / 2));
		await limiter.count(request, `reports:${caller.tokenId}`, half);
	};
	return {
		/** A request from within the service: the one that it is part of was counted. */
		exempt: (request: FastifyRequest) => limiter.exempt(request),
		/** A request to a route that looks at no credential. */
		anonymous: async (request: FastifyRequest) => {
			if (isCountedByAddress(request.routeOptions.config.limit)) await limiter.countAddress(request);
		},
		/** A request whose credential was refused, or lacks; throws the refusal when there is room for it. */
		refused: async (request: FastifyRequest, reply: FastifyReply, refusal: unknown): Promise<never> => {
			if (!(refusal instanceof ServiceError) || refusal.isOurs) throw refusal;
			try {
				await limiter.countAddress(request);
			} catch (error) {
				reply.removeHeader("www-authenticate");
				throw error;
			}
			throw refusal;
		},
		/** A request of a known caller; `site` when it is in the caller's reach. */
		caller: async (request: FastifyRequest, caller: Reader, site: RequestSite | undefined) => {
			if (caller.kind === "key" && isReport(request)) return reports(request, caller, site);
			return limiter.count(request, bucketOf(request, caller), ofPlan(caller, site));
		},
		reports,
	};
}
