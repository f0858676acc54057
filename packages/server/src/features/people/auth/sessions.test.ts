import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Tables } from "../../../../migrations/metadata/tables/index.ts";
import {
	cookiesOf,
	password,
	type SignedIn,
	sharedAccountsApp,
	userForEach,
} from "../../../../test/support/accounts-app.ts";
import { auditTrail } from "../../../../test/support/audit-trail.ts";
import { mailbox, mailedToken } from "../../../../test/support/mailbox.ts";
import { codeOf, messageOf } from "../../../../test/support/refusals.ts";
import { countAttempt } from "../failure-limits/index.ts";
import { updateUser } from "../users/index.ts";

const DAY_MS = 86_400_000;
const revoked = [401, "Session has been revoked"];
const home = "127.0.0.1";
const wrong = "not the password";
const next = "an entirely different secret 8";
const email = "ann@example.com";

const app = sharedAccountsApp();

describe("sessions", () => {
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
		const [{ id }] = (await sessionsOf(ann)).sessions;
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
		const [{ user, resource, details } = assert.fail()] = await auditTrail(app, "session.revoked");
		assert.deepEqual([user, resource, details], [ann.id, id, { reason: "a refresh token was used again" }]);
	});

	test("a session ends 30 days after its last refresh and 90 days after sign-in", async () => {
		await app.signIn(email);
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

	test("logout and deactivation end the session at its next request; logout clears the cookies", async () => {
		const own = (await sessionsOf(ann)).sessions[0];
		const revoking = await app.call(`DELETE /auth/sessions/${own.id}`, { as: ann });
		const second = await app.signIn(email);
		const logout = await app.call("POST /auth/logout", { as: second });
		const third = await app.signIn(email);
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
		const second = await app.signIn(email);
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
		await app.call("POST /auth/token", { body: { email: email, password }, headers });
		assert.equal((await sessionsOf(second)).sessions[0].user_agent, "x".repeat(300));
	});

	test("of the other sessions revoked together the number is answered and audited, of none nothing", async () => {
		const second = await app.signIn(email);
		const revokeOthers = () => app.call("DELETE /auth/sessions?include_current=false", { as: second });
		assert.deepEqual((await revokeOthers()).json().data, { message: "Sessions revoked", sessions_terminated: 1 });
		assert.deepEqual([(await me(ann)).statusCode, (await me(second)).statusCode], [401, 200]);
		await revokeOthers();
		const trail = await auditTrail(app, "session.revoked");
		const entries = trail.map(({ user, resource, details }) => [user, resource, details]);
		assert.deepEqual(entries, [[ann.id, null, { sessions_terminated: 1 }]]);
	});
});

describe("signing in", () => {
	const postFrom = (ip: string, path: string, payload: object) =>
		app.inject({ method: "POST", url: `/api/v1${path}`, payload, remoteAddress: ip });
	const signIn = (given: string, ip = home, address = email) =>
		postFrom(ip, "/auth/token", { email: address, password: given });
	/** State after so many wrong passwords, without the time of hashing them. */
	const failFromEverywhere = async (times: number, address = email) => {
		const limit = { name: "sign-in-account", failures: 100, windowMs: 3_600_000 };
		const deps = { metadata: app.metadata, clock: app.clock, secretKey: app.config.secretKey };
		for (let i = 0; i < times; i++) await countAttempt(deps, limit, address);
	};

	test("email and password give an access token of 15 minutes, the user and three cookies", async () => {
		const ann = await app.user("Ann");
		const site = await app.site(ann);
		app.clock.advance(1000);
		const response = await signIn(password, home, "ANN@example.com");
		const { access_token: token, user, ...data } = response.json().data;
		assert.deepEqual(data, {
			token_type: "bearer",
			expires_in: 900,
			ip_filtered_accounts: [],
			client_ip: "127.0.0.1",
		});
		assert.deepEqual(user, {
			id: 1,
			email,
			name: "Ann",
			role: "user",
			account_ids: [site],
			is_active: true,
			email_verified_at: "2026-11-21T12:00:00.000Z",
			last_login_at: "2026-11-21T12:00:01.000Z",
			created_at: "2026-11-21T12:00:00.000Z",
			two_factor_enabled: false,
			two_factor_enabled_at: null,
		});
		assert.equal(response.headers["cache-control"], "no-store");
		const setCookies = [response.headers["set-cookie"]].flat().map((cookie) => String(cookie).replace(/=[^;]+/, "=…"));
		assert.deepEqual(setCookies, [
			"svc_access_token=…; Max-Age=900; Path=/; HttpOnly; Secure; SameSite=Lax",
			"svc_refresh_token=…; Max-Age=2592000; Path=/api/v1/auth; HttpOnly; Secure; SameSite=Strict",
			"svc_csrf_token=…; Max-Age=2592000; Path=/; Secure; SameSite=Lax",
		]);
		const { sid, ...claims } = JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString());
		assert.match(sid, /^[0-9a-f-]{36}$/);
		const subject = { sub: "1", email, role: "user", account_ids: [site], scopes: ["read", "write", "billing:manage"] };
		assert.deepEqual(claims, { ...subject, aud: "footfall:session", iat: 1795262401, exp: 1795263301 });
	});

	test("a wrong password, an unknown address and a deactivated user answer alike and leave nothing in the log", async () => {
		const ann = await app.user("Ann");
		const answers = [await signIn(wrong), await signIn(password, home, "nobody@example.com")];
		await app.call("GET /auth/me", { as: ann });
		await updateUser(app.metadata, ann.id, { is_active: 0 });
		answers.push(await signIn(password));
		for (const answer of answers) {
			const { code, message } = answer.json().error;
			assert.deepEqual([answer.statusCode, code, message], [401, "invalid_credentials", "Email or password is wrong"]);
		}
		const log = app.logLines.join("");
		for (const secret of ["ann@", password, wrong, ann.token, "127.0.0.1"]) assert.ok(!log.includes(secret), secret);
	});

	test("after ten failures in 15 minutes even the right password has to wait; a success forgets those before it", async () => {
		await app.user("Ann");
		await app.user("Bob");
		for (let i = 0; i < 9; i++) await signIn(wrong);
		assert.equal((await signIn(password)).statusCode, 200);
		const tries = await Promise.all(Array.from({ length: 10 }, () => signIn(wrong)));
		assert.ok(tries.every(({ statusCode }) => statusCode === 401));
		app.clock.advance(60_000);
		const refused = await signIn(password);
		assert.deepEqual([...codeOf(refused), refused.headers["retry-after"]], [429, "rate_limit_exceeded", "840"]);
		assert.equal(refused.json().error.message, "Too many requests. Try again in 840 seconds.");
		assert.equal((await signIn(password, home, "bob@example.com")).statusCode, 200);
		app.clock.advance(840_000);
		assert.equal((await signIn(password)).statusCode, 200);
	});

	test("a hundred failures in an hour stop guesses from further addresses, known account or not", async () => {
		await app.user("Ann");
		for (const address of [email, "nobody@example.com"]) {
			await failFromEverywhere(100, address);
			app.clock.advance(600_000);
			const refused = await signIn(password, "203.0.113.9", address);
			assert.deepEqual([...codeOf(refused), refused.headers["retry-after"]], [429, "rate_limit_exceeded", "3000"]);
		}
		app.clock.advance(3_600_000);
		assert.equal((await signIn(password, "203.0.113.9")).statusCode, 200);
	});

	test("failures of wrong passwords count from every address together", async () => {
		await app.user("Ann");
		await failFromEverywhere(97);
		app.clock.advance(3_599_999);
		const given = [wrong, wrong, password, wrong, wrong];
		const answers: number[] = [];
		for (const [at, one] of given.entries()) {
			answers.push((await signIn(one, `203.0.113.${at}`, at === 1 ? "ANN@example.com" : email)).statusCode);
		}
		assert.deepEqual(answers, [401, 401, 200, 401, 429]);
		app.clock.advance(1);
		assert.equal((await signIn(wrong, "203.0.113.12")).statusCode, 401);
	});

	test("the owner is not locked out: where a session is, and where a password was reset by mail, sign-in goes on", async () => {
		await app.user("Ann");
		await failFromEverywhere(100);
		assert.deepEqual([(await signIn(wrong)).statusCode, (await signIn(password)).statusCode], [401, 200]);
		const abroad = "198.51.100.7";
		assert.equal((await signIn(password, abroad)).statusCode, 429);
		await postFrom(abroad, "/auth/forgot-password", { email });
		const body = { token: await mailedToken(app, email), new_password: next };
		assert.equal((await postFrom(abroad, "/auth/reset-password", body)).statusCode, 200);
		assert.equal((await signIn(next, abroad)).statusCode, 200);
		assert.equal((await signIn(next, "198.51.100.8")).statusCode, 429);
	});

	test("the addresses of one IPv6 network count as one", async () => {
		await app.user("Ann");
		for (let i = 1; i <= 10; i++) assert.equal((await signIn(wrong, `2001:db8::${i}`)).statusCode, 401);
		assert.equal((await signIn(password, "2001:db8::ffff")).statusCode, 429);
		assert.equal((await signIn(password, "2001:db8:0:1::1")).statusCode, 200);
	});

	test("an address gets five mails an hour that anybody may ask for, and the answers stay the same", async () => {
		await app.user("Ann");
		const forgot = (ip: string) => postFrom(ip, "/auth/forgot-password", { email });
		const answers = new Set<string>();
		for (let i = 0; i < 7; i++) answers.add((await forgot(`198.51.100.${i}`)).body);
		assert.deepEqual([answers.size, (await mailbox(app).to(email)).length], [1, 5]);
		app.clock.advance(3_600_000);
		await forgot(home);
		assert.equal((await mailbox(app).to(email)).length, 6);
	});
});
