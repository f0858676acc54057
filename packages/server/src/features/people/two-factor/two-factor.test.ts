import assert from "node:assert/strict";
import { beforeEach, describe, test } from "node:test";
import { inflateSync } from "node:zlib";
import type { Tables } from "../../../../migrations/metadata/tables/index.ts";
import { cookiesOf, password, sharedAccountsApp, userForEach } from "../../../../test/support/accounts-app.ts";
import { auditTrail } from "../../../../test/support/audit-trail.ts";
import { type Authenticator, enableTwoFactor, totpAt, wrongCode } from "../../../../test/support/authenticator.ts";
import { mailbox } from "../../../../test/support/mailbox.ts";
import { codeOf, fieldsOf } from "../../../../test/support/refusals.ts";
import { systemActor } from "../../auditing/audit-log/index.ts";
import { completeSignIn, finishSignIn } from "../auth/index.ts";
import { findUser, updateUser } from "../users/index.ts";
import { switchOffTwoFactor } from "./second-factor.ts";

const DAY_MS = 86_400_000;
const off = { enabled: false, enabled_at: null, setup_pending: false, backup_codes_remaining: 0 };

const app = sharedAccountsApp();
const ann = userForEach(app, "Ann");

const post = (path: string, body: object) => app.call(`POST /2fa/${path}`, { as: ann, body });
const newSecret = async () => (await post("setup", { password })).json().data.secret;
const verify = async (secret: string) => codeOf(await post("verify", { code: totpAt(secret, app.clock.now()) }));
const status = async () => (await app.call("GET /2fa/status", { as: ann })).json().data;
const signIn = () => app.call("POST /auth/token", { body: { email: ann.email, password } });
const firstStep = async (): Promise<string> => (await signIn()).json().data.challenge_token;
const answer = (challenge_token: string, code: string, more = {}) =>
	app.call("POST /2fa/verify-login", { body: { challenge_token, code, ...more } });
const subjects = async () => (await mailbox(app).to(ann.email)).map(({ subject }) => subject);
const trail = async () =>
	(await auditTrail(app, "user.2fa_enabled", "user.2fa_disabled", "user.backup_codes_regenerated")).map(
		({ action, user, resource, details }) => [action, user, resource, details],
	);
const entry = (action: string, user: number | null = ann.id) => [action, user, String(ann.id), {}];

test("the setup shows secret, address and QR code once, and is pending for ten minutes", async () => {
	assert.deepEqual(await status(), off);
	const response = await post("setup", { password });
	const { secret, provisioning_uri: uri, qr_code_data_url: image, ...rest } = response.json().data;
	assert.deepEqual(rest, { expires_in_minutes: 10 });
	assert.match(secret, /^[A-Z2-7]{32}$/);
	assert.equal(
		uri,
		`otpauth://totp/Footfall%20stats.example:ann%40example.com?issuer=Footfall%20stats.example&secret=${secret}&algorithm=SHA1&digits=6&period=30`,
	);
	const png = Buffer.from(image.replace("data:image/png;base64,", ""), "base64");
	assert.equal(png.subarray(1, 4).toString(), "PNG");
	const width = png.readUInt32BE(16);
	const data = png.subarray(41, 41 + png.readUInt32BE(33));
	assert.equal(inflateSync(data).length, width * (width + 1));
	assert.equal(response.headers["cache-control"], "no-store");
	assert.equal((await status()).setup_pending, true);
	app.clock.advance(600_000);
	assert.equal((await status()).setup_pending, false);
	assert.deepEqual(await verify(secret), [400, "bad_request"]);
});

test("a first code switches it on: ten backup codes, a mail, an audit entry, and the other sessions end", async () => {
	const phone = await app.signIn(ann.email);
	const secret = await newSecret();
	const wrong = await post("verify", { code: wrongCode(secret, app.clock.now()) });
	assert.deepEqual(codeOf(wrong), [400, "bad_request"]);
	const response = await post("setup/verify", { code: totpAt(secret, app.clock.now()) });
	const { enabled, backup_codes: codes } = response.json().data;
	assert.deepEqual([enabled, new Set(codes).size], [true, 10]);
	for (const code of codes) assert.match(code, /^[a-z0-9]{4}-[a-z0-9]{4}-[a-z0-9]{4}$/);
	const on = { enabled: true, enabled_at: "2026-11-21T12:00:00.000Z", backup_codes_remaining: 10 };
	assert.deepEqual(await status(), { ...off, ...on });
	const me = (await app.call("GET /users/me", { as: ann })).json().data;
	assert.deepEqual([me.two_factor_enabled, me.two_factor_enabled_at], [true, "2026-11-21T12:00:00.000Z"]);
	assert.deepEqual(codeOf(await app.call("GET /users/me", { as: phone })), [401, "unauthorized"]);
	assert.deepEqual(await subjects(), ["Two-factor authentication is on"]);
	assert.deepEqual(await trail(), [entry("user.2fa_enabled")]);
	assert.deepEqual(await verify(secret), [400, "bad_request"]);
	assert.deepEqual(codeOf(await post("setup", { password })), [409, "conflict"]);
	await post("setup/cancel", {});
	assert.equal((await status()).enabled, true);
});

test("a new setup asks for the password and replaces the one before it, and a cancelled one is gone", async () => {
	assert.deepEqual(codeOf(await post("setup", { password: "not the password" })), [400, "bad_request"]);
	const [first, second] = [await newSecret(), await newSecret()];
	assert.deepEqual(await verify(first), [400, "bad_request"]);
	await post("setup/cancel", {});
	assert.deepEqual(await verify(second), [400, "bad_request"]);
	assert.deepEqual(await status(), off);
});

test("switching off asks for password and code, and a challenge given out before is dead", async () => {
	const authenticator = await enableTwoFactor(app, ann);
	const disable = (given: object) => post("disable", { password, code: authenticator.code(), ...given });
	const challenge_token = await firstStep();
	assert.deepEqual(codeOf(await disable({ password: "not the password" })), [400, "bad_request"]);
	assert.deepEqual(codeOf(await disable({ code: "zzzz-zzzz-zzzz" })), [400, "bad_request"]);
	assert.equal((await disable({})).statusCode, 200);
	assert.deepEqual(await status(), off);
	assert.deepEqual(codeOf(await answer(challenge_token, authenticator.code(1))), [401, "token_invalid"]);
	assert.deepEqual(codeOf(await disable({})), [409, "conflict"]);
	assert.equal((await app.signIn(ann.email)).id, ann.id);
	const notices = ["off", "on"].map((state) => `Two-factor authentication is ${state}`);
	assert.deepEqual((await subjects()).sort(), notices);
	assert.deepEqual(await trail(), [entry("user.2fa_enabled"), entry("user.2fa_disabled")]);
});

test("the operator switches it off for somebody who lost everything", async () => {
	await enableTwoFactor(app, ann);
	await switchOffTwoFactor(app, (await findUser(app.metadata, ann.id)) ?? assert.fail(), systemActor);
	assert.equal((await app.signIn(ann.email)).id, ann.id);
	assert.deepEqual((await trail())[1], entry("user.2fa_disabled", null));
});

test("new backup codes kill the old ones and need a code of the app", async () => {
	const authenticator = await enableTwoFactor(app, ann);
	const regenerate = (code: string) => post("backup-codes/regenerate", { code });
	const old = authenticator.backupCodes[0] ?? "";
	assert.deepEqual(codeOf(await regenerate(old)), [422, "validation_error"]);
	assert.deepEqual(codeOf(await regenerate(wrongCode(authenticator.secret, app.clock.now()))), [400, "bad_request"]);
	const { backup_codes: codes, ...rest } = (await regenerate(authenticator.code())).json().data;
	const generated_at = "2026-11-21T12:01:00.000Z";
	assert.deepEqual(rest, { count: 10, generated_at });
	assert.deepEqual(await trail(), [entry("user.2fa_enabled"), entry("user.backup_codes_regenerated")]);
	assert.deepEqual((await subjects()).sort(), ["New backup codes", "Two-factor authentication is on"]);
	const left = () => app.call("GET /2fa/backup-codes", { as: ann });
	assert.deepEqual((await left()).json().data, { remaining: 10, generated_at });
	assert.equal((await post("disable", { password, code: old })).statusCode, 400);
	assert.equal((await post("disable", { password, code: codes[9] })).statusCode, 200);
	assert.deepEqual(codeOf(await left()), [404, "not_found"]);
	assert.deepEqual(codeOf(await regenerate(authenticator.code(1))), [404, "not_found"]);
});

test("neither secret nor codes are stored or logged in the clear", async () => {
	const { secret, backupCodes } = await enableTwoFactor(app, ann);
	const db = app.metadata.withTables<Tables>();
	const tables = ["two_factor", "backup_codes", "audit_log", "jobs"] as const;
	const stored = await Promise.all(tables.map((name) => db.selectFrom(name).selectAll().execute()));
	const texts = JSON.stringify(stored) + app.logLines.join("");
	for (const value of [secret, ...backupCodes, ...backupCodes.map((code) => code.replaceAll("-", ""))]) {
		assert.ok(!texts.includes(value));
	}
});

describe("the second step of a sign-in", () => {
	let authenticator: Authenticator;
	beforeEach(async () => {
		authenticator = await enableTwoFactor(app, ann);
	});

	const backup = (challenge: string, code: string) => answer(challenge, code, { is_backup_code: true });
	const wrong = () => wrongCode(authenticator.secret, app.clock.now());
	const signedInBy = async (steps: number) => (await answer(await firstStep(), authenticator.code(steps))).statusCode;

	test("a right password answers a challenge, no cookie and nothing of the user", async () => {
		const response = await signIn();
		const { challenge_token: challenge, message, ...data } = response.json().data;
		assert.deepEqual([data, typeof message], [{ requires_2fa: true, expires_in: 300 }, "string"]);
		assert.match(challenge, /^[A-Za-z0-9_-]{43}$/);
		assert.deepEqual([response.headers["set-cookie"], response.headers["cache-control"]], [undefined, "no-store"]);
	});

	test("a code that was used is refused", async () => {
		const code = authenticator.code();
		const first = await answer(await firstStep(), code);
		const { user, ...rest } = first.json().data;
		assert.deepEqual([rest.expires_in, user.two_factor_enabled], [900, true]);
		assert.equal(user.last_login_at, "2026-11-21T12:01:00.000Z");
		assert.deepEqual(Object.keys(cookiesOf(first)), ["svc_access_token", "svc_refresh_token", "svc_csrf_token"]);
		assert.deepEqual(codeOf(await answer(await firstStep(), code)), [401, "invalid_credentials"]);
	});

	test("a code of the step before or after is right, of two steps away wrong", async () => {
		// The third is a step before the last used one.
		assert.deepEqual([await signedInBy(-1), await signedInBy(1), await signedInBy(0)], [200, 200, 401]);
		app.clock.advance(120_000);
		assert.deepEqual([await signedInBy(-2), await signedInBy(2)], [401, 401]);
	});

	test("a backup code works once, in any case and without dashes, and only where it is announced", async () => {
		const [code = ""] = authenticator.backupCodes;
		assert.deepEqual(codeOf(await answer(await firstStep(), code)), [401, "invalid_credentials"]);
		const loose = code.replaceAll("-", "").toUpperCase();
		assert.equal((await backup(await firstStep(), loose)).statusCode, 200);
		assert.deepEqual(codeOf(await backup(await firstStep(), code)), [401, "invalid_credentials"]);
		assert.equal((await status()).backup_codes_remaining, 9);
	});

	test("a challenge takes no code of another user; made up it is token_invalid, past five minutes token_expired", async () => {
		const missing = await app.call("POST /2fa/verify-login", { body: { code: "12345" } });
		assert.deepEqual(fieldsOf(missing), [422, "body.challenge_token", "body.code"]);
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

	test("ten wrong codes in a day lock the app's codes, from however many challenges, and no backup code", async () => {
		for (let guesses = 0, challenge = ""; guesses < 10; guesses++) {
			if (guesses % 5 === 0) challenge = await firstStep();
			await answer(challenge, wrong());
		}
		assert.equal((await backup(await firstStep(), authenticator.backupCodes[0] ?? "")).statusCode, 200);
		const refused = await answer(await firstStep(), authenticator.code());
		assert.deepEqual([...codeOf(refused), refused.headers["retry-after"]], [429, "rate_limit_exceeded", "86400"]);
		assert.equal((await post("backup-codes/regenerate", { code: authenticator.code() })).statusCode, 429);
		assert.ok((await subjects()).includes("Too many wrong codes"));
		app.clock.advance(DAY_MS - 1);
		assert.equal(await signedInBy(0), 429);
		app.clock.advance(1);
		assert.equal(await signedInBy(0), 200);
	});

	test("a challenge as bearer token is 403 two_factor_required while it lives", async () => {
		const challenge = await firstStep();
		const me = async (token: string) =>
			codeOf(await app.call("GET /users/me", { headers: { authorization: `Bearer ${token}` } }));
		assert.deepEqual(await me(challenge), [403, "two_factor_required"]);
		const byCookie = await app.call("GET /users/me", { cookies: { svc_access_token: challenge } });
		assert.deepEqual(codeOf(byCookie), [403, "two_factor_required"]);
		assert.deepEqual(await me("x".repeat(43)), [401, "token_invalid"]);
		app.clock.advance(300_000);
		assert.deepEqual(await me(challenge), [401, "token_invalid"]);
	});

	test("a challenge ends with a new sign-in, a new password, and the account", async () => {
		const attempt = async (challenge: string) => codeOf(await answer(challenge, authenticator.code()));
		const first = await firstStep();
		const second = await firstStep();
		assert.deepEqual(await attempt(first), [401, "token_invalid"]);
		const next = "another sentence that nobody guesses";
		const body = { current_password: password, new_password: next };
		assert.equal((await app.call("POST /users/me/password", { as: ann, body })).statusCode, 200);
		assert.deepEqual(await attempt(second), [401, "token_invalid"]);
		const third = await app.call("POST /auth/token", { body: { email: ann.email, password: next } });
		await updateUser(app.metadata, ann.id, { is_active: 0 });
		assert.deepEqual(await attempt(third.json().data.challenge_token), [401, "invalid_credentials"]);
	});

	test("a sign-in that a new password or second factor overtakes opens no session", async () => {
		const row = (await findUser(app.metadata, ann.id)) ?? assert.fail();
		const deps = { ...app, ...app.config };
		const client = { ip: "127.0.0.1", userAgent: undefined };
		const single = { ...row, two_factor_enabled_at: null };
		for (const before of [single, { ...single, password_hash: "$argon2id$another" }]) {
			await assert.rejects(finishSignIn(deps, before, client), { code: "invalid_credentials" });
		}
		const withoutPassword = completeSignIn(deps, { ...row, password_hash: null }, client);
		await assert.rejects(withoutPassword, { code: "invalid_credentials" });
		assert.equal((await completeSignIn(deps, row, client)).kind, "session");
	});
});
