import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { inflateSync } from "node:zlib";
import type { Tables } from "../../../../migrations/metadata/tables/index.ts";
import { password, sharedAccountsApp, userForEach } from "../../../../test/support/accounts-app.ts";
import { auditTrail } from "../../../../test/support/audit-trail.ts";
import { enableTwoFactor, totpAt, wrongCode } from "../../../../test/support/authenticator.ts";
import { mailbox } from "../../../../test/support/mailbox.ts";
import { codeOf } from "../../../../test/support/refusals.ts";
import { systemActor } from "../../auditing/audit-log/index.ts";
import { findUser } from "../users/index.ts";
import { switchOffTwoFactor } from "./disable.ts";

describe("the second factor", () => {
	const app = sharedAccountsApp();
	const ann = userForEach(app, "Ann");

	const post = (path: string, body: object, as = ann) => app.call(`POST /2fa/${path}`, { as, body });
	const status = async () => (await app.call("GET /2fa/status", { as: ann })).json().data;
	const trail = () => auditTrail(app, "user.2fa_enabled", "user.2fa_disabled", "user.backup_codes_regenerated");
	const entry = (action: string) => ({
		action,
		user: ann.id,
		impersonator: null,
		resource: String(ann.id),
		site: null,
		organization: null,
		details: {},
	});

	test("the setup shows secret, address and QR code once, and is pending for ten minutes", async () => {
		assert.deepEqual(await status(), {
			enabled: false,
			enabled_at: null,
			setup_pending: false,
			backup_codes_remaining: 0,
		});
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
		const late = await post("verify", { code: totpAt(secret, app.clock.now()) });
		assert.deepEqual(codeOf(late), [400, "bad_request"]);
	});

	test("a first code switches it on: ten backup codes, a mail, an audit entry, and the other sessions end", async () => {
		const phone = await app.signIn(ann.email);
		const { secret } = (await post("setup", { password })).json().data;
		const wrong = await post("verify", { code: wrongCode(secret, app.clock.now()) });
		assert.deepEqual(codeOf(wrong), [400, "bad_request"]);
		const response = await post("setup/verify", { code: totpAt(secret, app.clock.now()) });
		const { enabled, backup_codes: codes } = response.json().data;
		assert.equal(enabled, true);
		assert.equal(new Set(codes).size, 10);
		for (const code of codes) assert.match(code, /^[a-z0-9]{4}-[a-z0-9]{4}-[a-z0-9]{4}$/);
		assert.deepEqual(await status(), {
			enabled: true,
			enabled_at: "2026-11-21T12:00:00.000Z",
			setup_pending: false,
			backup_codes_remaining: 10,
		});
		const me = (await app.call("GET /users/me", { as: ann })).json().data;
		assert.deepEqual([me.two_factor_enabled, me.two_factor_enabled_at], [true, "2026-11-21T12:00:00.000Z"]);
		assert.deepEqual(codeOf(await app.call("GET /users/me", { as: phone })), [401, "unauthorized"]);
		const mails = await mailbox(app).to(ann.email);
		assert.deepEqual(
			mails.map(({ subject }) => subject),
			["Two-factor authentication is on"],
		);
		assert.deepEqual(await trail(), [entry("user.2fa_enabled")]);
		assert.deepEqual(codeOf(await post("verify", { code: totpAt(secret, app.clock.now()) })), [400, "bad_request"]);
		assert.deepEqual(codeOf(await post("setup", { password })), [409, "conflict"]);
		await post("setup/cancel", {});
		assert.equal((await status()).enabled, true);
	});

	test("a new setup replaces the one before it, and a cancelled one is gone", async () => {
		const first = (await post("setup", { password })).json().data.secret;
		const second = (await post("setup", { password })).json().data.secret;
		assert.notEqual(first, second);
		assert.equal((await post("verify", { code: totpAt(first, app.clock.now()) })).statusCode, 400);
		assert.equal((await post("setup/cancel", {})).statusCode, 200);
		assert.equal((await post("verify", { code: totpAt(second, app.clock.now()) })).statusCode, 400);
		assert.equal((await status()).setup_pending, false);
		assert.equal((await app.signIn(ann.email)).id, ann.id);
	});

	test("setup asks for the password, and ten wrong ones have to wait", async () => {
		assert.deepEqual(codeOf(await post("setup", { password: "not the password" })), [400, "bad_request"]);
		assert.deepEqual(codeOf(await post("setup", {})), [422, "validation_error"]);
		for (let i = 0; i < 9; i++) await post("setup", { password: "not the password" });
		assert.deepEqual(codeOf(await post("setup", { password })), [429, "rate_limit_exceeded"]);
	});

	test("switching off asks for password and code, and a challenge given out before is dead", async () => {
		const authenticator = await enableTwoFactor(app, ann);
		const disable = (given: object) => post("disable", { password, code: authenticator.code(), ...given });
		const challenge = (await app.call("POST /auth/token", { body: { email: ann.email, password } })).json().data;
		assert.deepEqual(codeOf(await disable({ password: "not the password" })), [400, "bad_request"]);
		assert.deepEqual(codeOf(await disable({ code: "zzzz-zzzz-zzzz" })), [400, "bad_request"]);
		assert.deepEqual(codeOf(await disable({ code: undefined })), [422, "validation_error"]);
		assert.equal((await disable({})).statusCode, 200);
		assert.deepEqual(await status(), {
			enabled: false,
			enabled_at: null,
			setup_pending: false,
			backup_codes_remaining: 0,
		});
		const late = { challenge_token: challenge.challenge_token, code: authenticator.code(1) };
		assert.deepEqual(codeOf(await app.call("POST /2fa/verify-login", { body: late })), [401, "token_invalid"]);
		assert.deepEqual(codeOf(await disable({})), [409, "conflict"]);
		assert.equal((await app.signIn(ann.email)).id, ann.id);
		const subjects = (await mailbox(app).to(ann.email)).map(({ subject }) => subject);
		assert.deepEqual(subjects.sort(), ["Two-factor authentication is off", "Two-factor authentication is on"]);
		assert.deepEqual(await trail(), [entry("user.2fa_enabled"), entry("user.2fa_disabled")]);
	});

	test("the operator switches it off for somebody who lost everything", async () => {
		await enableTwoFactor(app, ann);
		const user = await findUser(app.metadata, ann.id);
		assert.ok(user);
		await switchOffTwoFactor(app, user, systemActor);
		assert.equal((await app.signIn(ann.email)).id, ann.id);
		const [, disabled] = await trail();
		assert.deepEqual(disabled, { ...entry("user.2fa_disabled"), user: null });
	});

	test("new backup codes kill the old ones and need a code of the app", async () => {
		const authenticator = await enableTwoFactor(app, ann);
		const regenerate = (code: string) => post("backup-codes/regenerate", { code });
		const old = authenticator.backupCodes[0] ?? "";
		assert.deepEqual(codeOf(await regenerate(old)), [422, "validation_error"]);
		assert.deepEqual(codeOf(await regenerate(wrongCode(authenticator.secret, app.clock.now()))), [400, "bad_request"]);
		const { backup_codes: codes, ...rest } = (await regenerate(authenticator.code())).json().data;
		assert.deepEqual(rest, { count: 10, generated_at: "2026-11-21T12:01:00.000Z" });
		assert.deepEqual(await trail(), [entry("user.2fa_enabled"), entry("user.backup_codes_regenerated")]);
		const left = (await app.call("GET /2fa/backup-codes", { as: ann })).json().data;
		assert.deepEqual(left, { remaining: 10, generated_at: "2026-11-21T12:01:00.000Z" });
		assert.equal((await post("disable", { password, code: old })).statusCode, 400);
		assert.equal((await post("disable", { password, code: codes[9] })).statusCode, 200);
		assert.deepEqual(codeOf(await app.call("GET /2fa/backup-codes", { as: ann })), [404, "not_found"]);
		assert.deepEqual(codeOf(await regenerate(authenticator.code(1))), [404, "not_found"]);
	});

	test("neither secret nor codes are stored or logged in the clear", async () => {
		const { secret, backupCodes } = await enableTwoFactor(app, ann);
		const db = app.metadata.withTables<Tables>();
		const stored = await Promise.all(
			(["two_factor", "backup_codes", "audit_log", "jobs"] as const).map((name) =>
				db.selectFrom(name).selectAll().execute(),
			),
		);
		const texts = JSON.stringify(stored) + app.logLines.join("");
		for (const value of [secret, ...backupCodes, ...backupCodes.map((code) => code.replaceAll("-", ""))]) {
			assert.equal(texts.includes(value), false);
		}
	});
});
