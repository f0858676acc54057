import { rmSync } from "node:fs";
import { join } from "node:path";
import { after, before, beforeEach } from "node:test";
import type { LightMyRequestResponse } from "fastify";
import { authOf } from "../../src/composition/routes/auth-of.ts";
import { emptyMetadata } from "./empty-metadata.ts";
import type { TestApp, TestAppOptions } from "./test-app-types.ts";
import { onEngines } from "./test-schema.ts";
import { insertTestUser, openTestSession, password } from "./test-users.ts";
import { wholeApp } from "./whole-app.ts";

export { password };

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

/** The service in one process, without a proxy before it, and what its users do. */
export interface AccountsApp extends TestApp {
	/** Restores the state at its opening: no rows, no mails, the same moment. Limits of requests keep their counts. */
	empty(): Promise<void>;
	/** A call as `GET /sites`, below the version prefix. */
	call(route: string, options?: Call): Promise<LightMyRequestResponse>;
	/** Creates a user and signs in. */
	user(name: string, role?: "user" | "superadmin"): Promise<SignedIn>;
	/** Signs in again. */
	signIn(email: string): Promise<SignedIn>;
	/** Creates a site and answers its id. */
	site(as: SignedIn, body?: object): Promise<string>;
}

/** One application for the tests of the suite or file that calls this; each of them begins with it empty. */
export function sharedAccountsApp(options: TestAppOptions = {}): AccountsApp {
	const app = {} as AccountsApp;
	before(async () => {
		Object.assign(app, await accountsApp(options));
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
	onEngines(title, (engine) => suite(sharedAccountsApp({ onPostgres: engine === "postgres" })));
}

/** Opens the service on empty stores at 2026-11-21T12:00:00Z. */
export async function accountsApp({ env, ...options }: TestAppOptions = {}): Promise<AccountsApp> {
	const app = await wholeApp({
		...options,
		env: {
			PUBLIC_URL: "https://stats.example",
			REQUIRE_HTTPS: "false",
			TRUST_PROXY: "false",
			REGISTRATION: "open",
			// To make a key takes longer than many tests.
			SECRET_KEY: "a secret of the tests, 32 characters or more",
			...env,
		},
	});
	const call = apiCall(app);
	const signIn = async (email: string): Promise<SignedIn> => {
		const response = await call("POST /auth/token", { body: { email, password } });
		if (response.statusCode !== 200) throw new Error(response.body);
		const { access_token: token, user } = response.json().data;
		const cookies = Object.fromEntries(response.cookies.map(({ name, value }) => [name, value]));
		return { id: user.id, email, token, cookies, headers: { authorization: `Bearer ${token}` } };
	};
	return Object.assign(app, {
		call,
		signIn,
		user: async (name: string, role: "user" | "superadmin" = "user") => {
			const email = `${name.toLowerCase()}@example.com`;
			const row = await insertTestUser(app, { email, name, role });
			// Sign-ins are rate limited.
			return app.config.rateLimitEnabled
				? signIn(email)
				: { id: row.id, email, ...(await openTestSession(authOf(app), row)) };
		},
		site: async (as: SignedIn, body: object = {}) => {
			const response = await call("POST /sites", { as, body: { name: "Shop", ...body } });
			if (response.statusCode !== 201) throw new Error(response.body);
			return response.json().data.id;
		},
		empty: async () => {
			app.clock.set(OPENED_AT);
			app.logLines.length = 0;
			rmSync(join(app.config.dataDir, "outbox"), { recursive: true, force: true });
			await emptyMetadata(app.metadata, app.config.databaseUrl === undefined ? "sqlite" : "postgres");
			await app.catchUp();
		},
	});
}

/** Calls of a service in short form: `call("GET /sites", { as })`. */
export const apiCall =
	(app: Pick<TestApp, "inject">) =>
	(route: string, { as, headers, cookies, body }: Call = {}): Promise<LightMyRequestResponse> => {
		const [method = "GET", path = "/"] = route.split(" ");
		return app.inject({
			method: method as "GET",
			url: `/api/v1${path}`,
			headers: { ...as?.headers, ...headers },
			...(cookies === undefined ? {} : { cookies: { ...cookies } }),
			...(body === undefined ? {} : { payload: body as object }),
		});
	};
