import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { type SignedIn, sharedAccountsApp, userForEach } from "../../../../../test/support/accounts-app.ts";
import { auditTrail } from "../../../../../test/support/audit-trail.ts";
import { codeOf } from "../../../../../test/support/refusals.ts";
import { updateUser } from "../../users/index.ts";

const errorOf = (response: { statusCode: number; json(): { error: { code: string; message: string } } }) => [
	response.statusCode,
	response.json().error.code,
	response.json().error.message,
];
const refreshCookie = (cookies: Readonly<Record<string, string>>) => ({
	svc_refresh_token: cookies.svc_refresh_token ?? "",
});

describe("sessions", () => {
	const app = sharedAccountsApp();
	const ann = userForEach(app, "Ann");

	const refresh = (cookies: Readonly<Record<string, string>>, headers = {}) =>
		app.call("POST /auth/refresh", { cookies: refreshCookie(cookies), headers });
	const me = (as: SignedIn) => app.call("GET /auth/me", { as });

	test("a token opens by bearer and by cookie, and the messages of a refused one", async () => {
		const bearer = (token: string) => app.call("GET /auth/me", { headers: { authorization: token } });
		const byCookie = await app.call("GET /users/me", { cookies: { svc_access_token: ann.token } });
		assert.deepEqual(byCookie.json().data, (await me(ann)).json().data);
		for (const route of ["GET /auth/me", "POST /auth/refresh"]) {
			assert.deepEqual(errorOf(await app.call(route)), [401, "unauthorized", "Authentication required"]);
		}
		const invalid = [401, "token_invalid", "Invalid token"];
		assert.deepEqual(errorOf(await bearer("Bearer nonsense")), invalid);
		assert.deepEqual(errorOf(await bearer(`Basic ${ann.token}`)), invalid);
		assert.deepEqual(errorOf(await bearer(`Bearer ${ann.token.slice(0, -2)}`)), invalid);
		const [, payload = ""] = ann.token.split(".");
		const unsigned = `${Buffer.from('{"alg":"none"}').toString("base64url")}.${payload}.`;
		assert.deepEqual(errorOf(await bearer(`Bearer ${unsigned}`)), invalid);
		app.clock.advance(899_000);
		assert.equal((await me(ann)).statusCode, 200);
		app.clock.advance(1_000);
		assert.deepEqual(errorOf(await me(ann)), [401, "token_expired", "Token has expired"]);
	});

	test("refresh rotates the cookie and gives a new access token", async () => {
		app.clock.advance(20 * 60_000);
		const response = await refresh(ann.cookies);
		assert.equal(response.statusCode, 200);
		const { access_token: token, ...rest } = response.json().data;
		assert.deepEqual(rest, { token_type: "bearer", expires_in: 900 });
		const headers = { authorization: `Bearer ${token}` };
		assert.equal((await app.call("GET /auth/me", { headers })).statusCode, 200);
		const cookies = Object.fromEntries(response.cookies.map(({ name, value }) => [name, value]));
		assert.notEqual(cookies.svc_refresh_token, ann.cookies.svc_refresh_token);
		assert.equal(cookies.svc_csrf_token, ann.cookies.svc_csrf_token);
		assert.equal((await refresh(cookies)).statusCode, 200);
	});

	test("a made-up token with the name of a session ends nothing", async () => {
		const name = (ann.cookies.svc_refresh_token ?? "").slice(0, 37);
		assert.equal((await refresh({ svc_refresh_token: "nonsense" })).json().error.code, "token_invalid");
		for (const secret of ["A".repeat(43), Buffer.alloc(32, 7).toString("base64url")]) {
			assert.equal((await refresh({ svc_refresh_token: name + secret })).json().error.code, "token_invalid");
		}
		assert.equal((await refresh(ann.cookies)).statusCode, 200);
	});

	test("a rotated token replayed within ten seconds is refused, later it ends the session", async () => {
		const first = await refresh(ann.cookies);
		const token = first.json().data.access_token;
		app.clock.advance(10_000);
		assert.deepEqual(errorOf(await refresh(ann.cookies)), [401, "token_invalid", "Invalid token"]);
		const headers = { authorization: `Bearer ${token}` };
		assert.equal((await app.call("GET /auth/me", { headers })).statusCode, 200);
		app.clock.advance(1);
		const revoked = [401, "unauthorized", "Session has been revoked"];
		assert.deepEqual(errorOf(await refresh(ann.cookies)), revoked);
		assert.deepEqual(errorOf(await app.call("GET /auth/me", { headers })), revoked);
		const cookies = Object.fromEntries(first.cookies.map(({ name, value }) => [name, value]));
		assert.deepEqual(errorOf(await refresh(cookies)), revoked);
	});

	test("a session ends 30 days after its last refresh and 90 days after sign-in", async () => {
		const days = (count: number) => app.clock.advance(count * 86_400_000);
		let { cookies } = ann;
		for (const step of [29, 29]) {
			days(step);
			const response = await refresh(cookies);
			assert.equal(response.statusCode, 200);
			cookies = Object.fromEntries(response.cookies.map(({ name, value }) => [name, value]));
		}
		days(29);
		app.clock.advance(300);
		const last = await refresh(cookies);
		assert.equal(last.cookies.find(({ name }) => name === "svc_refresh_token")?.maxAge, 3 * 86_400);
		days(3);
		const after = Object.fromEntries(last.cookies.map(({ name, value }) => [name, value]));
		assert.deepEqual(errorOf(await refresh(after)), [401, "token_expired", "Token has expired"]);
	});

	test("a refresh from a foreign origin is refused, from the own ones not", async () => {
		const foreign = await refresh(ann.cookies, { origin: "https://evil.example" });
		assert.deepEqual(codeOf(foreign), [403, "csrf_failed"]);
		assert.equal((await refresh(ann.cookies, { origin: "null" })).statusCode, 403);
		assert.equal((await refresh(ann.cookies, { origin: "https://stats.example" })).statusCode, 200);
		const bob = await app.user("Bob");
		assert.equal(
			(await refresh(bob.cookies, { origin: "http://localhost:3000", host: "localhost:3000" })).statusCode,
			200,
		);
	});

	test("writes by cookie need the CSRF token of the session, reads and bearers do not", async () => {
		const { svc_access_token = "", svc_csrf_token = "" } = ann.cookies;
		const logout = (cookies: Record<string, string>, headers = {}) =>
			app.call("POST /auth/logout", { cookies: { svc_access_token, ...cookies }, headers });
		const refused = [403, "csrf_failed", "CSRF token missing or mismatched"];
		assert.deepEqual(errorOf(await logout({})), refused);
		assert.deepEqual(errorOf(await logout({ svc_csrf_token })), refused);
		assert.deepEqual(errorOf(await logout({ svc_csrf_token: "x" }, { "x-csrf-token": svc_csrf_token })), refused);
		assert.deepEqual(errorOf(await logout({ svc_csrf_token: "x" }, { "x-csrf-token": "x" })), refused);
		assert.equal((await logout({ svc_csrf_token }, { "x-csrf-token": svc_csrf_token })).statusCode, 200);
	});

	test("logout and deactivation end the session at its next request; logout clears the cookies", async () => {
		const response = await app.call("POST /auth/logout", { as: ann });
		assert.deepEqual(response.json().data, { message: "Signed out" });
		assert.deepEqual(
			response.cookies.map(({ name, value, path }) => [name, value, path]),
			[
				["svc_access_token", "", "/"],
				["svc_refresh_token", "", "/api/v1/auth"],
				["svc_csrf_token", "", "/"],
			],
		);
		assert.deepEqual(errorOf(await me(ann)), [401, "unauthorized", "Session has been revoked"]);
		assert.equal((await refresh(ann.cookies)).statusCode, 401);
		const bob = await app.user("Bob");
		await updateUser(app.metadata, bob.id, { is_active: 0 });
		assert.deepEqual(errorOf(await me(bob)), [401, "unauthorized", "Session has been revoked"]);
		assert.equal((await refresh(bob.cookies)).statusCode, 401);
	});

	test("the caller sees and revokes own sessions only", async () => {
		app.clock.advance(1000);
		const second = await app.signIn(ann.email);
		const bob = await app.user("Bob");
		const { sessions, total } = (await app.call("GET /auth/sessions", { as: second })).json().data;
		assert.equal(total, 2);
		const [newest, oldest] = sessions;
		assert.deepEqual(newest, {
			id: newest.id,
			user_agent: "lightMyRequest",
			ip_address: "127.0.0.1",
			created_at: "2026-11-21T12:00:01.000Z",
			last_used_at: "2026-11-21T12:00:01.000Z",
			is_current: true,
		});
		assert.equal(oldest.is_current, false);
		const revoke = (id: string, as: SignedIn) => app.call(`DELETE /auth/sessions/${id}`, { as });
		assert.equal((await revoke(oldest.id, bob)).statusCode, 404);
		assert.equal((await revoke("7", second)).statusCode, 422);
		assert.equal((await revoke(oldest.id, second)).statusCode, 200);
		assert.equal((await revoke(oldest.id, second)).statusCode, 404);
		assert.equal((await me(ann)).statusCode, 401);
		assert.equal((await me(second)).statusCode, 200);
	});

	test("revoking the current session takes its cookies back, revoking another one does not", async () => {
		const second = await app.signIn(ann.email);
		const idOf = async (as: SignedIn, current: boolean) => {
			const { sessions } = (await app.call("GET /auth/sessions", { as })).json().data;
			return sessions.find((session: { is_current: boolean }) => session.is_current === current).id as string;
		};
		const other = await app.call(`DELETE /auth/sessions/${await idOf(second, false)}`, { as: second });
		assert.equal(other.headers["set-cookie"], undefined);
		const own = await app.call(`DELETE /auth/sessions/${await idOf(second, true)}`, { as: second });
		const third = await app.signIn(ann.email);
		const all = await app.call("DELETE /auth/sessions", { as: third });
		assert.equal(all.json().data.sessions_terminated, 1);
		assert.equal((await me(third)).statusCode, 401);
		const logout = await app.call("POST /auth/logout", { as: await app.signIn(ann.email) });
		for (const response of [own, all, logout]) {
			assert.deepEqual(response.headers["set-cookie"], [
				"svc_access_token=; Max-Age=0; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT; HttpOnly; Secure; SameSite=Lax",
				"svc_refresh_token=; Max-Age=0; Path=/api/v1/auth; Expires=Thu, 01 Jan 1970 00:00:00 GMT; HttpOnly; Secure; SameSite=Strict",
				"svc_csrf_token=; Max-Age=0; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT; Secure; SameSite=Lax",
			]);
		}
	});

	test("sign-in, sign-out and every revocation are audited, the reuse of a refresh token with its reason", async () => {
		const second = await app.signIn(ann.email);
		await app.call("POST /auth/logout", { as: ann });
		const { sessions } = (await app.call("GET /auth/sessions", { as: second })).json().data;
		await refresh(second.cookies);
		app.clock.advance(10_001);
		assert.equal((await refresh(second.cookies)).statusCode, 401);
		const third = await app.signIn(ann.email);
		const fourth = await app.signIn(ann.email);
		const others = await app.call("DELETE /auth/sessions?include_current=false", { as: third });
		assert.deepEqual(others.json().data, { message: "Sessions revoked", sessions_terminated: 1 });
		assert.deepEqual([(await me(third)).statusCode, (await me(fourth)).statusCode], [200, 401]);
		await app.call("DELETE /auth/sessions?include_current=false", { as: third });
		const trail = await auditTrail(app, "user.login", "user.logout", "session.revoked");
		const user = String(ann.id);
		assert.deepEqual(
			trail.map(({ action, resource, details }) => [action, resource, details]),
			[
				["user.login", user, {}],
				["user.login", user, {}],
				["user.logout", user, {}],
				["session.revoked", sessions[0].id, { reason: "a refresh token was used again" }],
				["user.login", user, {}],
				["user.login", user, {}],
				["session.revoked", null, { sessions_terminated: 1 }],
			],
		);
		assert.ok(trail.every((entry) => entry.user === ann.id));
	});
});
