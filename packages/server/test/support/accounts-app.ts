import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe } from "node:test";
import type { InjectOptions, LightMyRequestResponse } from "fastify";
import { type Logger, pino } from "pino";
import { registerAccess } from "../../src/access/index.ts";
import type { SiteActivity } from "../../src/analytics/query/reports/site-activity.ts";
import { describeGuard } from "../../src/composition/api-description.ts";
import { openLimiting } from "../../src/composition/limits.ts";
import { registerAuditLog } from "../../src/features/auditing/audit-log/index.ts";
import {
	endGrantsOf,
	endLostGrant as endLostOAuthGrant,
	registerDiscovery,
	registerOAuth,
} from "../../src/features/connecting/oauth/index.ts";
import { endTokensOf, registerApiTokens } from "../../src/features/people/api-tokens/index.ts";
import {
	type AuthDeps,
	type Registration,
	registerAuth,
	registerPasswords,
	registerRegistration,
	registerSetup,
} from "../../src/features/people/auth/index.ts";
import { registerImpersonation } from "../../src/features/people/impersonation/index.ts";
import { registerTwoFactor } from "../../src/features/people/two-factor/index.ts";
import { registerUsers } from "../../src/features/people/users/index.ts";
import { registerBlocklist } from "../../src/features/tenancy/blocklist/index.ts";
import { endInvitationsOf, registerInvitations } from "../../src/features/tenancy/invitations/index.ts";
import { openIpAllowlists, registerIpAllowlist } from "../../src/features/tenancy/ip-allowlist/index.ts";
import { registerLinkPages } from "../../src/features/tenancy/link-pages/index.ts";
import { registerMembers } from "../../src/features/tenancy/members/index.ts";
import { registerOrganizationPlan } from "../../src/features/tenancy/organization-plan/index.ts";
import { membershipsWith, registerOrganizations } from "../../src/features/tenancy/organizations/index.ts";
import { wakeSite } from "../../src/features/tenancy/provisioning/index.ts";
import {
	createSiteDirectory,
	endSitesOf,
	type RejectionWindow,
	registerSites,
} from "../../src/features/tenancy/sites/index.ts";
import { registerUserAdministration } from "../../src/features/tenancy/user-administration/index.ts";
import type { App } from "../../src/platform/http/app.ts";
import { createHttpApp } from "../../src/platform/http/create-http-app.ts";
import { createJobs } from "../../src/platform/jobs/create-jobs.ts";
import type { Jobs } from "../../src/platform/jobs/jobs.ts";
import type { Metadata } from "../../src/platform/metadata/metadata.ts";
import { openMetadata } from "../../src/platform/metadata/open-metadata.ts";
import { createGuardedFetch, type GuardedFetchOptions } from "../../src/platform/outbound/guarded-fetch.ts";
import { createMailer, type Mailer } from "../../src/platform/outbound/mail/mailer.ts";
import { placeMigratedFile } from "./migrated-file.ts";
import { createTestClock, type TestClock } from "./test-clock.ts";
import { migratedSchema, postgresSkip } from "./test-schema.ts";
import { insertTestUser, openTestSession, password } from "./test-users.ts";

export { password };

const PREFIX = "/api/v1";
export const secretKey = "a secret of the tests, 32 characters or more";
const rootUrl = "https://stats.example";

/** A user who is signed in. */
export interface SignedIn {
	readonly id: number;
	readonly email: string;
	readonly token: string;
	readonly cookies: Readonly<Record<string, string>>;
	readonly headers: { readonly authorization: string };
}

interface Call {
	readonly as?: { readonly headers: Readonly<Record<string, string>> };
	readonly headers?: Readonly<Record<string, string>>;
	readonly cookies?: Readonly<Record<string, string>>;
	readonly body?: unknown;
}

interface AccountsAppOptions {
	/** Whether requests are limited; the plan of those without an organization is enterprise. */
	readonly limited?: boolean;
	/** How servers that users name are reached, where it differs from the usual. */
	readonly outbound?: Partial<GuardedFetchOptions>;
	/** Who may make an account; anybody when absent. */
	readonly registration?: Registration;
	/** Whether pages lead on into the application; false when absent. */
	readonly hasDashboard?: boolean;
}

/** What further routes of a test may need. */
interface RouteDeps {
	readonly metadata: Metadata;
	readonly clock: TestClock;
	readonly jobs: Jobs;
	readonly mailer: Mailer;
	readonly rootUrl: string;
}

/** The account routes on a metadata store of their own, without an event store. */
export interface AccountsApp {
	readonly metadata: Metadata;
	readonly clock: TestClock;
	readonly jobs: Jobs;
	readonly mailer: Mailer;
	/** Mails are written to `outbox` there. */
	readonly dataDir: string;
	readonly sites: Awaited<ReturnType<typeof createSiteDirectory>>;
	/** What the pixel routes are told. */
	readonly told: { activity: SiteActivity; rejections: RejectionWindow | undefined };
	readonly logLines: string[];
	inject(options: InjectOptions): Promise<LightMyRequestResponse>;
	/** A call as `GET /sites`, below the version prefix. */
	call(route: string, options?: Call): Promise<LightMyRequestResponse>;
	/** Creates a user and signs in. */
	user(name: string, role?: "user" | "superadmin"): Promise<SignedIn>;
	/** Signs in again. */
	signIn(email: string): Promise<SignedIn>;
	/** Creates a site and answers its id. */
	site(as: SignedIn, body?: object): Promise<string>;
	close(): Promise<void>;
}

/** Runs a suite on SQLite, and on PostgreSQL when there is one. */
export function onBothEngines(
	title: string,
	suite: (open: (options?: AccountsAppOptions) => Promise<AccountsApp>) => void,
): void {
	describe(`${title} (SQLite)`, () => suite((options) => accountsApp("sqlite", undefined, options)));
	describe(`${title} (PostgreSQL)`, { skip: postgresSkip }, () =>
		suite((options) => accountsApp("postgres", undefined, options)),
	);
}

/** Opens the account routes on an empty store; the clock stands at 2026-11-21T12:00:00Z. */
export async function accountsApp(
	engine: "sqlite" | "postgres" = "sqlite",
	moreRoutes: MoreRoutes = () => {},
	{ limited = false, outbound = {}, registration = "open", hasDashboard = false }: AccountsAppOptions = {},
): Promise<AccountsApp> {
	const dataDir = mkdtempSync(join(tmpdir(), "footfall-accounts-"));
	const schema = engine === "postgres" ? await migratedSchema() : undefined;
	if (schema === undefined) await placeMigratedFile(dataDir);
	const metadata = await openMetadata({ databaseUrl: schema?.url, dataDir });
	const clock = createTestClock("2026-11-21T12:00:00.000Z");
	const sites = await createSiteDirectory({ metadata });
	const told: AccountsApp["told"] = {
		activity: { firstHitAt: null, lastHitAt: null, recentHits: 0 },
		rejections: undefined,
	};
	const logLines: string[] = [];
	const log = pino({ level: "debug", base: null }, { write: (line) => void logLines.push(line) });
	const jobs = createJobs({ metadata, clock, log });
	const mailFrom = "Footfall <footfall@stats.example>";
	const mailer = createMailer({ jobs, clock, log, secretKey, dataDir, mailFrom });
	const parts = { metadata, clock, jobs, mailer, sites, told, log, limited, outbound, registration, hasDashboard };
	const app = await composed(parts, moreRoutes);
	return {
		metadata,
		clock,
		jobs,
		mailer,
		dataDir,
		sites,
		told,
		logLines,
		inject: (options) => app.inject(options),
		...actionsOf(app, { metadata, clock, secretKey, cookieSecure: true, publicUrl: rootUrl }, limited),
		close: async () => {
			await Promise.all([app.close(), jobs.close()]);
			sites.stop();
			await metadata.destroy();
			await schema?.drop();
			rmSync(dataDir, { recursive: true, force: true });
		},
	};
}

type MoreRoutes = (api: App, deps: RouteDeps) => void;
type Parts = Pick<AccountsApp, "metadata" | "clock" | "jobs" | "mailer" | "sites" | "told"> & {
	readonly log: Logger;
	readonly limited: boolean;
	readonly outbound: Partial<GuardedFetchOptions>;
	readonly registration: Registration;
	readonly hasDashboard: boolean;
};

async function composed(
	{ metadata, clock, jobs, mailer, sites, told, log, limited, outbound, registration, hasDashboard }: Parts,
	moreRoutes: MoreRoutes,
): Promise<App> {
	const app = await createHttpApp({ log, clock, trustProxy: false, describeGuard, checkResponses: true });
	const config = { rateLimitEnabled: limited, redisUrl: undefined, secretKey, defaultPlan: "enterprise" } as const;
	const { limits } = await openLimiting(app, { config, clock, log, metadata });
	const ipAllowlists = await openIpAllowlists({ metadata, clock });
	app.addHook("onClose", async () => ipAllowlists.stop());
	const endLostGrant = (grantId: string) => endLostOAuthGrant({ metadata, clock }, grantId);
	registerAccess(app, { metadata, clock, secretKey, siteAddresses: ipAllowlists.policy, endLostGrant, limits });
	const guardedFetch = createGuardedFetch({ allowPrivate: false, ...outbound });
	app.addHook("onClose", () => guardedFetch.close());
	const signInDeps = { metadata, clock, secretKey, cookieSecure: true, publicUrl: rootUrl };
	registerSetup(app, { ...signInDeps, hasDashboard });
	registerLinkPages(app, {
		registration,
		endGrantsOf,
		wakeSiteOf: wakeSite,
		hasDashboard,
		...signInDeps,
		mailer,
		sites,
		rootUrl,
		secretKeyPrevious: undefined,
	});
	registerDiscovery(app, { rootUrl });
	await app.register(
		async (scope) => {
			const api = scope as App;
			registerAuth(api, signInDeps);
			registerUsers(api, { metadata, clock });
			registerRegistration(api, {
				...signInDeps,
				mailer,
				rootUrl,
				registration,
				endGrantsOf,
				requiresSubscription: false,
			});
			registerPasswords(api, { ...signInDeps, mailer, rootUrl, sites, endGrantsOf, wakeSiteOf: wakeSite });
			const siteDeps = { sites, defaultPlan: "enterprise", allowLocalhost: true } as const;
			const oauthDeps = { ...signInDeps, ...siteDeps, mailer, rootUrl, registration, requiresSubscription: false };
			registerOAuth(api, { ...oauthDeps, guardedFetch });
			registerTwoFactor(api, { ...signInDeps, mailer, secretKeyPrevious: undefined });
			registerImpersonation(api, signInDeps);
			registerUserAdministration(api, { metadata, clock });
			moreRoutes(api, { metadata, clock, jobs, mailer, rootUrl });
			registerAuditLog(api, {
				metadata,
				membershipsOf: (userId) => membershipsWith(metadata, userId, "audit"),
			});
			registerApiTokens(api, { metadata, clock });
			registerIpAllowlist(api, ipAllowlists);
			registerBlocklist(api, { metadata, clock, sites });
			const endings = [endSitesOf, endTokensOf, endInvitationsOf];
			registerOrganizations(api, { metadata, clock, sites, defaultPlan: "enterprise", endings });
			registerOrganizationPlan(api, { metadata, clock, sites });
			registerMembers(api, { metadata, clock });
			registerInvitations(api, { ...signInDeps, mailer, rootUrl, registration });
			registerSites(api, {
				metadata,
				clock,
				sites,
				defaultPlan: "enterprise",
				allowLocalhost: true,
				publicUrl: rootUrl,
				activity: async () => told.activity,
				rejections: () => told.rejections,
				scriptRequests: () => undefined,
				guardedFetch,
			});
		},
		{ prefix: PREFIX },
	);
	await app.ready();
	return app;
}

function actionsOf(app: App, deps: AuthDeps, limited: boolean) {
	const call: AccountsApp["call"] = (route, { as, headers, cookies, body } = {}) => {
		const [method = "GET", path = "/"] = route.split(" ");
		return app.inject({
			method: method as "GET",
			url: PREFIX + path,
			headers: { ...as?.headers, ...headers },
			...(cookies === undefined ? {} : { cookies: { ...cookies } }),
			...(body === undefined ? {} : { payload: body as object }),
		});
	};
	const signIn = async (email: string): Promise<SignedIn> => {
		const response = await call("POST /auth/token", { body: { email, password } });
		if (response.statusCode !== 200) throw new Error(response.body);
		const { access_token: token, user } = response.json().data;
		const cookies = Object.fromEntries(response.cookies.map(({ name, value }) => [name, value]));
		return { id: user.id, email, token, cookies, headers: { authorization: `Bearer ${token}` } };
	};
	const user: AccountsApp["user"] = async (name, role = "user") => {
		const email = `${name.toLowerCase()}@example.com`;
		const row = await insertTestUser(deps, { email, name, role });
		// What is limited counts sign-ins.
		return limited ? signIn(email) : { id: row.id, email, ...(await openTestSession(deps, row)) };
	};
	const site: AccountsApp["site"] = async (as, body = {}) => {
		const response = await call("POST /sites", { as, body: { name: "Shop", ...body } });
		if (response.statusCode !== 201) throw new Error(response.body);
		return response.json().data.id;
	};
	return { call, signIn, user, site };
}
