import assert from "node:assert/strict";
import { Secret, TOTP } from "otpauth";
import { type AccountsApp, password, type SignedIn } from "./accounts-app.ts";

const STEP_MS = 30_000;

export type Authenticator = Awaited<ReturnType<typeof enableTwoFactor>>;

/** The code of a secret at a moment. */
export const totpAt = (secret: string, timestamp: number): string =>
	new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp });

/** A code that is none of the present ones. */
export function wrongCode(secret: string, nowMs: number): string {
	const right = [-1, 0, 1].map((steps) => totpAt(secret, nowMs + steps * STEP_MS));
	return right.includes("000000") ? "000001" : "000000";
}

/** Switches the second factor of a user on, and lets the step of the first code pass. */
export async function enableTwoFactor(app: Pick<AccountsApp, "call" | "clock">, user: Pick<SignedIn, "headers">) {
	const setup = await app.call("POST /2fa/setup", { as: user, body: { password } });
	assert.equal(setup.statusCode, 200, setup.body);
	const secret: string = setup.json().data.secret;
	/** The code that it shows now, or `steps` of 30 seconds later. */
	const code = (steps = 0) => totpAt(secret, app.clock.now() + steps * STEP_MS);
	const verified = await app.call("POST /2fa/verify", { as: user, body: { code: code() } });
	assert.equal(verified.statusCode, 200, verified.body);
	app.clock.advance(2 * STEP_MS);
	const backupCodes: readonly string[] = verified.json().data.backup_codes;
	return { secret, code, backupCodes };
}
