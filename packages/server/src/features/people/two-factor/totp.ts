import { Secret, TOTP } from "otpauth";

const SECRET_BYTES = 20;
const PERIOD_SECONDS = 30;
/** Steps that a phone's clock may be off, either way. */
const DRIFT_STEPS = 1;

/** A new secret of an authenticator app, base32. */
export const newTotpSecret = (): string => new Secret({ size: SECRET_BYTES }).base32;

const totp = (secret: string, name?: { issuer: string; label: string }): TOTP =>
	new TOTP({ ...name, secret: Secret.fromBase32(secret), algorithm: "SHA1", digits: 6, period: PERIOD_SECONDS });

/** The address that authenticator apps read from the QR code. */
export const provisioningUri = (secret: string, issuer: string, email: string): string =>
	totp(secret, { issuer, label: email }).toString();

/** The time step, counted from the epoch, whose code this is; undefined when it is none of the present ones. */
export function matchingStep(secret: string, code: string, nowMs: number): number | undefined {
	const delta = totp(secret).validate({ token: code, timestamp: nowMs, window: DRIFT_STEPS });
	return delta === null ? undefined : Math.floor(nowMs / 1000 / PERIOD_SECONDS) + delta;
}
