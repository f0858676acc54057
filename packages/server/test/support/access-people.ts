import { SignJWT } from "jose";
import { sql } from "kysely";
import { signingKey } from "../../src/access/signing-keys.ts";
import { authOf } from "../../src/composition/routes/auth-of.ts";
import { systemActor } from "../../src/features/auditing/audit-log/index.ts";
import { createToken } from "../../src/features/people/api-tokens/index.ts";
import { issueOneTimeToken } from "../../src/features/people/one-time-tokens/index.ts";
import type { UserRow } from "../../src/features/people/users/index.ts";
import { rootUrl } from "../../src/platform/config/root-url.ts";
import { type AppToken, type deadCredentials, type KeyScope, type Person, people } from "./access-table.ts";
import { type AppTokens, appTokens, sendForm } from "./app-token.ts";
import type { TestApp } from "./test-app.ts";
import { insertTestUser, openTestSession } from "./test-users.ts";

export type Headers = Readonly<Record<string, string>>;
type SignedInPerson = Exclude<Person, "impersonating superadmin">;

const allScopes: readonly KeyScope[] = ["stats:read", "sites:read", "accounts:read"];
const scopeChoices = [1, 2, 3, 4, 5, 6, 7].map((choice) => allScopes.filter((_, i) => (choice >> i) & 1));
const DAY_MS = 86_400_000;

/** Everyone who tries every route, around the site `shop` of the organization `org-owner`. */
export interface AccessPeople {
	readonly ids: Readonly<Record<SignedInPerson, number>>;
	readonly sessions: Readonly<Record<Person, Headers>>;
	readonly dead: Readonly<Record<keyof typeof deadCredentials, Headers>>;
	/** Keys of the org owner by their scopes, and one with all scopes for `second` only. */
	keyWith(scopes: readonly KeyScope[]): Headers;
	readonly keyOfOtherSite: Headers;
	readonly apps: Readonly<Record<AppToken, Headers>>;
	freshSession(person: Person): Promise<Headers>;
}

const bearer = (token: string): Headers => ({ authorization: `Bearer ${token}` });
const key = (value: string): Headers => ({ "x-api-key": value });

/** Makes the people with their sites: `shop`, `second` and `doomed` of one organization, `other` of another. */
export async function accessPeople(app: TestApp): Promise<AccessPeople> {
	const users = await createPeople(app);
	const ids = Object.fromEntries(Object.entries(users).map(([person, { id }]) => [person, id])) as AccessPeople["ids"];
	const call = async (method: "POST" | "DELETE", url: string, headers: Headers, payload: object) => {
		const response = await app.inject({ method, url: `/api/v1${url}`, headers: { ...headers }, payload });
		if (response.statusCode >= 300) throw new Error(`${method} ${url}: ${response.body}`);
		return response.json().data;
	};
	const signIn = async (person: SignedInPerson): Promise<Headers> =>
		(await openTestSession(authOf(app), users[person])).headers;
	const impersonate = async (): Promise<Headers> => {
		const asked = { user_id: ids["org owner"], reason: "To see what they see" };
		return bearer((await call("POST", "/admin/impersonate-user", await signIn("superadmin"), asked)).access_token);
	};
	const freshSession = (person: Person) => (person === "impersonating superadmin" ? impersonate() : signIn(person));

	const owner = await signIn("org owner");
	for (const name of ["Shop", "Second", "Doomed"]) await call("POST", "/sites", owner, { name });
	await call("POST", "/sites", await signIn("owner of another organization"), { name: "Other" });
	await assignRoles(app, ids);

	const ownKey = async (scopes: readonly KeyScope[], siteIds: readonly string[] | null, days: number | null) => {
		const who = { userId: ids["org owner"], actor: systemActor };
		const input = { name: scopes.join(" "), scopes, siteIds, expiresInDays: days };
		return createToken(app, who, input);
	};
	const letIn = async (site: string, resource?: string): Promise<AppTokens> =>
		appTokens(app, { headers: await signIn("org owner"), site, ...(resource !== undefined && { resource }) });
	const expired = {
		jwt: await signIn("org owner"),
		key: (await ownKey(allScopes, null, 1)).value,
		oauth: (await letIn("shop")).accessToken,
	};
	app.clock.advance(DAY_MS);
	const revoked = { jwt: await signIn("org owner"), key: await ownKey(allScopes, null, null) };
	await call("POST", "/auth/logout", revoked.jwt, {});
	await call("DELETE", `/api-tokens/${revoked.key.row.id}`, await signIn("org owner"), {});
	const ended = await letIn("shop");
	await sendForm(app, "/oauth/revoke", { token: ended.refreshToken });
	const liveKey = (await ownKey(allScopes, null, null)).value;
	const now = app.clock.now();
	const challenge = await issueOneTimeToken(app.metadata, "sign_in_challenge", ids["org owner"], now);
	const sessions = await everySession(freshSession);
	const keysByScopes = new Map<string, Headers>();
	for (const scopes of scopeChoices) keysByScopes.set(scopes.join(), key((await ownKey(scopes, null, null)).value));
	return {
		ids,
		sessions,
		dead: {
			"no credential": {},
			"malformed bearer": bearer("not.a.token"),
			"key sent as bearer": bearer(liveKey),
			"expired JWT": expired.jwt,
			"JWT for another audience": await forAnotherAudience(app, sessions["org owner"]),
			"JWT of a revoked session": revoked.jwt,
			"2FA challenge as bearer": bearer(challenge.token),
			"unknown key": key(`svc_${"x".repeat(60)}`),
			"revoked key": key(revoked.key.value),
			"expired key": key(expired.key),
			"unknown OAuth token": bearer(`oat_${"x".repeat(43)}`),
			"expired OAuth token": bearer(expired.oauth),
			"OAuth token of a revoked grant": bearer(ended.accessToken),
			"OAuth refresh token": bearer((await letIn("shop")).refreshToken),
		},
		keyWith: (scopes) => {
			const known = keysByScopes.get(allScopes.filter((scope) => scopes.includes(scope)).join());
			if (known === undefined) throw new Error(`There is no key with ${scopes}`);
			return known;
		},
		keyOfOtherSite: key((await ownKey(allScopes, ["second"], null)).value),
		apps: {
			app: bearer((await letIn("shop")).accessToken),
			"app of another site": bearer((await letIn("second")).accessToken),
			"app for the MCP server": bearer((await letIn("shop", `${rootUrl(app.config)}/mcp`)).accessToken),
		},
		freshSession,
	};
}

async function createPeople(app: TestApp): Promise<Record<SignedInPerson, UserRow>> {
	const users: Partial<Record<Person, UserRow>> = {};
	for (const name of people.filter((person) => person !== "impersonating superadmin")) {
		const role = name === "superadmin" ? "superadmin" : "user";
		const email = `${name.replaceAll(" ", "-")}@example.com`;
		users[name] = await insertTestUser(app, { email, name, role });
	}
	return users as Record<SignedInPerson, UserRow>;
}

/** Roles in the organization, and on two of its sites. */
async function assignRoles(app: TestApp, ids: AccessPeople["ids"]): Promise<void> {
	const { metadata } = app;
	const joins = { "org admin": "admin", member: "member", "site viewer": "member", "site editor": "member" };
	for (const [person, role] of Object.entries({ ...joins, "site owner": "member" })) {
		await sql`insert into organization_members (organization_id, user_id, role, created_at)
			select organization_id, ${ids[person as SignedInPerson]}, ${role}, 0 from sites where id = 'shop'`.execute(
			metadata,
		);
	}
	for (const role of ["viewer", "editor", "owner"] as const) {
		for (const site of ["shop", "doomed"]) {
			await sql`insert into site_members (site_id, user_id, role, created_at)
				values (${site}, ${ids[`site ${role}`]}, ${role}, 0)`.execute(metadata);
		}
	}
}

async function everySession(open: (person: Person) => Promise<Headers>): Promise<Record<Person, Headers>> {
	const sessions: Partial<Record<Person, Headers>> = {};
	for (const person of people) sessions[person] = await open(person);
	return sessions as Record<Person, Headers>;
}

/** The claims of a live session under the server's own key, but for somebody else. */
async function forAnotherAudience(app: TestApp, session: Headers): Promise<Headers> {
	const [, payload = ""] = String(session.authorization).split(".");
	const { aud: _, ...claims } = JSON.parse(Buffer.from(payload, "base64url").toString());
	const { id: kid, key: secret } = signingKey(app.config.secretKey, app.clock.now());
	const header = { alg: "HS256", typ: "JWT", kid };
	return bearer(await new SignJWT(claims).setProtectedHeader(header).setAudience("footfall:export").sign(secret));
}
