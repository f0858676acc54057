import { SignJWT } from "jose";
import { sql } from "kysely";
import { signingKey } from "../../src/access/session-token.ts";
import { authOf } from "../../src/composition/app-deps.ts";
import { systemActor } from "../../src/features/auditing/audit-log/index.ts";
import { createToken } from "../../src/features/people/api-tokens/index.ts";
import { issueOneTimeToken } from "../../src/features/people/one-time-tokens/index.ts";
import type { UserRow } from "../../src/features/people/users/index.ts";
import { rootUrl } from "../../src/platform/config/root-url.ts";
import { type AppToken, type deadCredentials, type KeyScope, keyScopes, type Person, people } from "./access-table.ts";
import { appTokens, postForm } from "./oauth-flow.ts";
import { dataOf } from "./request-of.ts";
import type { TestApp } from "./test-app.ts";
import { insertTestUser, openTestSession } from "./test-users.ts";

export type Headers = Readonly<Record<string, string>>;
type SignedInPerson = Exclude<Person, "impersonating superadmin">;

const DAY_MS = 86_400_000;

const bearer = (token: string): Headers => ({ authorization: `Bearer ${token}` });
const key = (value: string): Headers => ({ "x-api-key": value });

/** Makes the people with their sites: `shop`, `second` and `doomed` of one organization, `other` of another. */
export async function accessPeople(app: TestApp) {
	const users = {} as Record<SignedInPerson, UserRow>;
	const ids = {} as Record<SignedInPerson, number>;
	for (const name of people.filter((person) => person !== "impersonating superadmin")) {
		const role = name === "superadmin" ? "superadmin" : "user";
		users[name] = await insertTestUser(app, { email: `${name.replaceAll(" ", "-")}@example.com`, name, role });
		ids[name] = users[name].id;
	}
	const call = (route: string, headers: Headers, body: object) => dataOf(app, route, { headers, body });
	const freshSession = async (person: Person): Promise<Headers> => {
		if (person !== "impersonating superadmin") return (await openTestSession(authOf(app), users[person])).headers;
		const body = { user_id: ids["org owner"], reason: "To see what they see" };
		return bearer((await call("POST /admin/impersonate-user", await freshSession("superadmin"), body)).access_token);
	};
	const owner = await freshSession("org owner");
	for (const name of ["Shop", "Second", "Doomed"]) await call("POST /sites", owner, { name });
	await call("POST /sites", await freshSession("owner of another organization"), { name: "Other" });
	await assignRoles(app, ids);

	const newKey = (
		scopes: readonly KeyScope[],
		{ sites = null as null | string[], days = null as null | number } = {},
	) => {
		const input = { name: scopes.join(" "), scopes, siteIds: sites, expiresInDays: days };
		return createToken(app, { userId: ids["org owner"], actor: systemActor }, input);
	};
	const letIn = async (site = "shop", resource?: string) =>
		appTokens(app, { headers: await freshSession("org owner"), site, ...(resource !== undefined && { resource }) });
	const expired = {
		jwt: await freshSession("org owner"),
		key: (await newKey(keyScopes, { days: 1 })).value,
		oauth: (await letIn()).accessToken,
	};
	app.clock.advance(DAY_MS);
	const revoked = { jwt: await freshSession("org owner"), key: await newKey(keyScopes) };
	await call("POST /auth/logout", revoked.jwt, {});
	await call(`DELETE /api-tokens/${revoked.key.row.id}`, await freshSession("org owner"), {});
	const ended = await letIn();
	await postForm(app, "revoke", { token: ended.refreshToken });
	const now = app.clock.now();
	const challenge = await issueOneTimeToken(app.metadata, "sign_in_challenge", ids["org owner"], now);
	const sessions = {} as Record<Person, Headers>;
	for (const person of people) sessions[person] = await freshSession(person);
	const keysByScopes = new Map<string, Headers>();
	for (const choice of [1, 2, 3, 4, 5, 6, 7]) {
		const scopes = keyScopes.filter((_, place) => (choice >> place) & 1);
		keysByScopes.set(scopes.join(), key((await newKey(scopes)).value));
	}
	const dead: Readonly<Record<keyof typeof deadCredentials, Headers>> = {
		"no credential": {},
		"malformed bearer": bearer("not.a.token"),
		"key sent as bearer": bearer((await newKey(keyScopes)).value),
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
		"OAuth refresh token": bearer((await letIn()).refreshToken),
	};
	const apps: Readonly<Record<AppToken, Headers>> = {
		app: bearer((await letIn()).accessToken),
		"app of another site": bearer((await letIn("second")).accessToken),
		"app for the MCP server": bearer((await letIn("shop", `${rootUrl(app.config)}/mcp`)).accessToken),
	};
	return {
		ids,
		sessions,
		dead,
		apps,
		freshSession,
		/** Keys of the org owner by their scopes, in whatever order. */
		keyWith: (scopes: readonly KeyScope[]): Headers => {
			const known = keysByScopes.get(keyScopes.filter((scope) => scopes.includes(scope)).join());
			if (known === undefined) throw new Error(`There is no key with ${scopes}`);
			return known;
		},
		/** One with all scopes for `second` only. */
		keyOfOtherSite: key((await newKey(keyScopes, { sites: ["second"] })).value),
	};
}

/** Roles in the organization, and on two of its sites. */
async function assignRoles({ metadata }: TestApp, ids: Record<SignedInPerson, number>): Promise<void> {
	for (const person of ["org admin", "member", "site viewer", "site editor", "site owner"] as const) {
		await sql`insert into organization_members (organization_id, user_id, role, created_at)
			select organization_id, ${ids[person]}, ${person === "org admin" ? "admin" : "member"}, 0
			from sites where id = 'shop'`.execute(metadata);
	}
	for (const role of ["viewer", "editor", "owner"] as const) {
		for (const site of ["shop", "doomed"]) {
			await sql`insert into site_members (site_id, user_id, role, created_at)
				values (${site}, ${ids[`site ${role}`]}, ${role}, 0)`.execute(metadata);
		}
	}
}

/** The claims of a live session under the server's own key, but for somebody else. */
async function forAnotherAudience(app: TestApp, session: Headers): Promise<Headers> {
	const [, payload = ""] = String(session.authorization).split(".");
	const { aud: _, ...claims } = JSON.parse(Buffer.from(payload, "base64url").toString());
	const { id: kid, key: secret } = signingKey(app.config.secretKey, app.clock.now());
	const header = { alg: "HS256", typ: "JWT", kid };
	return bearer(await new SignJWT(claims).setProtectedHeader(header).setAudience("footfall:export").sign(secret));
}
