import packageInfo from "../../package.json" with { type: "json" };
import { createRequestLimits, registerAccess } from "../access/index.ts";
import { keepAnswers } from "../analytics/query/engine/kept-answers.ts";
import { dropOldEntries } from "../features/auditing/audit-log/index.ts";
import type { Collector } from "../features/collecting/collect/index.ts";
import { collectorId } from "../features/collecting/collector-progress/index.ts";
import { ScriptRequests } from "../features/collecting/tracker-script/index.ts";
import { forgetOldConversations } from "../features/connecting/assistant/index.ts";
import { dropEndedAccess, endGrantsOf, endLostGrant } from "../features/connecting/oauth/index.ts";
import { createDomainEvents } from "../features/delivering/domain-events/index.ts";
import { startWebhooks } from "../features/delivering/webhooks/index.ts";
import { readDashboard } from "../features/operating/dashboard/index.ts";
import { readHelp } from "../features/operating/help/index.ts";
import { measureRequests, ServiceMetrics } from "../features/operating/metrics/index.ts";
import { joinProcesses } from "../features/operating/processes/index.ts";
import { dropEndedTokens } from "../features/people/api-tokens/index.ts";
import { forgetEndedSessions } from "../features/people/auth/index.ts";
import { dropEndedInvitations } from "../features/tenancy/invitations/index.ts";
import { planOf, purgeOrganizations } from "../features/tenancy/organizations/index.ts";
import { endUnclaimedSites } from "../features/tenancy/provisioning/index.ts";
import { removeUnconfirmedAccounts } from "../features/tenancy/user-removal/index.ts";
import { ConfigError } from "../platform/config/config.ts";
import { mayHavePeers } from "../platform/config/roles.ts";
import { rootUrl } from "../platform/config/root-url.ts";
import { isPublicHttps } from "../platform/config/tls-settings.ts";
import { measureStore } from "../platform/event-store/layers.ts";
import { openFileStore } from "../platform/files/open-file-store.ts";
import type { App } from "../platform/http/app.ts";
import { createHttpApp } from "../platform/http/create-http-app.ts";
import { registerApiDocs, registerOpenApi } from "../platform/http/openapi/register-openapi.ts";
import { openRateCounters } from "../platform/http/rate-limit/open-rate-counters.ts";
import { registerRateLimit } from "../platform/http/rate-limit/request-limiter.ts";
import { requireHttps } from "../platform/http/require-https.ts";
import { traceRequests } from "../platform/http/trace-requests.ts";
import { watchForUntrustedProxy } from "../platform/http/untrusted-proxy.ts";
import { createJobs } from "../platform/jobs/job-runner.ts";
import type { Jobs } from "../platform/jobs/jobs.ts";
import { describeCause } from "../platform/log/describe-cause.ts";
import { createGuardedFetch } from "../platform/outbound/guarded-fetch.ts";
import { createMailer } from "../platform/outbound/mail/mailer.ts";
import { CertificateFault, type Certificates } from "../platform/tls/certificates.ts";
import { apiInfo, describeGuard } from "./api-description.ts";
import { type AppDeps, factsOf, type InMemory, type RouteDeps, type Services } from "./app-deps.ts";
import { openBackups, snapshotDeps } from "./backups.ts";
import { openCollecting } from "./collector.ts";
import { openDirectories } from "./directories.ts";
import { followDeletions } from "./forgetting.ts";
import { createGate, type HeldService, holdService, refusingHits, servedPart } from "./holding.ts";
import { organizationEndings } from "./organization-endings.ts";
import { registerBusinessRoutes, registerRootRoutes } from "./routes.ts";
import { keepStandby } from "./standby.ts";
import { openTracing, traceWith } from "./tracing.ts";

type UpkeepDeps = AppDeps & Pick<InMemory, "sites" | "ipAllowlists">;

/** Maintenance jobs (UTC): name, times, work. */
const upkeep: readonly (readonly [name: string, cron: string, work: (deps: UpkeepDeps) => Promise<unknown>])[] = [
	["audit-log-retention", "23 3 * * *", dropOldEntries],
	["ip-allowlist-retention", "41 3 * * *", ({ ipAllowlists }) => ipAllowlists.dropOldAttempts()],
	["unclaimed-sites", "47 3 * * *", endUnclaimedSites],
	[
		"unconfirmed-accounts",
		"59 3 * * *",
		(deps) => removeUnconfirmedAccounts({ ...deps, endings: organizationEndings, endGrantsOf }),
	],
	["assistant-retention", "29 3 * * *", forgetOldConversations],
	["oauth-retention", "7 * * * *", dropEndedAccess],
	[
		"credential-retention",
		"13 5 * * *",
		async ({ metadata, clock }) => {
			await dropEndedTokens({ metadata, clock });
			await dropEndedInvitations({ metadata, clock });
		},
	],
	["organization-purge", "31 4 * * *", purgeOrganizations],
	["session-retention", "53 3 * * *", ({ metadata, clock }) => forgetEndedSessions(metadata, "everybody", clock.now())],
];

function scheduleUpkeep(jobs: Jobs, deps: UpkeepDeps): void {
	for (const [name, cron, work] of upkeep) {
		jobs.schedule(name, cron, async () => {
			await work(deps);
		});
	}
}

interface CatchingUpDeps extends Pick<RouteDeps, "sites" | "attribution" | "ipAllowlists" | "log" | "collecting"> {
	/** Looks for days that are to be forgotten; undefined in a single process. */
	readonly lookForDeletions: (() => Promise<void>) | undefined;
}

/** Does at once what processes do every few seconds for each other: reads changed settings, and reports counts and progress. */
async function catchUp(deps: CatchingUpDeps): Promise<void> {
	const { sites, attribution, ipAllowlists, collecting, lookForDeletions, log } = deps;
	const done = await Promise.allSettled([
		sites.refresh(),
		attribution.refresh(),
		ipAllowlists.allowlists.refresh(),
		collecting?.counts?.write(),
		collecting?.collector.exchangeUsage(),
		collecting?.progress.report(),
		lookForDeletions?.(),
	]);
	for (const part of done) {
		if (part.status === "rejected")
			log.warn({ cause: describeCause(part.reason) }, "A process has an older state than the others");
	}
}

type LimitingDeps = Pick<RouteDeps, "config" | "clock" | "log" | "metadata">;

/** Opens the counters and puts the limits' headers on every answer, before any route is registered; no limits where the operator switched them off. */
async function openLimiting(app: App, { config, clock, log, metadata }: LimitingDeps) {
	const { rateLimitEnabled, redisUrl, secretKey, defaultPlan } = config;
	if (!rateLimitEnabled) return { limits: undefined, close: () => undefined };
	const counters = await openRateCounters({ metadata, redisUrl, secretKey, log });
	const limiter = registerRateLimit(app, { counters, clock, secretKey });
	const requestsPerMinute = (plan: typeof defaultPlan) => planOf(plan).requestsPerMinute;
	return { limits: createRequestLimits({ limiter, requestsPerMinute, defaultPlan }), close: counters.close };
}

/** Time that a shutdown waits for running jobs; an unfinished job is repeated. */
const JOBS_DRAIN_MS = 2000;

/** The service, not yet listening. */
export interface Service extends Pick<RouteDeps, "sites" | "jobs" | "mailer" | "events" | "certificates"> {
	readonly app: App;
	/** Undefined when this process does not collect. */
	readonly collector: Collector | undefined;
	/** Has it change nothing in its stores for a while; hits are taken meanwhile. */
	hold(): HeldService;
	/** Exchanges news with other processes now, rather than within some seconds: for tests. */
	catchUp(): Promise<void>;
	/** Accepts no more, answers what is there, and resolves when every accepted hit is safe. The stores stay open. */
	close(): Promise<void>;
}

/** Composes the service. When that fails, all that it opened is closed again; the stores stay open. */
export async function buildApp(deps: AppDeps): Promise<Service> {
	const opened = new AsyncDisposableStack();
	try {
		return await compose(deps, opened);
	} catch (error) {
		await opened.disposeAsync().catch((failure: unknown) => {
			deps.log.error({ cause: describeCause(failure) }, "Resources could not be closed");
		});
		throw error;
	}
}

/** Opened resources are added to `opened`, which closes them in reverse order. */
async function compose(given: AppDeps, opened: AsyncDisposableStack): Promise<Service> {
	const metrics = new ServiceMetrics();
	const tracing = await openTracing(given);
	opened.defer(async () => tracing?.close());
	const { trace, eventStore } = traceWith(tracing, measureStore(given.eventStore, given.clock, metrics.storeWorked));
	const deps = { ...given, trace, eventStore };
	const { config, clock, log, metadata } = deps;
	if (config.databaseUrl !== undefined) {
		const directoryId = await collectorId(config.dataDir);
		opened.defer(await joinProcesses({ ...deps, directoryId, tables: [deps.accountTables, deps.eventTables] }));
	}
	const jobs = createJobs({ ...deps, drainMs: JOBS_DRAIN_MS });
	const { dataDir, smtpUrl, mailFrom, secretKey, secretKeyPrevious } = config;
	const mailer = createMailer({ dataDir, smtpUrl, mailFrom, secretKey, secretKeyPrevious, jobs, clock, log });
	const events = createDomainEvents({ jobs, clock });
	const openFetch = deps.openFetch ?? createGuardedFetch;
	const guardedFetch = openFetch({ clock, allowPrivate: config.webhookAllowPrivate });
	opened.defer(() => guardedFetch.close());
	const operatorFetch = createGuardedFetch({ clock, allowPrivate: true, allowPlain: true });
	opened.defer(() => operatorFetch.close());
	const certificates = await openCertificates({ config, clock, log, operatorFetch });
	opened.defer(async () => certificates?.close());
	startWebhooks({ metadata, clock, jobs, mailer, guardedFetch, events, secretKey, secretKeyPrevious });
	const directories = await openDirectories({ ...deps, metadata: deps.settings }, opened);
	scheduleUpkeep(jobs, { ...deps, ...directories });
	const scriptRequests = new ScriptRequests();
	const collecting = config.roles.includes("collect")
		? await openCollecting({ ...deps, ...directories, scriptRequests })
		: undefined;
	opened.defer(async () => collecting?.close());
	if (collecting !== undefined && config.databaseUrl !== undefined) {
		const standby = keepStandby({ config, metadata: deps.settings, clock, log });
		opened.defer(standby.close);
	}
	const following =
		collecting !== undefined && mayHavePeers(config)
			? followDeletions({ metadata, clock, log, jobs, collecting })
			: undefined;
	opened.defer(async () => following?.close());
	const gate = createGate();
	const takeHits = collecting?.intercept ?? refusingHits;
	openBackups({ config, metadata, jobs, mailer, log }, snapshotDeps(deps));
	const app = await createHttpApp({
		log,
		clock,
		store: deps.accountTables,
		describeGuard,
		trustProxy: config.trustProxy,
		isPublicHttps: isPublicHttps(config),
		certificates,
		refusePlain:
			isPublicHttps(config) && config.requireHttps
				? requireHttps({ publicUrl: rootUrl(config), trustProxy: config.trustProxy })
				: undefined,
		checkResponses: deps.checkResponses ?? false,
		watch: watchForUntrustedProxy({ trustProxy: config.trustProxy, log }),
		intercept: (request, response) => takeHits(request, response) || gate.intercept(request, response),
		served: servedPart(config),
	});
	measureRequests(app, metrics);
	if (tracing !== undefined) traceRequests(app, trace);
	await registerOpenApi(app, apiInfo);
	const limiting = await openLimiting(app, deps);
	opened.defer(limiting.close);
	opened.defer(async () => void (await Promise.all([app.close(), jobs.close()])));
	registerAccess(app, {
		metadata,
		clock,
		secretKey,
		secretKeyPrevious,
		siteAddresses: directories.ipAllowlists.policy,
		endLostGrant: (grantId) => endLostGrant(deps, grantId),
		limits: limiting.limits,
	});
	const isServing = config.roles.includes("api");
	const dashboard = isServing ? readDashboard(deps.dashboardDir) : undefined;
	const help = isServing ? readHelp(deps.helpDir) : undefined;
	const inMemory: InMemory = { ...directories, dashboard, help, scriptRequests, collecting, metrics, certificates };
	const services: Services = {
		jobs,
		mailer,
		events,
		guardedFetch,
		operatorFetch,
		files: openFileStore({ ...config, clock }, "exports"),
		importFiles: openFileStore({ ...config, clock }, "imports"),
		rootUrl: rootUrl(config),
		eventStore: keepAnswers(deps.eventStore, {
			revisions: deps.revisions,
			maxBytes: config.reportCacheBytes,
			onAnswer: metrics.answered,
		}),
		storedEvents: deps.eventStore,
	};
	const routeDeps: RouteDeps = { ...deps, ...services, ...inMemory, ...factsOf(deps, inMemory) };
	await app.register(async (scope) => registerBusinessRoutes(scope as App, routeDeps), { prefix: "/api/v1" });
	// The tools of MCP are made of routes that are there.
	registerRootRoutes(app, routeDeps);
	await registerApiDocs(app, packageInfo.version);
	await app.ready();
	return {
		app,
		sites: directories.sites,
		collector: collecting?.collector,
		jobs,
		mailer,
		events,
		certificates,
		hold: () => holdService({ gate, jobs, collecting }),
		catchUp: () => catchUp({ ...directories, collecting, log, lookForDeletions: following?.look }),
		close: () => opened.disposeAsync(),
	};
}

type CertificateDeps = Pick<RouteDeps, "config" | "clock" | "log" | "operatorFetch">;

/** The certificates of this process; undefined where TLS belongs to a proxy. Throws `ConfigError` when they cannot be used. */
async function openCertificates(deps: CertificateDeps): Promise<Certificates | undefined> {
	const { config, clock, log, operatorFetch: fetch } = deps;
	const { tlsCert: certFile, tlsKey: keyFile, tlsAcmeDomains: domains } = config;
	if (certFile !== undefined && keyFile !== undefined) {
		const { openFileCertificates } = await import("../platform/tls/file-certificates.ts");
		return namingSetting(() => openFileCertificates({ certFile, keyFile }, { clock, log }));
	}
	if (domains === undefined) return undefined;
	const { openAcmeCertificates } = await import("../platform/tls/acme/acme-certificates.ts");
	const { dataDir, tlsAcmeEmail: email, tlsAcmeDirectory: directoryUrl } = config;
	return openAcmeCertificates({ dataDir, domains, email, directoryUrl, clock, log, fetch });
}

function namingSetting<Result>(open: () => Result): Result {
	try {
		return open();
	} catch (error) {
		if (!(error instanceof CertificateFault)) throw error;
		throw new ConfigError(`${error.part === "cert" ? "TLS_CERT" : "TLS_KEY"} ${error.message}`);
	}
}
