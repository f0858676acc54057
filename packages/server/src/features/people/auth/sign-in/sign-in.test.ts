import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { password, sharedAccountsApp } from "../../../../../test/support/accounts-app.ts";
import { codeOf } from "../../../../../test/support/refusals.ts";
import { insertUser, updateUser } from "../../users/index.ts";

const errorOf = (response: { statusCode: number; json(): { error: { code: string; message: string } } }) => [
	response.statusCode,
	response.json().error.code,
	response.json().error.message,
];

describe("signing in", () => {
	const app = sharedAccountsApp();

	const signIn = (email: string, given: string, headers = {}) =>
		app.call("POST /auth/token", { body: { email, password: given }, headers });

	test("e-mail and password give an access token of 15 minutes, the user and three cookies", async () => {
		await app.user("Ann");
		app.clock.advance(1000);
		const response = await signIn("ANN@example.com", password);
		assert.equal(response.statusCode, 200);
		const { access_token: token, ...data } = response.json().data;
		assert.deepEqual(data, {
			token_type: "bearer",
			expires_in: 900,
			user: {
				id: 1,
				email: "ann@example.com",
				name: "Ann",
				role: "user",
				account_ids: [],
				is_active: true,
				email_verified_at: "2026-11-21T12:00:00.000Z",
				last_login_at: "2026-11-21T12:00:01.000Z",
				created_at: "2026-11-21T12:00:00.000Z",
				two_factor_enabled: false,
				two_factor_enabled_at: null,
			},
			ip_filtered_accounts: [],
			client_ip: "127.0.0.1",
		});
		assert.equal(response.headers["cache-control"], "no-store");
		assert.deepEqual(
			[response.headers["set-cookie"]].flat().map((cookie) => String(cookie).replace(/=[^;]+/, "=…")),
			[
				"svc_access_token=…; Max-Age=900; Path=/; HttpOnly; Secure; SameSite=Lax",
				"svc_refresh_token=…; Max-Age=2592000; Path=/api/v1/auth; HttpOnly; Secure; SameSite=Strict",
				"svc_csrf_token=…; Max-Age=2592000; Path=/; Secure; SameSite=Lax",
			],
		);
		assert.equal(token.split(".").length, 3);
	});

	test("the token's claims name the user, the sites and the session", async () => {
		const ann = await app.user("Ann");
		const site = await app.site(ann);
		const { token } = await app.signIn(ann.email);
		const claims = JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString());
		const { sid, ...rest } = claims;
		assert.match(sid, /^[0-9a-f-]{36}$/);
		assert.deepEqual(rest, {
			sub: "1",
			email: "ann@example.com",
			role: "user",
			account_ids: [site],
			scopes: ["read", "write", "billing:manage"],
			aud: "footfall:session",
			iat: 1795262400,
			exp: 1795263300,
		});
	});

	test("a wrong password, an unknown address and a deactivated user answer alike and leave nothing in the log", async () => {
		const ann = await app.user("Ann");
		const wrong = [401, "invalid_credentials", "E-mail or password is wrong"];
		assert.deepEqual(errorOf(await signIn(ann.email, "not the password")), wrong);
		assert.deepEqual(errorOf(await signIn("nobody@example.com", password)), wrong);
		await app.call("GET /auth/me", { as: ann });
		await updateUser(app.metadata, ann.id, { is_active: 0 });
		assert.deepEqual(errorOf(await signIn(ann.email, password)), wrong);
		const log = app.logLines.join("");
		for (const secret of ["ann@", password, "not the password", ann.token, "127.0.0.1"]) {
			assert.equal(log.includes(secret), false, secret);
		}
	});

	test("an address that is not verified is told so, once the password is right", async () => {
		const ann = await app.user("Ann");
		await updateUser(app.metadata, ann.id, { email_verified_at: null });
		assert.equal((await signIn(ann.email, password)).json().error.code, "email_not_verified");
		assert.equal((await signIn(ann.email, "not the password")).json().error.code, "invalid_credentials");
	});

	test("a user without a password cannot sign in", async () => {
		await insertUser(app.metadata, {
			email: "claim@example.com",
			name: "Claim",
			role: "user",
			password_hash: null,
			is_active: 1,
			email_verified_at: 1,
			two_factor_enabled_at: null,
			last_login_at: null,
			created_at: 1,
			updated_at: 1,
		});
		assert.equal((await signIn("claim@example.com", "no account has this password")).statusCode, 401);
	});

	test("after ten failures in 15 minutes even the right password has to wait", async () => {
		await app.user("Ann");
		const tries = Array.from({ length: 10 }, () => signIn("ann@example.com", "not the password"));
		for (const response of await Promise.all(tries)) assert.equal(response.statusCode, 401);
		app.clock.advance(60_000);
		const refused = await signIn("ann@example.com", password);
		assert.deepEqual(errorOf(refused), [429, "rate_limit_exceeded", "Too many requests. Try again in 840 seconds."]);
		assert.equal(refused.headers["retry-after"], "840");
		app.clock.advance(840_000);
		assert.equal((await signIn("ann@example.com", password)).statusCode, 200);
	});

	test("a success forgets the failures before it, and other addresses are not held back", async () => {
		await app.user("Ann");
		await app.user("Bob");
		for (let i = 0; i < 9; i++) await signIn("ann@example.com", "not the password");
		assert.equal((await signIn("ann@example.com", password)).statusCode, 200);
		for (let i = 0; i < 10; i++) await signIn("ann@example.com", "not the password");
		assert.equal((await signIn("ann@example.com", password)).statusCode, 429);
		assert.equal((await signIn("bob@example.com", password)).statusCode, 200);
	});

	test("missing, wrong-typed and unstorable fields are 422, a body that is no JSON 400", async () => {
		const response = await app.call("POST /auth/token", { body: { email: 5 } });
		assert.equal(response.statusCode, 422);
		assert.deepEqual(
			response
				.json()
				.error.detail.map(({ field }: { field: string }) => field)
				.sort(),
			["body.email", "body.password"],
		);
		assert.equal((await signIn("a\u0000b@example.com", password)).statusCode, 422);
		const broken = await app.inject({
			method: "POST",
			url: "/api/v1/auth/token",
			headers: { "content-type": "application/json" },
			payload: "{",
		});
		assert.deepEqual(codeOf(broken), [400, "bad_request"]);
	});
});
