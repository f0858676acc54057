import { createRequestLimits, type RequestLimits } from "../access/index.ts";
import { planOf } from "../features/tenancy/organizations/index.ts";
import type { ReadyConfig } from "../platform/config/secret-key.ts";
import type { App } from "../platform/http/app.ts";
import { openRateCounters } from "../platform/http/rate-limit/open-rate-counters.ts";
import { registerRateLimit } from "../platform/http/rate-limit/register-rate-limit.ts";
import type { Clock } from "../platform/lib/clock.ts";
import type { Log } from "../platform/log/log.ts";
import type { Metadata } from "../platform/metadata/metadata.ts";

interface LimitingDeps {
	readonly config: Pick<ReadyConfig, "rateLimitEnabled" | "redisUrl" | "secretKey" | "defaultPlan">;
	readonly clock: Clock;
	readonly log: Log;
	readonly metadata: Metadata;
}

/** The limits of requests, with the counters that they own. */
export interface Limiting {
	/** For the guards of routes; undefined when the operator switched limits off. */
	readonly limits: RequestLimits | undefined;
	close(): void;
}

/** Opens the counters and puts the limits' headers on every answer; before any route is registered. */
export async function openLimiting(app: App, { config, clock, log, metadata }: LimitingDeps): Promise<Limiting> {
	const { rateLimitEnabled, redisUrl, secretKey, defaultPlan } = config;
	if (!rateLimitEnabled) return { limits: undefined, close: () => undefined };
	const counters = await openRateCounters({ metadata, redisUrl, secretKey, log });
	const limiter = registerRateLimit(app, { counters, clock, secretKey });
	const requestsPerMinute = (plan: typeof defaultPlan) => planOf(plan).requestsPerMinute;
	return { limits: createRequestLimits({ limiter, requestsPerMinute, defaultPlan }), close: counters.close };
}
