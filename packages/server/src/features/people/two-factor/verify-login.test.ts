import assert from "node:assert/strict";
import { beforeEach, describe, test } from "node:test";
import { password, type SignedIn, sharedAccountsApp } from "../../../../test/support/accounts-app.ts";
import { type Authenticator, enableTwoFactor, wrongCode } from "../../../../test/support/authenticator.ts";
import { mailbox } from "../../../../test/support/mailbox.ts";
import { codeOf } from "../../../../test/support/refusals.ts";
import { completeSignIn, finishSignIn } from "../auth/index.ts";
import { findUser, updateUser } from "../users/index.ts";

const DAY_MS = 86_400_000;

describe("the second step of a sign-in", () => {
	const app = sharedAccountsApp();
	let ann: SignedIn;
	let authenticator: Authenticator;
	beforeEach(async () => {
		ann = await app.user("Ann");
		authenticator = await enableTwoFactor(app, ann);
	});

	const firstStep = async (): Promise<string> => {
		const response = await app.call("POST /auth/token", { body: { email: ann.email, password } });
		assert.equal(response.statusCode, 200, response.body);
		return response.json().data.challenge_token;
	};
	const answer = (challengeToken: string, code: string, more = {}) =>
		app.call("POST /2fa/verify-login", { body: { challenge_token: challengeToken, code, ...more } });
	const backup = (challengeToken: string, code: string) => answer(challengeToken, code, { is_backup_code: true });
	const wrong = () => wrongCode(authenticator.secret, app.clock.now());
	const wrongMany = async (count: number) => {
		for (let left = count; left > 0; left -= 5) {
			const challenge = await firstStep();
			for (let i = 0; i < Math.min(5, left); i++) await answer(challenge, wrong());
		}
	};

	test("a right password answers a challenge, no cookie and nothing of the user", async () => {
		const response = await app.call("POST /auth/token", { body: { email: ann.email, password } });
		const { challenge_token: challenge, message, ...data } = response.json().data;
		assert.deepEqual(data, { requires_2fa: true, expires_in: 300 });
		assert.match(challenge, /^[A-Za-z0-9_-]{43}$/);
		assert.equal(typeof message, "string");
		assert.equal(response.headers["set-cookie"], undefined);
		assert.equal(response.headers["cache-control"], "no-store");
	});

	test("the code ends the sign-in: the login answer with its cookies", async () => {
		const response = await answer(await firstStep(), authenticator.code());
		const { access_token: token, user, ...rest } = response.json().data;
		assert.deepEqual(rest, {
			token_type: "bearer",
			expires_in: 900,
			ip_filtered_accounts: [],
			client_ip: "127.0.0.1",
		});
		assert.deepEqual(
			[user.id, user.two_factor_enabled, user.last_login_at],
			[ann.id, true, "2026-11-21T12:01:00.000Z"],
		);
		const names = response.cookies.map(({ name }) => name);
		assert.deepEqual(names, ["svc_access_token", "svc_refresh_token", "svc_csrf_token"]);
		const headers = { authorization: `Bearer ${token}` };
		assert.equal((await app.call("GET /users/me", { headers })).statusCode, 200);
	});

	test("a code that was used is refused", async () => {
		const code = authenticator.code();
		const first = await firstStep();
		assert.equal((await answer(first, code)).statusCode, 200);
		assert.deepEqual(codeOf(await answer(await firstStep(), code)), [401, "invalid_credentials"]);
	});

	test("a code of the step before or after is right, of two steps away wrong", async () => {
		assert.equal((await answer(await firstStep(), authenticator.code(-1))).statusCode, 200);
		assert.equal((await answer(await firstStep(), authenticator.code(1))).statusCode, 200);
		// A step before the last used one.
		assert.equal((await answer(await firstStep(), authenticator.code())).statusCode, 401);
		app.clock.advance(120_000);
		assert.equal((await answer(await firstStep(), authenticator.code(-2))).statusCode, 401);
		assert.equal((await answer(await firstStep(), authenticator.code(2))).statusCode, 401);
	});

	test("a backup code works once, in any case and without dashes, and only where it is announced", async () => {
		const [code = ""] = authenticator.backupCodes;
		assert.deepEqual(codeOf(await answer(await firstStep(), code)), [401, "invalid_credentials"]);
		const loose = code.replaceAll("-", "").toUpperCase();
		assert.equal((await backup(await firstStep(), loose)).statusCode, 200);
		assert.deepEqual(codeOf(await backup(await firstStep(), code)), [401, "invalid_credentials"]);
		assert.equal((await app.call("GET /2fa/status", { as: ann })).json().data.backup_codes_remaining, 9);
	});

	test("a challenge takes no code of another user; made up it is token_invalid, past five minutes token_expired", async () => {
		const missing = await app.call("POST /2fa/verify-login", { body: { code: "12345" } });
		const fields = missing.json().error.detail.map(({ field }: { field: string }) => field);
		assert.deepEqual([missing.statusCode, fields.sort()], [422, ["body.challenge_token", "body.code"]]);
		assert.deepEqual(codeOf(await answer("nonsense", authenticator.code())), [401, "token_invalid"]);
		const other = await enableTwoFactor(app, await app.user("Bob"));
		const challenge = await firstStep();
		assert.equal((await answer(challenge, other.code())).statusCode, 401);
		assert.equal((await backup(challenge, other.backupCodes[0] ?? "")).statusCode, 401);
		app.clock.advance(299_999);
		assert.deepEqual(codeOf(await answer(challenge, wrong())), [401, "invalid_credentials"]);
		app.clock.advance(1);
		assert.deepEqual(codeOf(await answer(challenge, authenticator.code())), [401, "token_expired"]);
	});

	test("a new sign-in ends the challenge before it", async () => {
		const first = await firstStep();
		await firstStep();
		assert.deepEqual(codeOf(await answer(first, authenticator.code())), [401, "token_invalid"]);
	});

	test("ten wrong codes in a day lock the app's codes, from however many challenges, and no backup code", async () => {
		await wrongMany(10);
		assert.equal((await backup(await firstStep(), authenticator.backupCodes[0] ?? "")).statusCode, 200);
		const refused = await answer(await firstStep(), authenticator.code());
		assert.deepEqual(codeOf(refused), [429, "rate_limit_exceeded"]);
		assert.equal(refused.headers["retry-after"], String(DAY_MS / 1000));
		const regenerate = { as: ann, body: { code: authenticator.code() } };
		assert.equal((await app.call("POST /2fa/backup-codes/regenerate", regenerate)).statusCode, 429);
		const mails = await mailbox(app).to(ann.email);
		assert.deepEqual(mails.map(({ subject }) => subject).sort(), [
			"Too many wrong codes",
			"Two-factor authentication is on",
		]);
		app.clock.advance(DAY_MS - 1);
		assert.equal((await answer(await firstStep(), authenticator.code())).statusCode, 429);
		app.clock.advance(1);
		assert.equal((await answer(await firstStep(), authenticator.code())).statusCode, 200);
	});

	test("a challenge as bearer token is 403 two_factor_required while it lives", async () => {
		const challenge = await firstStep();
		const me = (token: string) => app.call("GET /users/me", { headers: { authorization: `Bearer ${token}` } });
		assert.deepEqual(codeOf(await me(challenge)), [403, "two_factor_required"]);
		const byCookie = await app.call("GET /users/me", { cookies: { svc_access_token: challenge } });
		assert.deepEqual(codeOf(byCookie), [403, "two_factor_required"]);
		assert.deepEqual(codeOf(await me("x".repeat(43))), [401, "token_invalid"]);
		app.clock.advance(300_000);
		assert.deepEqual(codeOf(await me(challenge)), [401, "token_invalid"]);
	});

	test("a user who was deactivated meanwhile does not get in", async () => {
		const challenge = await firstStep();
		await updateUser(app.metadata, ann.id, { is_active: 0 });
		assert.deepEqual(codeOf(await answer(challenge, authenticator.code())), [401, "invalid_credentials"]);
	});

	test("a new password ends the challenge that the old one opened", async () => {
		const challenge = await firstStep();
		const body = { current_password: password, new_password: "another sentence that nobody guesses" };
		assert.equal((await app.call("POST /users/me/password", { as: ann, body })).statusCode, 200);
		assert.deepEqual(codeOf(await answer(challenge, authenticator.code())), [401, "token_invalid"]);
	});

	test("a sign-in that a new password or second factor overtakes opens no session", async () => {
		const row = await findUser(app.metadata, ann.id);
		assert.ok(row);
		const deps = { ...app, ...app.config };
		const client = { ip: "127.0.0.1", userAgent: undefined };
		for (const before of [
			{ ...row, two_factor_enabled_at: null },
			{ ...row, two_factor_enabled_at: null, password_hash: "$argon2id$another" },
		]) {
			await assert.rejects(finishSignIn(deps, before, client), { code: "invalid_credentials" });
		}
		await assert.rejects(completeSignIn(deps, { ...row, password_hash: null }, client), {
			code: "invalid_credentials",
		});
		assert.equal((await completeSignIn(deps, row, client)).kind, "session");
	});
});
