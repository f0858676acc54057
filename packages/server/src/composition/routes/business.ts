import { siteActivity } from "../../analytics/query/reports/site-activity.ts";
import { endTokensOf, registerApiTokens } from "../../features/accounts/api-tokens/index.ts";
import { registerAuditLog } from "../../features/accounts/audit-log/index.ts";
import { registerAuth, registerPasswords, registerRegistration } from "../../features/accounts/auth/index.ts";
import { registerBlocklist } from "../../features/accounts/blocklist/index.ts";
import { registerImpersonation } from "../../features/accounts/impersonation/index.ts";
import { endInvitationsOf, registerInvitations } from "../../features/accounts/invitations/index.ts";
import { registerIpAllowlist } from "../../features/accounts/ip-allowlist/index.ts";
import { registerMembers } from "../../features/accounts/members/index.ts";
import { registerOrganizationPlan } from "../../features/accounts/organization-plan/index.ts";
import { membershipsWith, registerOrganizations } from "../../features/accounts/organizations/index.ts";
import { registerProvisioning } from "../../features/accounts/provisioning/index.ts";
import { endSitesOf, registerSites } from "../../features/accounts/sites/index.ts";
import { registerTwoFactor } from "../../features/accounts/two-factor/index.ts";
import { registerUserAdministration } from "../../features/accounts/user-administration/index.ts";
import { registerUsers } from "../../features/accounts/users/index.ts";
import { registerBotStats } from "../../features/collecting/bot-stats/index.ts";
import { registerChannelGroups } from "../../features/collecting/channel-groups/index.ts";
import { awaitCollectors } from "../../features/collecting/collector-progress/index.ts";
import { registerPassthroughReferrers } from "../../features/collecting/passthrough-referrers/index.ts";
import { registerReferrerMappings } from "../../features/collecting/referrer-mappings/index.ts";
import { endGrantsOf, registerOAuth } from "../../features/connecting/oauth/index.ts";
import { registerAlerts } from "../../features/delivering/alerts/index.ts";
import { registerExports } from "../../features/delivering/exports/index.ts";
import { registerMailReports } from "../../features/delivering/mail-reports/index.ts";
import { registerWebhooks } from "../../features/delivering/webhooks/index.ts";
import { registerClientAddress } from "../../features/operating/client-address/index.ts";
import { registerBatch } from "../../features/reporting/batch/index.ts";
import { registerQuery } from "../../features/reporting/query/index.ts";
import { registerSegments, resolveSegment } from "../../features/reporting/segments/index.ts";
import { registerAggregateStats, registerStats, type SegmentLookup } from "../../features/reporting/stats/index.ts";
import type { App } from "../../platform/http/app.ts";
import type { RouteDeps } from "../app-deps.ts";
import type { InMemory } from "../in-memory.ts";

/** Longer than hits take to reach the event store when it can take them. */
const STORED_WITHIN_MS = 15_000;

/** Every route below the version prefix: one register line a slice. */
export function registerBusinessRoutes(
	api: App,
	deps: RouteDeps,
	{ sites, attribution, ipAllowlists, collecting }: InMemory,
): void {
	const { config, clock, metadata } = deps;
	const { secretKey, cookieSecure, publicUrl, defaultPlan } = config;
	registerAuth(api, { metadata, clock, secretKey, cookieSecure, publicUrl });
	registerRegistration(api, { ...deps, ...config, requiresSubscription: config.stripeSecretKey !== undefined });
	registerPasswords(api, { ...deps, ...config, sites, endGrantsOf });
	registerTwoFactor(api, { ...deps, ...config });
	registerImpersonation(api, { ...deps, ...config });
	registerUsers(api, deps);
	registerUserAdministration(api, deps);
	registerApiTokens(api, deps);
	registerAuditLog(api, {
		metadata,
		membershipsOf: (userId) => membershipsWith(metadata, userId, "audit"),
	});
	const endings = [endSitesOf, endTokensOf, endInvitationsOf];
	registerOrganizations(api, { metadata, clock, sites, defaultPlan, endings });
	registerOrganizationPlan(api, { metadata, clock, sites });
	registerMembers(api, deps);
	registerInvitations(api, { ...config, ...deps });
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
	registerIpAllowlist(api, ipAllowlists);
	registerBlocklist(api, { metadata, clock, sites });
	registerProvisioning(api, {
		...config,
		...deps,
		sites,
		provisionKeys: config.provisionKeys ?? [],
		allowLocalhost: config.nodeEnv !== "production",
	});
	registerOAuth(api, {
		...config,
		...deps,
		sites,
		requiresSubscription: config.stripeSecretKey !== undefined,
		allowLocalhost: config.nodeEnv !== "production",
	});
	registerChannelGroups(api, { ...deps, attribution });
	registerPassthroughReferrers(api, { ...deps, attribution });
	registerReferrerMappings(api, { ...deps, attribution });
	registerBotStats(api, deps);
	registerExports(api, { ...config, ...deps, siteAddresses: ipAllowlists.policy });
	registerWebhooks(api, { ...config, ...deps });
	registerClientAddress(api);
	registerSegments(api, deps);
	const segments: SegmentLookup = (siteId, idOrName) => resolveSegment(deps, siteId, idOrName);
	registerStats(api, { ...deps, segments });
	registerAggregateStats(api, { ...deps, segments, sites });
	registerQuery(api, { ...deps, segments });
	registerBatch(api, deps);
	registerMailReports(api, { ...config, ...deps, sites });
	registerAlerts(api, {
		...config,
		...deps,
		sites,
		outbound: deps.guardedFetch,
		refused: (siteId, minutes) => collecting?.collector.rejections.window(siteId, minutes, clock.now()),
		isCaughtUp: async (until) => {
			const ownId = collecting?.progress.id;
			const others = { ...(ownId !== undefined && { ownId }), until, waitMs: STORED_WITHIN_MS };
			return (
				(collecting === undefined || (await collecting.collector.isCaughtUp(STORED_WITHIN_MS))) &&
				(await awaitCollectors(deps, others))
			);
		},
	});
}
