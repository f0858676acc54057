import { Secret, TOTP } from "otpauth";
import { ServiceError } from "../../../platform/errors/service-error.ts";
import { hmacHex } from "../../../platform/lib/crypto.ts";
import { DAY_MS } from "../../../platform/lib/durations.ts";
import { randomLowerAlphanumeric } from "../../../platform/lib/ids.ts";
import { createSealer, resealRows, type ServerSecrets } from "../../../platform/lib/sealer.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import type { Mailer } from "../../../platform/outbound/mail/mailer.ts";
import { type AuthDeps, type Client, completeSignIn } from "../auth/index.ts";
import { countTokenFailure, findOneTimeToken, takeOneTimeToken } from "../one-time-tokens/index.ts";
import { findUser, type UserRow } from "../users/index.ts";
import { codesLockedMail } from "./mails.ts";
import {
	findTwoFactor,
	listTwoFactor,
	resealSecret,
	reserveAttempt,
	type TwoFactorRow,
	takeBackupCode,
	takeStep,
} from "./store.ts";

export interface TwoFactorDeps extends AuthDeps, ServerSecrets {
	readonly mailer: Mailer;
}

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

const sealerOf = (secrets: ServerSecrets) => createSealer(secrets, "two-factor");

export const sealSecret = (secrets: ServerSecrets, userId: number, secret: string): string =>
	sealerOf(secrets).seal(userId, secret);

/** The secret that was stored, be it with the server's present secret or the one before. */
export function openSecret(secrets: ServerSecrets, row: Pick<TwoFactorRow, "user_id" | "sealed_secret">): string {
	const secret = sealerOf(secrets).open(row.user_id, row.sealed_secret);
	if (secret === undefined) throw new Error("A second factor was sealed with another SECRET_KEY");
	return secret;
}

export const resealSecrets = async (deps: ServerSecrets & { readonly metadata: Metadata }): Promise<number> =>
	resealRows(
		await listTwoFactor(deps.metadata),
		(row) => ({ sealed_secret: sealerOf(deps).reseal(row.user_id, row.sealed_secret) }),
		(row, { sealed_secret: sealed }) => resealSecret(deps.metadata, row, sealed),
	);

/** So few that a million codes outlast the thief of a password, whatever number of sign-ins he begins. */
const limit = { failures: 10, windowMs: DAY_MS };

type CodeKind = "app" | "backup";

export const appCodePattern = "^[0-9]{6}$";
const appCode = new RegExp(appCodePattern);

/** Which kind of code was typed where both are taken. */
export const kindOfCode = (code: string): CodeKind => (appCode.test(code) ? "app" : "backup");

/**
 * Uses up a code of the user's second factor; false when it is wrong, was used before, or the second factor is off.
 * Throws `rate_limit_exceeded` after ten wrong codes of the app in a day, however they were given. Backup codes are too
 * long to be guessed and work even then, so that others cannot lock the user out.
 */
export async function useCode(deps: TwoFactorDeps, user: UserRow, code: string, kind: CodeKind): Promise<boolean> {
	const row = await findTwoFactor(deps.metadata, user.id);
	if (row === undefined || row.enabled_at === null) return false;
	const secret = openSecret(deps, row);
	if (kind === "backup") return takeBackupCode(deps.metadata, user.id, hashBackupCode(secret, code));
	const now = deps.clock.now();
	const failures = await reserveAttempt(deps.metadata, user.id, limit, now);
	if (failures === undefined) throw tooMany(row, now);
	const step = matchingStep(secret, code, now);
	if (step !== undefined && (await takeStep(deps.metadata, user.id, step))) return true;
	if (failures === limit.failures) {
		await deps.metadata.transaction().execute((trx) => deps.mailer.queue(trx, codesLockedMail(user)));
	}
	return false;
}

/** Asks a signed-in user for a code of either kind. Throws `bad_request` when it is wrong, and as `useCode` does. */
export async function confirmCode(deps: TwoFactorDeps, user: UserRow, code: string): Promise<void> {
	if (await useCode(deps, user, code, kindOfCode(code))) return;
	throw new ServiceError("bad_request", { message: "The code is wrong" });
}

function tooMany(row: TwoFactorRow, nowMs: number): ServiceError {
	const seconds = Math.ceil((row.failures_since + limit.windowMs - nowMs) / 1000);
	return new ServiceError("rate_limit_exceeded", {
		message: "Too many wrong codes. Use a backup code, or try again later.",
		retryAfter: Math.max(1, seconds),
	});
}

const KIND = "sign_in_challenge";
const MAX_FAILURES = 5;

/**
 * The second step of a sign-in. Throws `token_invalid` for a challenge that is unknown or used, `token_expired` past its
 * five minutes, `invalid_credentials` for a wrong code, `rate_limit_exceeded` once five were wrong, and as `useCode` does.
 */
export async function verifyLogin(
	deps: TwoFactorDeps,
	given: { challengeToken: string; code: string; kind: CodeKind },
	client: Client,
) {
	const userId = await admitAttempt(deps, given.challengeToken);
	const user = await findUser(deps.metadata, userId);
	if (user === undefined || user.is_active !== 1 || !(await useCode(deps, user, given.code, given.kind))) {
		throw new ServiceError("invalid_credentials", { message: "The code is wrong" });
	}
	const taken = await takeOneTimeToken(deps.metadata, KIND, given.challengeToken, deps.clock.now());
	if (taken === undefined) throw new ServiceError("token_invalid");
	return completeSignIn(deps, user, client);
}

/** Counts the attempt as wrong before the code is looked at, so that guesses sent at once count too; answers the user's id. */
async function admitAttempt(deps: TwoFactorDeps, challengeToken: string): Promise<number> {
	const challenge = await findOneTimeToken(deps.metadata, KIND, challengeToken, deps.clock.now());
	if (challenge === undefined) throw new ServiceError("token_invalid");
	if (challenge.isExpired) throw new ServiceError("token_expired");
	const attempts = await countTokenFailure(deps.metadata, KIND, challengeToken);
	if (attempts === 0) throw new ServiceError("token_invalid");
	if (attempts > MAX_FAILURES) {
		throw new ServiceError("rate_limit_exceeded", { message: "Too many wrong codes. Sign in again." });
	}
	return Number(challenge.subject);
}
