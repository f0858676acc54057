import type { HealthDeps } from "../../features/operating/health/index.ts";
import type { RouteDeps } from "../app-deps.ts";
import { healthDeps } from "../health.ts";

/** The checks of this process, for those who may see them. */
export const healthOf = (deps: RouteDeps): HealthDeps =>
	healthDeps({
		...deps,
		spool: () => deps.collecting?.collector.spoolState,
		sharedSessions: () => deps.collecting?.sharedSessions,
		keepsHits: () => deps.collecting?.collector.accepts,
		sharesAddresses: () => deps.collecting?.collector.sharesAddresses ?? false,
		unplaced: async (minutes) => (await deps.rejections(""))?.(minutes),
	});
