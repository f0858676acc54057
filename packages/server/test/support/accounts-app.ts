import { rmSync } from "node:fs";
import { join } from "node:path";
import { after, before, beforeEach } from "node:test";
import type { LightMyRequestResponse } from "fastify";
import { sql } from "kysely";
import { authOf } from "../../src/composition/app-deps.ts";
import type { Metadata } from "../../src/platform/metadata/metadata.ts";
import { engineOf } from "../../src/platform/metadata/metadata.ts";
import { countSettingChange, type VersionTables } from "../../src/platform/metadata/setting-versions.ts";
import { ownTables } from "./own-tables.ts";
import { requestOf } from "./request-of.ts";
import { onEngines } from "./test-schema.ts";
import { insertTestUser, openTestSession, password } from "./test-users.ts";
import { letGo, type TestApp, type TestAppOptions, wholeApp } from "./whole-app.ts";

export { password };

const OPENED_AT = "2026-11-21T12:00:00.000Z";

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
export type AccountsApp = Awaited<ReturnType<typeof accountsApp>>;

/** One application for the tests of the suite or file that calls this; each of them begins with it empty. */
export function sharedAccountsApp(options: TestAppOptions = {}): AccountsApp {
	const app = {} as AccountsApp;
	before(async () => {
		Object.assign(app, await accountsApp(options));
	});
	beforeEach(() => app.empty());
	after(async () => {
		await app.close();
		letGo(app);
	});
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
export function sharedOnBothEngines(
	title: string,
	env: Readonly<Record<string, string>>,
	suite: (app: AccountsApp) => void,
): void {
	onEngines(title, (engine) => suite(sharedAccountsApp({ env, onPostgres: engine === "postgres" })));
}

/** Opens the service on empty stores at 2026-11-21T12:00:00Z. */
export async function accountsApp({ env, ...options }: TestAppOptions = {}) {
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
		return { id: user.id, email, token, cookies: cookiesOf(response), headers: { authorization: `Bearer ${token}` } };
	};
	return Object.assign(app, {
		call,
		signIn,
		async user(name: string, role: "user" | "superadmin" = "user"): Promise<SignedIn> {
			const email = `${name.toLowerCase()}@example.com`;
			const row = await insertTestUser(app, { email, name, role });
			// Sign-ins are rate limited.
			return app.config.rateLimitEnabled
				? signIn(email)
				: { id: row.id, email, ...(await openTestSession(authOf(app), row)) };
		},
		async site(as: SignedIn, body: object = {}): Promise<string> {
			const response = await call("POST /sites", { as, body: { name: "Shop", ...body } });
			if (response.statusCode !== 201) throw new Error(response.body);
			return response.json().data.id;
		},
		/** Restores the state at its opening: no rows, no mails, the same moment. Limits of requests keep their counts. */
		async empty(): Promise<void> {
			app.clock.set(OPENED_AT);
			app.logLines.length = 0;
			rmSync(join(app.config.dataDir, "outbox"), { recursive: true, force: true });
			await emptyMetadata(app.metadata);
			await app.catchUp();
		},
	});
}

/** Calls of a service in short form: `call("GET /sites", { as })`. */
export const apiCall =
	(app: Pick<TestApp, "inject">) =>
	(route: string, { as, headers, cookies, body }: Call = {}): Promise<LightMyRequestResponse> => {
		const request = requestOf(route, { headers: { ...as?.headers, ...headers }, body });
		return app.inject(cookies === undefined ? request : { ...request, cookies: { ...cookies } });
	};

/** The cookies that an answer sets. */
export const cookiesOf = ({ cookies }: LightMyRequestResponse): Readonly<Record<string, string>> =>
	Object.fromEntries(cookies.map(({ name, value }) => [name, value]));

const kept = ["metadata_migrations", "setting_versions"];
let tables: readonly string[] | undefined;

/** Deletes all rows. Counts of settings' versions stay and grow, so that what is kept in memory is read again. */
async function emptyMetadata(metadata: Metadata): Promise<void> {
	tables ??= (await ownTables(metadata)).map(({ name }) => name).filter((name) => !kept.includes(name));
	const names = tables;
	await metadata.transaction().execute(async (db) => {
		const restore = await (engineOf(db) === "sqlite" ? unguardSqlite(db) : unguardPostgres(db));
		for (const name of names) await sql`delete from ${sql.table(name)}`.execute(db);
		for (const statement of restore) await sql.raw(statement).execute(db);
		const versions = await db.withTables<VersionTables>().selectFrom("setting_versions").selectAll().execute();
		for (const [topic, rows] of Map.groupBy(versions, (row) => row.topic)) {
			const owners = rows.map(({ owner }) => owner).filter((owner) => owner !== "*");
			await countSettingChange(db, topic, owners);
		}
	});
}

/** Lets rows of the audit log and rows that others name be deleted; answers what ends that, and lets numbers begin anew. */
async function unguardSqlite(db: Metadata): Promise<readonly string[]> {
	await sql`pragma defer_foreign_keys = on`.execute(db);
	const { rows } = await sql<{ sql: string }>`
		select sql from sqlite_master where type = 'trigger' and name = 'audit_log_refuses_delete'`.execute(db);
	await sql`drop trigger if exists audit_log_refuses_delete`.execute(db);
	return ["delete from sqlite_sequence", ...rows.map((row) => row.sql)];
}

async function unguardPostgres(db: Metadata): Promise<readonly string[]> {
	await sql`set local session_replication_role = replica`.execute(db);
	return ["set local session_replication_role = origin"];
}
