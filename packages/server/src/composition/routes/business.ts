import { firstDays, siteActivity } from "../../analytics/query/reports/site-days.ts";
import { registerAuditLog } from "../../features/auditing/audit-log/index.ts";
import { registerBotStats } from "../../features/collecting/bot-stats/index.ts";
import { registerChannelGroups } from "../../features/collecting/channel-groups/index.ts";
import { awaitCollectors } from "../../features/collecting/collector-progress/index.ts";
import { registerEarlierConversions } from "../../features/collecting/earlier-conversions/index.ts";
import { registerImports } from "../../features/collecting/imports/index.ts";
import { registerMigration } from "../../features/collecting/migration/index.ts";
import { registerPassthroughReferrers } from "../../features/collecting/passthrough-referrers/index.ts";
import { registerReferrerMappings } from "../../features/collecting/referrer-mappings/index.ts";
import { registerAssistant } from "../../features/connecting/assistant/index.ts";
import { registerOAuth } from "../../features/connecting/oauth/index.ts";
import { registerAlerts } from "../../features/delivering/alerts/index.ts";
import { registerBigQuery } from "../../features/delivering/bigquery/index.ts";
import { registerExports } from "../../features/delivering/exports/index.ts";
import { registerLens } from "../../features/delivering/lens/index.ts";
import { registerMailReports } from "../../features/delivering/mail-reports/index.ts";
import { registerWebhooks } from "../../features/delivering/webhooks/index.ts";
import { selectLastRun } from "../../features/operating/backup/index.ts";
import { registerClientAddress } from "../../features/operating/client-address/index.ts";
import { registerJobQueue } from "../../features/operating/job-queue/index.ts";
import { registerServiceConfig } from "../../features/operating/service-config/index.ts";
import { registerSystem } from "../../features/operating/system/index.ts";
import { registerApiTokens } from "../../features/people/api-tokens/index.ts";
import {
	registerAddressChange,
	registerAuth,
	registerPasswords,
	registerRegistration,
} from "../../features/people/auth/index.ts";
import { registerImpersonation } from "../../features/people/impersonation/index.ts";
import { registerPreferences } from "../../features/people/preferences/index.ts";
import { registerTwoFactor } from "../../features/people/two-factor/index.ts";
import { registerUsers } from "../../features/people/users/index.ts";
import { registerAnnotations } from "../../features/reporting/annotations/index.ts";
import { registerBatch } from "../../features/reporting/batch/index.ts";
import { registerLive } from "../../features/reporting/live/index.ts";
import { registerQuery } from "../../features/reporting/query/index.ts";
import { registerSavedViews } from "../../features/reporting/saved-views/index.ts";
import { registerSegments, resolveSegment } from "../../features/reporting/segments/index.ts";
import { registerAggregateStats, registerStats, type SegmentLookup } from "../../features/reporting/stats/index.ts";
import { registerBilling, stripePayments } from "../../features/tenancy/billing/index.ts";
import { registerBlocklist } from "../../features/tenancy/blocklist/index.ts";
import { registerDataKeeping } from "../../features/tenancy/data-keeping/index.ts";
import { registerInvitations } from "../../features/tenancy/invitations/index.ts";
import { registerIpAllowlist } from "../../features/tenancy/ip-allowlist/index.ts";
import { registerMembers } from "../../features/tenancy/members/index.ts";
import { registerOrganizationPlan } from "../../features/tenancy/organization-plan/index.ts";
import { membershipsOf, planAllows, registerOrganizations } from "../../features/tenancy/organizations/index.ts";
import { registerProvisioning } from "../../features/tenancy/provisioning/index.ts";
import { registerShareLinks } from "../../features/tenancy/share-links/index.ts";
import { registerSites } from "../../features/tenancy/sites/index.ts";
import { registerUserAdministration } from "../../features/tenancy/user-administration/index.ts";
import { registerAccountClosing } from "../../features/tenancy/user-removal/index.ts";
import type { App } from "../../platform/http/app.ts";
import { compressAnswers } from "../../platform/http/compress-answers.ts";
import { MINUTE_MS } from "../../platform/lib/durations.ts";
import type { RouteDeps } from "../app-deps.ts";
import { dataEndings, forgetAtCollectors } from "../forgetting.ts";
import { healthDeps } from "../health.ts";
import { importDeps } from "../import-deps.ts";
import { placeBadQuestions } from "./place-bad-questions.ts";
import { modelOf, serviceConfig } from "./service-config.ts";
import { tellEngineTime } from "./tell-engine-time.ts";

/** Longer than hits take to reach the event store when it can take them. */
const STORED_WITHIN_MS = 15_000;

/** Paths of large answers, in which no secret stands. */
const LARGE = ["/stats/", "/batch", "/bot-stats/", "/openapi.json"];

/** Every route below the version prefix. Each slice sees of `deps` what its own type names; the order is that of the API description. */
export function registerBusinessRoutes(api: App, deps: RouteDeps): void {
	placeBadQuestions(api);
	tellEngineTime(api);
	compressAnswers(api, LARGE);
	registerPeople(api, deps);
	registerTenancy(api, deps);
	registerKeepingAndBilling(api, deps);
	// How users let apps of others in, and end that.
	registerOAuth(api, deps);
	registerChannelGroups(api, deps);
	registerPassthroughReferrers(api, deps);
	registerReferrerMappings(api, deps);
	registerBotStats(api, deps);
	registerImports(api, importDeps(deps));
	registerEarlierConversions(api, {
		...deps,
		eventStore: deps.storedEvents,
		sessionTimeoutMs: deps.config.sessionTimeoutMinutes * MINUTE_MS,
		isCaughtUp: (until) => isCaughtUp(deps, until),
	});
	registerMigration(api, { ...deps, imports: importDeps(deps) });
	registerExports(api, { ...deps, maxBytes: deps.config.exportMaxBytes });
	registerBigQuery(api, { ...deps, eventStore: deps.storedEvents });
	registerWebhooks(api, deps);
	registerOperating(api, deps);
	registerReporting(api, deps);
	registerNotices(api, deps);
	// Its tools are made of routes that are there.
	registerAssistant(api, { ...deps, llm: modelOf(deps.config) });
}

function registerPeople(api: App, deps: RouteDeps): void {
	registerAuth(api, deps);
	registerRegistration(api, deps);
	registerPasswords(api, deps);
	registerAddressChange(api, deps);
	registerTwoFactor(api, deps);
	registerImpersonation(api, deps);
	registerUsers(api, deps);
	registerPreferences(api, deps);
	registerApiTokens(api, deps);
	registerAuditLog(api, {
		...deps,
		membershipsOf: async (userId) => {
			const memberships = await membershipsOf(deps.metadata, userId);
			return memberships.map(({ id, role, plan_tier }) => ({ id, role, hasFeature: planAllows(plan_tier, "audit") }));
		},
	});
}

function registerTenancy(api: App, deps: RouteDeps): void {
	registerUserAdministration(api, deps);
	registerAccountClosing(api, deps);
	registerOrganizations(api, deps);
	registerOrganizationPlan(api, deps);
	registerMembers(api, deps);
	registerInvitations(api, deps);
	const activity = (siteId: string) => siteActivity(deps, siteId);
	registerSites(api, {
		...deps,
		activity,
		firstDays: (sites, signal) => firstDays(deps, sites, signal),
		scriptRequests: deps.scriptCounts,
	});
	registerIpAllowlist(api, deps.ipAllowlists);
	registerBlocklist(api, deps);
	registerShareLinks(api, deps);
	const { provisioningEnabled, provisionKeys = [] } = deps.config;
	registerProvisioning(api, { ...deps, provisioningEnabled, provisionKeys });
}

/** How long data are kept and how they are deleted wherever they lie; usage and payment. */
function registerKeepingAndBilling(api: App, deps: RouteDeps): void {
	const { config, clock, storedEvents } = deps;
	registerDataKeeping(api, {
		...deps,
		eventStore: storedEvents,
		cluster: config.clickhouseCluster,
		collectors: forgetAtCollectors(deps),
		endings: dataEndings(deps),
	});
	const { stripeSecretKey: secretKey, stripeWebhookSecret: webhookSecret, stripeApiUrl: apiUrl } = config;
	registerBilling(api, {
		...deps,
		eventStore: storedEvents,
		payments: secretKey === undefined ? undefined : stripePayments({ clock, secretKey, webhookSecret, apiUrl }),
		takesEvents: webhookSecret !== undefined,
	});
}

function registerOperating(api: App, deps: RouteDeps): void {
	registerClientAddress(api);
	registerServiceConfig(api, { ...deps, config: serviceConfig(deps.config) });
	registerSystem(api, {
		...deps,
		health: healthDeps(deps),
		spool: () => deps.collecting?.collector.spoolState,
		lastBackup: (status) => selectLastRun(deps.metadata, status),
	});
	registerJobQueue(api, deps);
}

/** Reports, alone and in batches, with what people write beside them and keep of them. */
function registerReporting(api: App, deps: RouteDeps): void {
	registerSegments(api, deps);
	registerAnnotations(api, deps);
	registerSavedViews(api, deps);
	const segments: SegmentLookup = (siteId, idOrName) => resolveSegment(deps, siteId, idOrName);
	const asking = { ...deps, segments };
	registerStats(api, asking);
	registerLive(api, { ...asking, eventStore: deps.storedEvents, whenStored: deps.collecting?.whenStored });
	registerAggregateStats(api, asking);
	registerQuery(api, asking);
	registerBatch(api, deps);
}

function registerNotices(api: App, deps: RouteDeps): void {
	registerMailReports(api, deps);
	const watching = { ...deps, refused: deps.rejections, isCaughtUp: (until: number) => isCaughtUp(deps, until) };
	registerAlerts(api, { ...watching, outbound: deps.guardedFetch });
	registerLens(api, watching);
}

/** True once every hit that any collector accepted before a moment is in the event store. */
async function isCaughtUp({ metadata, clock, collecting }: RouteDeps, until: number): Promise<boolean> {
	const ownId = collecting?.progress.id;
	const others = { ...(ownId !== undefined && { ownId }), until, waitMs: STORED_WITHIN_MS };
	return (
		(collecting === undefined || (await collecting.collector.isCaughtUp(STORED_WITHIN_MS))) &&
		(await awaitCollectors({ metadata, clock }, others))
	);
}
