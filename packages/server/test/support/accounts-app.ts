import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe } from "node:test";
import type { InjectOptions, LightMyRequestResponse } from "fastify";
import { pino } from "pino";
import { metadataMigrations } from "../../migrations/metadata/index.ts";
import { registerAccess } from "../../src/access/index.ts";
import type { SiteActivity } from "../../src/analytics/query/site-activity.ts";
import { describeGuard } from "../../src/api-description.ts";
import { registerApiTokens } from "../../src/features/accounts/api-tokens/index.ts";
import { registerAuth, registerSetup } from "../../src/features/accounts/auth/index.ts";
import { createSiteDirectory, type RejectionWindow, registerSites } from "../../src/features/accounts/sites/index.ts";
import { createUser, registerUsers } from "../../src/features/accounts/users/index.ts";
import type { App } from "../../src/platform/http/app.ts";
import { createHttpApp } from "../../src/platform/http/create-http-app.ts";
import type { Metadata } from "../../src/platform/metadata/metadata.ts";
import { migrateMetadata } from "../../src/platform/metadata/migrate-metadata.ts";
import { openMetadata } from "../../src/platform/metadata/open-metadata.ts";
import { createTestClock, type TestClock } from "./test-clock.ts";
import { postgresSkip, testSchema } from "./test-schema.ts";

export const password = "correct horse battery staple 7";
const PREFIX = "/api/v1";

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

/** The account routes on a metadata store of their own, without an event store. */
export interface AccountsApp {
	readonly metadata: Metadata;
	readonly clock: TestClock;
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
export function onBothEngines(title: string, suite: (open: () => Promise<AccountsApp>) => void): void {
	describe(`${title} (SQLite)`, () => suite(() => accountsApp("sqlite")));
	describe(`${title} (PostgreSQL)`, { skip: postgresSkip }, () => suite(() => accountsApp("postgres")));
}

/** Opens the account routes on an empty store; the clock stands at 2026-11-21T12:00:00Z. */
export async function accountsApp(
	engine: "sqlite" | "postgres" = "sqlite",
	moreRoutes: (api: App) => void = () => {},
): Promise<AccountsApp> {
	const dataDir = mkdtempSync(join(tmpdir(), "footfall-accounts-"));
	const schema = engine === "postgres" ? await testSchema() : undefined;
	const metadata = await openMetadata({ databaseUrl: schema?.url, dataDir });
	const clock = createTestClock("2026-11-21T12:00:00.000Z");
	await migrateMetadata(metadata, metadataMigrations, clock.now());
	const sites = await createSiteDirectory({ metadata });
	const told: AccountsApp["told"] = {
		activity: { firstHitAt: null, lastHitAt: null, recentHits: 0 },
		rejections: undefined,
	};
	const logLines: string[] = [];
	const app = await composed({ metadata, clock, sites, told, logLines }, moreRoutes);
	return {
		metadata,
		clock,
		sites,
		told,
		logLines,
		inject: (options) => app.inject(options),
		...actionsOf(app, { metadata, clock }),
		close: async () => {
			await app.close();
			sites.stop();
			await metadata.destroy();
			await schema?.drop();
			rmSync(dataDir, { recursive: true, force: true });
		},
	};
}

type Parts = Pick<AccountsApp, "metadata" | "clock" | "sites" | "told" | "logLines">;

async function composed(
	{ metadata, clock, sites, told, logLines }: Parts,
	moreRoutes: (api: App) => void,
): Promise<App> {
	const log = pino({ level: "debug", base: null }, { write: (line) => void logLines.push(line) });
	const app = await createHttpApp({ log, clock, trustProxy: false, describeGuard, checkResponses: true });
	const secretKey = "a secret of the tests, 32 characters or more";
	registerAccess(app, { metadata, clock, secretKey });
	registerSetup(app, { metadata, clock });
	await app.register(
		async (scope) => {
			const api = scope as App;
			registerAuth(api, { metadata, clock, secretKey, cookieSecure: true, publicUrl: "https://stats.example" });
			registerUsers(api, { metadata });
			moreRoutes(api);
			registerApiTokens(api, { metadata, clock });
			registerSites(api, {
				metadata,
				clock,
				sites,
				defaultPlan: "enterprise",
				allowLocalhost: true,
				publicUrl: "https://stats.example",
				activity: async () => told.activity,
				rejections: () => told.rejections,
			});
		},
		{ prefix: PREFIX },
	);
	await app.ready();
	return app;
}

function actionsOf(app: App, deps: { metadata: Metadata; clock: TestClock }) {
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
		await createUser(deps, { email, name, role, password });
		return signIn(email);
	};
	const site: AccountsApp["site"] = async (as, body = {}) => {
		const response = await call("POST /sites", { as, body: { name: "Shop", ...body } });
		if (response.statusCode !== 201) throw new Error(response.body);
		return response.json().data.id;
	};
	return { call, signIn, user, site };
}
