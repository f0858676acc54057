import type { FastifyRequest } from "fastify";
import { sql } from "kysely";
import packageInfo from "../../package.json" with { type: "json" };
import { type EngineWork, notingWork } from "../analytics/query/engine/engine-work.ts";
import { placedFault } from "../analytics/query/question/bad-question.ts";
import { firstDays, siteActivity } from "../analytics/query/reports/site-days.ts";
import { registerAuditLog } from "../features/auditing/audit-log/index.ts";
import { registerBotStats } from "../features/collecting/bot-stats/index.ts";
import { registerChannelGroups } from "../features/collecting/channel-groups/index.ts";
import { awaitCollectors } from "../features/collecting/collector-progress/index.ts";
import { registerEarlierConversions } from "../features/collecting/earlier-conversions/index.ts";
import { registerImports } from "../features/collecting/imports/index.ts";
import { registerMigration } from "../features/collecting/migration/index.ts";
import { registerReferrerRules } from "../features/collecting/referrer-rules/index.ts";
import { registerTrackerScript } from "../features/collecting/tracker-script/index.ts";
import { type ModelSettings, registerAssistant } from "../features/connecting/assistant/index.ts";
import { registerConsentPages } from "../features/connecting/consent-pages/index.ts";
import { registerMcp } from "../features/connecting/mcp/index.ts";
import { registerDiscovery, registerOAuth } from "../features/connecting/oauth/index.ts";
import { registerAlerts } from "../features/delivering/alerts/index.ts";
import { registerBigQuery } from "../features/delivering/bigquery/index.ts";
import { registerExports } from "../features/delivering/exports/index.ts";
import { registerLens } from "../features/delivering/lens/index.ts";
import { registerMailRecipients } from "../features/delivering/mail-recipients/index.ts";
import { registerMailReports, registerUnsubscribe } from "../features/delivering/mail-reports/index.ts";
import { countDeliveries, registerWebhooks } from "../features/delivering/webhooks/index.ts";
import { selectLastRun } from "../features/operating/backup/index.ts";
import { registerClientAddress } from "../features/operating/client-address/index.ts";
import { registerDashboard } from "../features/operating/dashboard/index.ts";
import { frontPage, registerFrontPage } from "../features/operating/front-page/index.ts";
import { registerHealth } from "../features/operating/health/index.ts";
import { registerHelp } from "../features/operating/help/index.ts";
import { registerJobQueue } from "../features/operating/job-queue/index.ts";
import { type MetricsDeps, registerMetrics } from "../features/operating/metrics/index.ts";
import { registerServiceConfig, type ServiceConfig } from "../features/operating/service-config/index.ts";
import { registerSystem } from "../features/operating/system/index.ts";
import { registerApiTokens } from "../features/people/api-tokens/index.ts";
import { registerAuth, registerSetup } from "../features/people/auth/index.ts";
import { registerImpersonation } from "../features/people/impersonation/index.ts";
import { registerPreferences } from "../features/people/preferences/index.ts";
import { registerTwoFactor } from "../features/people/two-factor/index.ts";
import { registerUsers } from "../features/people/users/index.ts";
import { registerAnnotations } from "../features/reporting/annotations/index.ts";
import { registerBatch } from "../features/reporting/batch/index.ts";
import { registerLive } from "../features/reporting/live/index.ts";
import { registerQuery } from "../features/reporting/query/index.ts";
import { registerSavedViews } from "../features/reporting/saved-views/index.ts";
import { registerSegments, resolveSegment } from "../features/reporting/segments/index.ts";
import { registerAggregateStats, registerStats, type SegmentLookup } from "../features/reporting/stats/index.ts";
import { registerBilling, stripePayments } from "../features/tenancy/billing/index.ts";
import { registerBlocklist } from "../features/tenancy/blocklist/index.ts";
import { registerDataKeeping } from "../features/tenancy/data-keeping/index.ts";
import { registerInvitations } from "../features/tenancy/invitations/index.ts";
import { registerIpAllowlist } from "../features/tenancy/ip-allowlist/index.ts";
import { registerLinkPages } from "../features/tenancy/link-pages/index.ts";
import { registerMembers } from "../features/tenancy/members/index.ts";
import { registerOrganizationPlan } from "../features/tenancy/organization-plan/index.ts";
import { membershipsOf, planAllows, registerOrganizations } from "../features/tenancy/organizations/index.ts";
import { registerProvisioning } from "../features/tenancy/provisioning/index.ts";
import { lookAtLink, registerShareLinks } from "../features/tenancy/share-links/index.ts";
import { registerSites } from "../features/tenancy/sites/index.ts";
import { registerUserAdministration } from "../features/tenancy/user-administration/index.ts";
import { registerAccountClosing } from "../features/tenancy/user-removal/index.ts";
import type { ReadyConfig } from "../platform/config/secret-key.ts";
import { diskRoom } from "../platform/files/disk-room.ts";
import type { App } from "../platform/http/app.ts";
import { compressAnswers } from "../platform/http/compress-answers.ts";
import { sendError } from "../platform/http/error-handler.ts";
import { languages } from "../platform/http/pages/languages.ts";
import { countJobs, oldestDueJob } from "../platform/jobs/job-overview.ts";
import { MINUTE_MS } from "../platform/lib/durations.ts";
import { residentBytes } from "../platform/lib/memory.ts";
import type { RouteDeps } from "./app-deps.ts";
import { collectKey } from "./collector.ts";
import { dataEndings, forgetAtCollectors } from "./forgetting.ts";
import { healthDeps } from "./health.ts";
import { importDeps } from "./import-deps.ts";

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
	registerReferrerRules(api, deps);
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

/** Makes a 422 of a fault that only the engine finds in a question, such as in an expression. Before the routes of the scope are registered. */
export function placeBadQuestions(scope: App): void {
	scope.setErrorHandler((error, request, reply) =>
		sendError(placedFault(request.method === "GET" ? "query" : "body", error), request, reply),
	);
}

/** Makes each answer of the scope for which the engine was asked tell how long it worked (`Server-Timing`). */
export function tellEngineTime(scope: App): void {
	const works = new WeakMap<FastifyRequest, EngineWork>();
	scope.addHook("preHandler", (request, _reply, done) => {
		const { explain } = request.query as { readonly explain?: unknown };
		notingWork(explain === true, (work) => {
			works.set(request, work);
			done();
		});
	});
	scope.addHook("onSend", (request, reply, _payload, done) => {
		const work = works.get(request);
		if (work !== undefined && work.statements > 0) reply.header("server-timing", `engine;dur=${work.ms.toFixed(1)}`);
		done();
	});
}

/** Every route at the root of the host. Each slice sees of `deps` what its own type names. */
export function registerRootRoutes(app: App, deps: RouteDeps): void {
	const { config, dashboard, help, isWithoutAccount } = deps;
	const hasDashboard = dashboard !== undefined;
	const hasHelp = help !== undefined;
	registerHealth(app, healthDeps(deps));
	deps.metrics.read(metricsOf(deps));
	registerMetrics(app, { ...deps, environment: config.nodeEnv, metricsToken: config.metricsToken });
	registerFrontPage(app, { isWithoutAccount, hasDashboard, hasHelp });
	if (dashboard !== undefined) {
		registerDashboard(app, {
			dashboard,
			config: async () => ({
				...serviceConfig(config),
				setup_required: await isWithoutAccount().catch(() => false),
			}),
			setupPage: frontPage({ isWithoutAccount: true, hasDashboard, hasHelp }),
			sharedLink: (token) => lookAtLink(deps, token),
		});
	}
	if (help !== undefined) registerHelp(app, { help });
	registerTrackerScript(app, { ...deps, secret: collectKey(deps.secretKey), requests: deps.scriptRequests });
	registerSetup(app, { ...deps, hasDashboard });
	registerLinkPages(app, { ...deps, hasDashboard });
	registerMailRecipients(app, deps);
	registerUnsubscribe(app, deps);
	registerDiscovery(app, deps);
	registerConsentPages(app, deps);
	registerMcp(app, { ...deps, version: packageInfo.version });
}

function metricsOf({ config, clock, metadata, collecting, storeProcess, certificates }: RouteDeps): MetricsDeps {
	return {
		version: packageInfo.version,
		roles: config.roles,
		hits: () => collecting?.collector.outcomes,
		spool: () => collecting?.collector.spoolState,
		storeBytes: async () => {
			const pid = storeProcess();
			return pid === undefined ? undefined : residentBytes(pid);
		},
		diskFreeBytes: async () => (await diskRoom(config.dataDir)).freeBytes,
		certificate: () => certificates && { endsAt: certificates.current()?.endsAt, failures: certificates.failures() },
		accountsAnswer: async () => {
			await sql`select 1`.execute(metadata);
		},
		sessionsAway: () => collecting?.sharedSessions.isAway(),
		clockMs: () => clock.now(),
		jobs: () => countJobs(metadata),
		jobDueSeconds: async () => {
			const now = clock.now();
			return Math.max(0, now - ((await oldestDueJob(metadata, now)) ?? now)) / 1000;
		},
		backups: async () => {
			const [last, done] = [await selectLastRun(metadata), await selectLastRun(metadata, "done")];
			return last && { isFailed: last.status === "failed", doneAtMs: done?.ended_at, bytes: done?.bytes ?? undefined };
		},
		deliveries: () => countDeliveries(metadata),
	};
}

/** The model that the operator has set up for the assistant; undefined when there is none. */
function modelOf(config: ReadyConfig): ModelSettings | undefined {
	const { llmBaseUrl: baseUrl, llmModel: model, llmApiKey: apiKey, llmTimeoutSeconds: timeoutSeconds } = config;
	return baseUrl === undefined || model === undefined ? undefined : { baseUrl, model, apiKey, timeoutSeconds };
}

/** Public part of the settings. */
const serviceConfig = (config: ReadyConfig): ServiceConfig => ({
	version: packageInfo.version,
	registration: config.registration,
	mail: config.smtpUrl === undefined ? "outbox" : "smtp",
	payments: config.stripeSecretKey === undefined ? "none" : "stripe",
	features: [
		...(config.provisioningEnabled ? (["provisioning"] as const) : []),
		...(modelOf(config) === undefined ? [] : (["assistant"] as const)),
		"billing",
		"imports",
		"bigquery",
		"lens",
		...(config.legacyApiUrl === undefined ? [] : (["migration"] as const)),
	],
	languages: [...languages],
	limits: {
		session_timeout_minutes: config.sessionTimeoutMinutes,
		max_amount: config.maxAmount,
		max_import_bytes: config.maxImportBytes,
	},
});
