import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { LightMyRequestResponse } from "fastify";
import type { Tables } from "../../../../../migrations/metadata/tables/index.ts";
import { password, type SignedIn, sharedAccountsApp, userForEach } from "../../../../../test/support/accounts-app.ts";
import { auditTrail } from "../../../../../test/support/audit-trail.ts";
import { codeOf, messageOf } from "../../../../../test/support/refusals.ts";
import { updateUser } from "../../users/index.ts";

const DAY_MS = 86_400_000;
const revoked = [401, "Session has been revoked"];
const cookiesOf = ({ cookies }: LightMyRequestResponse): Readonly<Record<string, string>> =>
	Object.fromEntries(cookies.map(({ name, value }) => [name, value]));

describe("sessions", () => {
	const app = sharedAccountsApp();
	const ann = userForEach(app, "Ann");

	const refresh = ({ svc_refresh_token = "" }: Readonly<Record<string, string>>, headers = {}) =>
		app.call("POST /auth/refresh", { cookies: { svc_refresh_token }, headers });
	const me = (as: SignedIn) => app.call("GET /auth/me", { as });
	const bearer = (token: string) => app.call("GET /auth/me", { headers: { authorization: token } });
	const sessionsOf = async (as: SignedIn) => (await app.call("GET /auth/sessions", { as })).json().data;

	test("a token opens by bearer and by cookie, and the messages of a refused one", async () => {
		const byCookie = await app.call("GET /users/me", { cookies: { svc_access_token: ann.token } });
		assert.deepEqual(byCookie.json().data, (await me(ann)).json().data);
		for (const route of ["GET /auth/me", "POST /auth/refresh"]) {
			assert.deepEqual(messageOf(await app.call(route)), [401, "Authentication required"]);
		}
		for (const given of ["Bearer nonsense", `Basic ${ann.token}`, `Bearer ${ann.token.slice(0, -2)}`]) {
			assert.deepEqual(messageOf(await bearer(given)), [401, "Invalid token"], given);
		}
		app.clock.advance(899_000);
		assert.equal((await me(ann)).statusCode, 200);
		app.clock.advance(1_000);
		assert.deepEqual(messageOf(await me(ann)), [401, "Token has expired"]);
	});

	test("refresh rotates the cookie and gives a new access token", async () => {
		app.clock.advance(20 * 60_000);
		const response = await refresh(ann.cookies);
		const { access_token: token, ...rest } = response.json().data;
		assert.deepEqual(rest, { token_type: "bearer", expires_in: 900 });
		assert.equal((await bearer(`Bearer ${token}`)).statusCode, 200);
		const cookies = cookiesOf(response);
		assert.notEqual(cookies.svc_refresh_token, ann.cookies.svc_refresh_token);
		assert.equal(cookies.svc_csrf_token, ann.cookies.svc_csrf_token);
		assert.equal((await refresh(cookies)).statusCode, 200);
	});

	test("a made-up token with the name of a session ends nothing", async () => {
		const name = (ann.cookies.svc_refresh_token ?? "").slice(0, 37);
		const secrets = ["A".repeat(43), Buffer.alloc(32, 7).toString("base64url")];
		for (const token of ["nonsense", ...secrets.map((secret) => name + secret)]) {
			assert.deepEqual(codeOf(await refresh({ svc_refresh_token: token })), [401, "token_invalid"]);
		}
		assert.equal((await refresh(ann.cookies)).statusCode, 200);
	});

	test("a rotated token replayed within ten seconds is refused, later it ends the session", async () => {
		const first = await refresh(ann.cookies);
		const second = await refresh(cookiesOf(first));
		const token = `Bearer ${second.json().data.access_token}`;
		app.clock.advance(10_000);
		assert.deepEqual(codeOf(await refresh(ann.cookies)), [401, "token_invalid"]);
		assert.equal((await bearer(token)).statusCode, 200);
		app.clock.advance(1);
		for (const ended of [await refresh(ann.cookies), await bearer(token), await refresh(cookiesOf(second))]) {
			assert.deepEqual(messageOf(ended), revoked);
		}
	});

	test("a session ends 30 days after its last refresh and 90 days after sign-in", async () => {
		await app.signIn(ann.email);
		let { cookies } = ann;
		for (const days of [29, 29]) {
			app.clock.advance(days * DAY_MS);
			cookies = cookiesOf(await refresh(cookies));
		}
		app.clock.advance(29 * DAY_MS + 300);
		const last = await refresh(cookies);
		const headers = { authorization: `Bearer ${last.json().data.access_token}` };
		assert.equal((await app.call("GET /auth/sessions", { headers })).json().data.total, 1);
		assert.equal(last.cookies.find(({ name }) => name === "svc_refresh_token")?.maxAge, 3 * 86_400);
		app.clock.advance(3 * DAY_MS);
		assert.deepEqual(messageOf(await refresh(cookiesOf(last))), [401, "Token has expired"]);
	});

	test("addresses and user agents of ended sessions are forgotten at night, also when nobody signs in again", async () => {
		const storedAfter = async (days: number) => {
			app.clock.advance(days * DAY_MS);
			await app.jobs.runDue();
			return (await app.metadata.withTables<Tables>().selectFrom("sessions").select("id").execute()).length;
		};
		await app.call("POST /auth/logout", { as: await app.user("Bob") });
		assert.deepEqual([await storedAfter(0), await storedAfter(2), await storedAfter(29)], [2, 1, 0]);
	});

	test("a refresh from a foreign origin is refused, from the own ones not", async () => {
		for (const origin of ["https://evil.example", "null"]) {
			assert.deepEqual(codeOf(await refresh(ann.cookies, { origin })), [403, "csrf_failed"]);
		}
		const own = await refresh(ann.cookies, { origin: "https://stats.example" });
		const local = { origin: "http://localhost:3000", host: "localhost:3000" };
		assert.deepEqual([own.statusCode, (await refresh(cookiesOf(own), local)).statusCode], [200, 200]);
	});

	test("writes by cookie need the CSRF token of the session, reads and bearers do not", async () => {
		const { svc_access_token = "", svc_csrf_token = "" } = ann.cookies;
		const logout = (cookies: Record<string, string>, headers = {}) =>
			app.call("POST /auth/logout", { cookies: { svc_access_token, ...cookies }, headers });
		for (const refused of [
			await logout({}),
			await logout({ svc_csrf_token }),
			await logout({ svc_csrf_token: "x" }, { "x-csrf-token": svc_csrf_token }),
			await logout({ svc_csrf_token: "x" }, { "x-csrf-token": "x" }),
		]) {
			assert.deepEqual(messageOf(refused), [403, "CSRF token missing or mismatched"]);
		}
		assert.equal((await logout({ svc_csrf_token }, { "x-csrf-token": svc_csrf_token })).statusCode, 200);
	});

	test("logout and deactivation end the session at its next request; logout clears the cookies", async () => {
		const own = (await sessionsOf(ann)).sessions[0];
		const revoking = await app.call(`DELETE /auth/sessions/${own.id}`, { as: ann });
		const second = await app.signIn(ann.email);
		const logout = await app.call("POST /auth/logout", { as: second });
		const third = await app.signIn(ann.email);
		const all = await app.call("DELETE /auth/sessions", { as: third });
		for (const response of [revoking, logout, all]) {
			assert.deepEqual(response.headers["set-cookie"], [
				"svc_access_token=; Max-Age=0; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT; HttpOnly; Secure; SameSite=Lax",
				"svc_refresh_token=; Max-Age=0; Path=/api/v1/auth; Expires=Thu, 01 Jan 1970 00:00:00 GMT; HttpOnly; Secure; SameSite=Strict",
				"svc_csrf_token=; Max-Age=0; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT; Secure; SameSite=Lax",
			]);
		}
		const bob = await app.user("Bob");
		await updateUser(app.metadata, bob.id, { is_active: 0 });
		for (const ended of [second, third, bob]) {
			assert.deepEqual(messageOf(await me(ended)), revoked);
			assert.equal((await refresh(ended.cookies)).statusCode, 401);
		}
	});

	test("the caller sees and revokes own sessions only", async () => {
		app.clock.advance(1000);
		const second = await app.signIn(ann.email);
		const bob = await app.user("Bob");
		const { sessions, total } = await sessionsOf(second);
		const [newest, oldest] = sessions;
		const now = "2026-11-21T12:00:01.000Z";
		const from = { user_agent: "lightMyRequest", ip_address: "127.0.0.1" };
		assert.deepEqual(newest, { id: newest.id, ...from, created_at: now, last_used_at: now, is_current: true });
		assert.deepEqual([total, oldest.is_current], [2, false]);
		const revoke = (id: string, as: SignedIn) => app.call(`DELETE /auth/sessions/${id}`, { as });
		assert.equal((await revoke(oldest.id, bob)).statusCode, 404);
		assert.equal((await revoke("7", second)).statusCode, 422);
		const done = await revoke(oldest.id, second);
		assert.deepEqual([done.statusCode, done.headers["set-cookie"]], [200, undefined]);
		assert.equal((await revoke(oldest.id, second)).statusCode, 404);
		assert.deepEqual([(await me(ann)).statusCode, (await me(second)).statusCode], [401, 200]);
		app.clock.advance(1);
		const headers = { "user-agent": "x".repeat(301) };
		await app.call("POST /auth/token", { body: { email: ann.email, password }, headers });
		assert.equal((await sessionsOf(second)).sessions[0].user_agent, "x".repeat(300));
	});

	test("sign-in, sign-out and every revocation are audited, the reuse of a refresh token with its reason", async () => {
		const second = await app.signIn(ann.email);
		await app.call("POST /auth/logout", { as: ann });
		const { sessions } = await sessionsOf(second);
		await refresh(second.cookies);
		app.clock.advance(10_001);
		assert.equal((await refresh(second.cookies)).statusCode, 401);
		const third = await app.signIn(ann.email);
		const fourth = await app.signIn(ann.email);
		const others = await app.call("DELETE /auth/sessions?include_current=false", { as: third });
		assert.deepEqual(others.json().data, { message: "Sessions revoked", sessions_terminated: 1 });
		assert.deepEqual([(await me(third)).statusCode, (await me(fourth)).statusCode], [200, 401]);
		await app.call("DELETE /auth/sessions?include_current=false", { as: third });
		const trail = await auditTrail(app, "user.logout", "session.revoked");
		assert.deepEqual(
			trail.map(({ action, user, resource, details }) => [action, user, resource, details]),
			[
				["user.logout", ann.id, String(ann.id), {}],
				["session.revoked", ann.id, sessions[0].id, { reason: "a refresh token was used again" }],
				["session.revoked", ann.id, null, { sessions_terminated: 1 }],
			],
		);
		assert.equal((await auditTrail(app, "user.login")).length, 4);
	});
});
