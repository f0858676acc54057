import type { FastifyBaseLogger } from "fastify";
import { registerAccess } from "./access/index.ts";
import { siteActivity } from "./analytics/query/site-activity.ts";
import { apiInfo, describeGuard } from "./api-description.ts";
import { type Collecting, collectKey, openCollecting } from "./collecting.ts";
import { registerApiTokens } from "./features/accounts/api-tokens/index.ts";
import { registerAuth, registerSetup } from "./features/accounts/auth/index.ts";
import { createSiteDirectory, registerSites, type SiteDirectory } from "./features/accounts/sites/index.ts";
import { registerUsers } from "./features/accounts/users/index.ts";
import {
	type AttributionDirectory,
	createAttributionDirectory,
} from "./features/collecting/attribution-settings/index.ts";
import { registerBotStats } from "./features/collecting/bot-stats/index.ts";
import { loadChannelRules, registerChannelGroups } from "./features/collecting/channel-groups/index.ts";
import type { Collector } from "./features/collecting/collect/index.ts";
import {
	loadPassthroughRules,
	registerPassthroughReferrers,
} from "./features/collecting/passthrough-referrers/index.ts";
import { loadReferrerMappings, registerReferrerMappings } from "./features/collecting/referrer-mappings/index.ts";
import { registerTrackerScript } from "./features/collecting/tracker-script/index.ts";
import { registerClientAddress } from "./features/operating/client-address/index.ts";
import { registerHealth } from "./features/operating/health/index.ts";
import { registerBatch } from "./features/reporting/batch/index.ts";
import { registerQuery } from "./features/reporting/query/index.ts";
import { registerSegments, resolveSegment } from "./features/reporting/segments/index.ts";
import { registerAggregateStats, registerStats, type SegmentLookup } from "./features/reporting/stats/index.ts";
import { healthDeps } from "./health-checks.ts";
import type { ReadyConfig } from "./platform/config/secret-key.ts";
import type { EventStore } from "./platform/event-store/event-store.ts";
import { registerApiDocs } from "./platform/http/api-docs.ts";
import type { App } from "./platform/http/app.ts";
import { createHttpApp } from "./platform/http/create-http-app.ts";
import { registerOpenApi } from "./platform/http/openapi.ts";
import type { Clock } from "./platform/lib/clock.ts";
import { describeCause } from "./platform/log/describe-cause.ts";
import type { Metadata } from "./platform/metadata/metadata.ts";

/** Everything that the service is made of. */
export interface AppDeps {
	readonly config: ReadyConfig;
	readonly clock: Clock;
	readonly log: FastifyBaseLogger;
	readonly metadata: Metadata;
	readonly eventStore: EventStore;
	/** Checks each answer against its declared schema: for tests. */
	readonly checkResponses?: boolean;
}

/** The service, not yet listening. */
export interface Service {
	readonly app: App;
	/** All sites in memory. */
	readonly sites: SiteDirectory;
	/** Undefined when this process does not collect. */
	readonly collector: Collector | undefined;
	/** Accepts no more, answers what is there, and resolves when every accepted hit is safe. The stores stay open. */
	close(): Promise<void>;
}

/** Composes the service from its slices: one register line each. */
export async function buildApp(deps: AppDeps): Promise<Service> {
	const { config, clock, log, metadata } = deps;
	const sites = await createSiteDirectory({
		metadata,
		onError: (error) => log.warn({ cause: describeCause(error) }, "The sites could not be read again"),
	});
	const attribution = await createAttributionDirectory({
		metadata,
		loaders: {
			channelRules: loadChannelRules,
			passthroughRules: loadPassthroughRules,
			referrerMappings: loadReferrerMappings,
		},
		onError: (error) => log.warn({ cause: describeCause(error) }, "The attribution settings could not be read again"),
	});
	const collecting = config.roles.includes("collect")
		? await openCollecting({ ...deps, sites, attribution })
		: undefined;
	const app = await createHttpApp({
		log,
		clock,
		describeGuard,
		trustProxy: config.trustProxy,
		checkResponses: deps.checkResponses ?? false,
		...(collecting === undefined ? {} : { intercept: collecting.intercept }),
	});
	await registerOpenApi(app, apiInfo);
	registerAccess(app, { metadata, clock, secretKey: config.secretKey });
	registerHealth(app, healthDeps({ ...deps, waitingBytes: () => collecting?.collector.waitingBytes }));
	registerTrackerScript(app, { sites, secret: collectKey(config.secretKey), clock, publicUrl: config.publicUrl });
	registerSetup(app, deps);
	await app.register(async (scope) => registerBusinessRoutes(scope as App, deps, { sites, attribution, collecting }), {
		prefix: "/api/v1",
	});
	await registerApiDocs(app);
	await app.ready();
	return {
		app,
		sites,
		collector: collecting?.collector,
		close: async () => {
			await app.close();
			sites.stop();
			attribution.stop();
			await collecting?.close();
		},
	};
}

function registerBusinessRoutes(
	api: App,
	deps: AppDeps,
	{
		sites,
		attribution,
		collecting,
	}: { sites: SiteDirectory; attribution: AttributionDirectory; collecting: Collecting | undefined },
): void {
	const { config, clock, metadata } = deps;
	const { secretKey, cookieSecure, publicUrl, defaultPlan } = config;
	registerAuth(api, { metadata, clock, secretKey, cookieSecure, publicUrl });
	registerUsers(api, deps);
	registerApiTokens(api, deps);
	registerSites(api, {
		metadata,
		clock,
		sites,
		defaultPlan,
		allowLocalhost: config.nodeEnv !== "production",
		publicUrl,
		activity: (siteId) => siteActivity(deps, siteId),
		rejections: (siteId, minutes) => collecting?.collector.rejections.window(siteId, minutes, clock.now()),
	});
	registerChannelGroups(api, { ...deps, attribution });
	registerPassthroughReferrers(api, { ...deps, attribution });
	registerReferrerMappings(api, { ...deps, attribution });
	registerBotStats(api, deps);
	registerClientAddress(api);
	registerSegments(api, deps);
	const segments: SegmentLookup = (siteId, idOrName) => resolveSegment(deps, siteId, idOrName);
	registerStats(api, { ...deps, segments });
	registerAggregateStats(api, { ...deps, segments, sites });
	registerQuery(api, { ...deps, segments });
	registerBatch(api, deps);
}
