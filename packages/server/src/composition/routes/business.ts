import { registerAuditLog } from "../../features/auditing/audit-log/index.ts";
import { registerBotStats } from "../../features/collecting/bot-stats/index.ts";
import { registerChannelGroups } from "../../features/collecting/channel-groups/index.ts";
import { awaitCollectors } from "../../features/collecting/collector-progress/index.ts";
import { registerImports } from "../../features/collecting/imports/index.ts";
import { registerMigration } from "../../features/collecting/migration/index.ts";
import { registerPassthroughReferrers } from "../../features/collecting/passthrough-referrers/index.ts";
import { registerReferrerMappings } from "../../features/collecting/referrer-mappings/index.ts";
import { registerAssistant } from "../../features/connecting/assistant/index.ts";
import { endGrantsOf, registerOAuth } from "../../features/connecting/oauth/index.ts";
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
import { registerBilling, stripePayments } from "../../features/tenancy/billing/index.ts";
import { registerDataKeeping } from "../../features/tenancy/data-keeping/index.ts";
import { membershipsWith } from "../../features/tenancy/organizations/index.ts";
import { wakeSite } from "../../features/tenancy/provisioning/index.ts";
import type { App } from "../../platform/http/app.ts";
import { compressAnswers } from "../../platform/http/compress-answers.ts";
import type { RouteDeps } from "../app-deps.ts";
import { dataEndings, forgetAtCollectors } from "../forgetting.ts";
import { importDeps } from "../import-deps.ts";
import { authOf } from "./auth-of.ts";
import { healthOf } from "./health-of.ts";
import { modelOf } from "./model-of.ts";
import { placeBadQuestions } from "./place-bad-questions.ts";
import { registerReporting } from "./reports.ts";
import { serviceConfig } from "./service-config.ts";
import { tellEngineTime } from "./tell-engine-time.ts";
import { registerTenancy } from "./tenancy.ts";

/** Longer than hits take to reach the event store when it can take them. */
const STORED_WITHIN_MS = 15_000;

/** Files, and calls to servers that users name. */
function registerOutgoing(api: App, deps: RouteDeps): void {
	const { config, metadata, eventStore, clock, log, jobs, mailer, files, events, rootUrl, guardedFetch } = deps;
	const { secretKey, secretKeyPrevious } = config;
	registerExports(api, {
		metadata,
		eventStore,
		clock,
		log,
		jobs,
		files,
		maxBytes: config.exportMaxBytes,
		events,
		secretKey,
		secretKeyPrevious,
		rootUrl,
		siteAddresses: deps.ipAllowlists.policy,
	});
	registerBigQuery(api, {
		metadata,
		eventStore: deps.storedEvents,
		clock,
		log,
		jobs,
		bigqueryUrl: config.bigqueryUrl,
		secretKey,
		secretKeyPrevious,
	});
	registerWebhooks(api, { metadata, clock, jobs, mailer, guardedFetch, secretKey, secretKeyPrevious });
}

/** Routes of mailed notices. */
function registerNotices(api: App, deps: RouteDeps): void {
	const { config, metadata, eventStore, clock, log, jobs, mailer, sites, rootUrl } = deps;
	const { secretKey, secretKeyPrevious } = config;
	const mailing = { metadata, eventStore, clock, log, jobs, mailer, sites, rootUrl, secretKey, secretKeyPrevious };
	registerMailReports(api, mailing);
	const watching = {
		...mailing,
		refused: deps.rejections,
		isCaughtUp: (until: number) => isCaughtUp(deps, until),
	};
	registerAlerts(api, { ...watching, events: deps.events, outbound: deps.guardedFetch });
	registerLens(api, watching);
}

/** True once every hit that any collector accepted before a moment is in the event store. */
async function isCaughtUp(
	{ metadata, clock, collecting }: Pick<RouteDeps, "metadata" | "clock" | "collecting">,
	until: number,
): Promise<boolean> {
	const ownId = collecting?.progress.id;
	const others = { ...(ownId !== undefined && { ownId }), until, waitMs: STORED_WITHIN_MS };
	return (
		(collecting === undefined || (await collecting.collector.isCaughtUp(STORED_WITHIN_MS))) &&
		(await awaitCollectors({ metadata, clock }, others))
	);
}

/** Dependencies of users. */
type PeopleDeps = Pick<
	RouteDeps,
	"config" | "metadata" | "clock" | "sites" | "mailer" | "rootUrl" | "requiresSubscription"
>;

/** Routes of users: signing up and in, credentials, activity. */
function registerPeople(api: App, deps: PeopleDeps): void {
	const { config, metadata, clock, sites, mailer, rootUrl, requiresSubscription } = deps;
	const { secretKeyPrevious, registration } = config;
	const auth = authOf(deps);
	registerAuth(api, auth);
	registerRegistration(api, { ...auth, mailer, rootUrl, registration, requiresSubscription, endGrantsOf });
	registerPasswords(api, { ...auth, mailer, rootUrl, sites, endGrantsOf, wakeSiteOf: wakeSite });
	registerAddressChange(api, { ...auth, mailer, rootUrl });
	registerTwoFactor(api, { ...auth, mailer, secretKeyPrevious });
	registerImpersonation(api, auth);
	registerUsers(api, { metadata, clock });
	registerPreferences(api, { metadata, clock });
	registerApiTokens(api, { metadata, clock });
	registerAuditLog(api, {
		metadata,
		membershipsOf: (userId) => membershipsWith(metadata, userId, "audit"),
	});
}

/** Dependencies of the access of apps. */
type AppAccessDeps = Pick<
	RouteDeps,
	"config" | "metadata" | "clock" | "sites" | "mailer" | "rootUrl" | "guardedFetch" | "requiresSubscription"
>;

/** Apps of others: how users let them in and end that. */
function registerAppAccess(api: App, deps: AppAccessDeps): void {
	const { config, mailer, rootUrl, guardedFetch, sites, requiresSubscription } = deps;
	const { registration, defaultPlan } = config;
	registerOAuth(api, {
		...authOf(deps),
		mailer,
		rootUrl,
		registration,
		guardedFetch,
		sites,
		defaultPlan,
		requiresSubscription,
	});
}

/** Paths of large answers, in which no secret stands. */
const LARGE = ["/stats/", "/batch", "/bot-stats/", "/openapi.json"];

/** Every route below the version prefix. A slice is handed what its type names; the order is that of the API description. */
export function registerBusinessRoutes(api: App, deps: RouteDeps): void {
	const { config, metadata, clock, eventStore, attribution } = deps;
	const { secretKey, secretKeyPrevious, legacyApiUrl } = config;
	placeBadQuestions(api);
	tellEngineTime(api);
	compressAnswers(api, LARGE);
	registerPeople(api, deps);
	registerTenancy(api, deps);
	registerKeeping(api, deps);
	registerBillingRoutes(api, deps);
	registerAppAccess(api, deps);
	registerChannelGroups(api, { metadata, clock, eventStore, attribution });
	registerPassthroughReferrers(api, { metadata, clock, attribution });
	registerReferrerMappings(api, { metadata, clock, attribution });
	registerBotStats(api, { eventStore, clock });
	registerImports(api, importDeps(deps));
	registerMigration(api, { secretKey, secretKeyPrevious, legacyApiUrl, imports: importDeps(deps) });
	registerOutgoing(api, deps);
	registerOperating(api, deps);
	registerReporting(api, deps);
	registerNotices(api, deps);
	// Its tools are made of routes that are there.
	registerAssistant(api, { metadata, clock, llm: modelOf(deps.config), operatorFetch: deps.operatorFetch });
}

/** Routes of usage and billing. */
function registerBillingRoutes(api: App, deps: RouteDeps): void {
	const { config, metadata, clock, sites, jobs, mailer, rootUrl, storedEvents } = deps;
	const { stripeSecretKey: secretKey, stripeWebhookSecret: webhookSecret, stripeApiUrl: apiUrl } = config;
	registerBilling(api, {
		metadata,
		clock,
		sites,
		jobs,
		mailer,
		rootUrl,
		eventStore: storedEvents,
		payments: secretKey === undefined ? undefined : stripePayments({ clock, secretKey, webhookSecret, apiUrl }),
		takesEvents: webhookSecret !== undefined,
	});
}

/** How long data are kept, and how they are deleted wherever they lie. */
function registerKeeping(api: App, deps: RouteDeps): void {
	const { config, metadata, clock, log, sites, jobs, storedEvents, revisions } = deps;
	registerDataKeeping(api, {
		metadata,
		clock,
		log,
		sites,
		jobs,
		eventStore: storedEvents,
		revisions,
		cluster: config.clickhouseCluster,
		collectors: forgetAtCollectors(deps),
		endings: dataEndings(deps),
	});
}

/** Routes for the operator, and public ones. */
function registerOperating(api: App, deps: RouteDeps): void {
	const { config, metadata, clock, storedEvents, jobs, rootUrl, isWithoutAccount, collecting, storeProcess } = deps;
	registerClientAddress(api);
	registerServiceConfig(api, { config: serviceConfig(config), isWithoutAccount });
	registerSystem(api, {
		metadata,
		storedEvents,
		clock,
		jobs,
		config,
		rootUrl,
		health: healthOf(deps),
		spool: () => collecting?.collector.spoolState,
		storeProcess,
		lastBackup: (status) => selectLastRun(metadata, status),
	});
	registerJobQueue(api, { metadata, clock });
}
