import assert from "node:assert/strict";
import { Secret, TOTP } from "otpauth";
import type { AuditedWrites } from "./audited-writes.ts";
import type { TestApp } from "./test-app.ts";

/** Switches a second factor on and off in every way there is. */
export async function changeSecondFactor(app: TestApp, { everybody, does, secrets }: AuditedWrites): Promise<void> {
	const as = everybody.sessions["site editor"];
	const password = "correct horse battery staple 7";
	const post = async (url: string, body: object) => {
		const response = await app.inject({ method: "POST", url: `/api/v1${url}`, headers: { ...as }, payload: body });
		assert.equal(response.statusCode, 200, response.body);
		return response.json().data;
	};
	const codeOf = (secret: string) => {
		secrets.push(secret);
		// A code counts once.
		app.clock.advance(30_000);
		return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: app.clock.now() });
	};
	const first = (await post("/2fa/setup", { password })).secret;
	await does("POST /2fa/verify", "user.2fa_enabled", { as, body: { code: codeOf(first) } });
	await does("POST /2fa/backup-codes/regenerate", "user.backup_codes_regenerated", {
		as,
		body: { code: codeOf(first) },
	});
	const email = "site-editor@example.com";
	const { challenge_token: challenge } = await post("/auth/token", { email, password });
	const answer = { challenge_token: challenge, code: codeOf(first) };
	await does("POST /2fa/verify-login", "user.login", { as: {}, body: answer });
	await does("POST /2fa/disable", "user.2fa_disabled", { as, body: { password, code: codeOf(first) } });
	const second = (await post("/2fa/setup", { password })).secret;
	await does("POST /2fa/setup/verify", "user.2fa_enabled", { as, body: { code: codeOf(second) } });
}
