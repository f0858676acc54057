import { Secret, TOTP } from "otpauth";
import { hmacHex } from "../../../platform/lib/crypto.ts";
import { randomLowerAlphanumeric } from "../../../platform/lib/ids.ts";
import { createSealer, resealRows, type ServerSecrets } from "../../../platform/lib/sealer.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import { listTwoFactor, resealSecret } from "./store.ts";

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

const COUNT = 10;
const GROUPS = 3;
const GROUP_LENGTH = 4;

/** New codes for the case that the phone is lost: `xxxx-xxxx-xxxx`. */
export const newBackupCodes = (): string[] =>
	Array.from({ length: COUNT }, () =>
		Array.from({ length: GROUPS }, () => randomLowerAlphanumeric(GROUP_LENGTH)).join("-"),
	);

/**
 * The stored form of a code. It is keyed with the user's own secret, which is sealed at rest, so that stolen tables do not
 * let anybody try codes. Case, blanks and dashes do not count.
 */
export const hashBackupCode = (secret: string, code: string): string =>
	hmacHex(secret, code.toLowerCase().replace(/[\s-]/g, ""));

interface SealedRow {
	readonly user_id: number;
	readonly sealed_secret: string;
}

const sealerOf = (secrets: ServerSecrets) => createSealer(secrets, "two-factor");

/** A user's secret as it is stored. */
export const sealSecret = (secrets: ServerSecrets, userId: number, secret: string): string =>
	sealerOf(secrets).seal(userId, secret);

/** The secret that was stored, be it with the server's present secret or the one before. */
export function openSecret(secrets: ServerSecrets, row: SealedRow): string {
	const secret = sealerOf(secrets).open(row.user_id, row.sealed_secret);
	if (secret === undefined) throw new Error("A second factor was sealed with another SECRET_KEY");
	return secret;
}

/** Reseals all secrets; see `resealRows`. */
export const resealSecrets = async (deps: ServerSecrets & { readonly metadata: Metadata }): Promise<number> =>
	resealRows(
		await listTwoFactor(deps.metadata),
		(row) => ({ sealed_secret: sealerOf(deps).reseal(row.user_id, row.sealed_secret) }),
		(row, { sealed_secret: sealed }) => resealSecret(deps.metadata, row, sealed),
	);
