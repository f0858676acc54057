import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, beforeEach } from "node:test";
import type { InjectOptions, LightMyRequestResponse } from "fastify";
import { type Logger, pino } from "pino";
import { registerAccess } from "../../src/access/index.ts";
import { describeGuard } from "../../src/composition/api-description.ts";
import { factsOf } from "../../src/composition/app-deps.ts";
import { openLimiting } from "../../src/composition/limits.ts";
import { registerAccountPages } from "../../src/composition/routes/account-pages.ts";
import { registerAppAccess } from "../../src/composition/routes/apps.ts";
import { authOf } from "../../src/composition/routes/auth-of.ts";
import { registerPeople } from "../../src/composition/routes/people.ts";
import { registerTenancy } from "../../src/composition/routes/tenancy.ts";
import { ScriptRequests } from "../../src/features/collecting/tracker-script/index.ts";
import { endLostGrant, registerDiscovery } from "../../src/features/connecting/oauth/index.ts";
import type { AuthDeps, Registration } from "../../src/features/people/auth/index.ts";
import { openIpAllowlists } from "../../src/features/tenancy/ip-allowlist/index.ts";
import { createSiteDirectory } from "../../src/features/tenancy/sites/index.ts";
import { loadConfig } from "../../src/platform/config/config.ts";
import { type ReadyConfig, withSecretKey } from "../../src/platform/config/secret-key.ts";
import { createClickHouseStore } from "../../src/platform/event-store/clickhouse-store.ts";
import type { App } from "../../src/platform/http/app.ts";
import { createHttpApp } from "../../src/platform/http/create-http-app.ts";
import { createJobs } from "../../src/platform/jobs/create-jobs.ts";
import type { Jobs } from "../../src/platform/jobs/jobs.ts";
import type { Metadata } from "../../src/platform/metadata/metadata.ts";
import { openMetadata } from "../../src/platform/metadata/open-metadata.ts";
import { createGuardedFetch, type GuardedFetchOptions } from "../../src/platform/outbound/guarded-fetch.ts";
import { createMailer, type Mailer } from "../../src/platform/outbound/mail/mailer.ts";
import { emptyMetadata } from "./empty-metadata.ts";
import { placeMigratedFile } from "./migrated-file.ts";
import { createTestClock, type TestClock } from "./test-clock.ts";
import { migratedSchema, onEngines } from "./test-schema.ts";
import { insertTestUser, openTestSession, password } from "./test-users.ts";

export { password };

const PREFIX = "/api/v1";
export const secretKey = "a secret of the tests, 32 characters or more";
const rootUrl = "https://stats.example";
const OPENED_AT = "2026-11-21T12:00:00.000Z";

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
	readonly logLines: string[];
	/** Makes it as it was when it was opened: without rows and mails, at the same moment. Limits of requests keep their counts. */
	empty(): Promise<void>;
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

/** One application for the tests of the suite or file that calls this; each of them begins with it empty. */
export function sharedAccountsApp(open: () => Promise<AccountsApp> = accountsApp): AccountsApp {
	const app = {} as AccountsApp;
	before(async () => {
		Object.assign(app, await open());
	});
	beforeEach(() => app.empty());
	after(() => app.close());
	return app;
}

/** A user who is created anew for each test of the suite or file that calls this. */
export function userForEach(app: AccountsApp, name: string, role?: "user" | "superadmin"): SignedIn {
	const user = {} as SignedIn;
	beforeEach(async () => {
		Object.assign(user, await app.user(name, role));
	});
	return user;
}

/** Runs tests of what happens at once on an application in SQLite, and in PostgreSQL when there is one. */
export function sharedOnBothEngines(title: string, suite: (app: AccountsApp) => void): void {
	onEngines(title, (engine) => suite(sharedAccountsApp(() => accountsApp(engine))));
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
	const clock = createTestClock(OPENED_AT);
	const sites = await createSiteDirectory({ metadata, clock });
	const logLines: string[] = [];
	const log = pino({ level: "debug", base: null }, { write: (line) => void logLines.push(line) });
	const jobs = createJobs({ metadata, clock, log });
	const config = configOf(dataDir, { limited, registration });
	const mailer = createMailer({ jobs, clock, log, secretKey, dataDir, mailFrom: config.mailFrom });
	const parts = { config, metadata, clock, jobs, mailer, sites, log, outbound, hasDashboard };
	const { app, refresh } = await composed(parts, moreRoutes);
	return {
		metadata,
		clock,
		jobs,
		mailer,
		dataDir,
		sites,
		logLines,
		empty: async () => {
			clock.set(OPENED_AT);
			logLines.length = 0;
			rmSync(join(dataDir, "outbox"), { recursive: true, force: true });
			await emptyMetadata(metadata, engine);
			await refresh();
		},
		inject: (options) => app.inject(options),
		...actionsOf(app, authOf(parts), limited),
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
type Parts = Pick<AccountsApp, "metadata" | "clock" | "jobs" | "mailer" | "sites"> & {
	readonly config: ReadyConfig;
	readonly log: Logger;
	readonly outbound: Partial<GuardedFetchOptions>;
	readonly hasDashboard: boolean;
};

const configOf = (
	dataDir: string,
	{ limited, registration }: { readonly limited: boolean; readonly registration: Registration },
): ReadyConfig =>
	withSecretKey(
		loadConfig({
			NODE_ENV: "test",
			DATA_DIR: dataDir,
			SECRET_KEY: secretKey,
			PUBLIC_URL: rootUrl,
			MAIL_FROM: "Footfall <footfall@stats.example>",
			RATE_LIMIT_ENABLED: String(limited),
			REGISTRATION: registration,
		}),
	);

/** What is asked of events is answered as while their store is away. */
const noEventStore = createClickHouseStore({
	client: () => undefined,
	querySettings: {},
	insertSettings: {},
	close: async () => undefined,
});

async function composed(parts: Parts, moreRoutes: MoreRoutes) {
	const { config, log, clock, metadata, jobs, mailer, sites, outbound, hasDashboard } = parts;
	const app = await createHttpApp({ log, clock, trustProxy: false, describeGuard, checkResponses: true });
	const { limits } = await openLimiting(app, parts);
	const ipAllowlists = await openIpAllowlists({ metadata, clock });
	app.addHook("onClose", async () => ipAllowlists.stop());
	registerAccess(app, {
		metadata,
		clock,
		secretKey,
		siteAddresses: ipAllowlists.policy,
		endLostGrant: (grantId) => endLostGrant({ metadata, clock }, grantId),
		limits,
	});
	const guardedFetch = createGuardedFetch({ clock, allowPrivate: false, ...outbound });
	app.addHook("onClose", () => guardedFetch.close());
	const made = { config, metadata, clock, mailer, sites, ipAllowlists, guardedFetch, rootUrl };
	const deps = {
		...made,
		...factsOf(made, { collecting: undefined, scriptRequests: new ScriptRequests() }),
		eventStore: noEventStore,
	};
	registerAccountPages(app, { ...deps, hasDashboard });
	registerDiscovery(app, { rootUrl });
	await app.register(
		async (scope) => {
			const api = scope as App;
			registerPeople(api, deps);
			registerTenancy(api, deps);
			registerAppAccess(api, deps);
			moreRoutes(api, { metadata, clock, jobs, mailer, rootUrl });
		},
		{ prefix: PREFIX },
	);
	await app.ready();
	return { app, refresh: () => Promise.all([sites.refresh(), ipAllowlists.allowlists.refresh()]) };
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
