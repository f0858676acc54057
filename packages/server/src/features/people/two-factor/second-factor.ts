import { Secret, TOTP } from "otpauth";
import { orThrow, ServiceError } from "../../../platform/errors/service-error.ts";
import { hmacHex } from "../../../platform/lib/crypto.ts";
import { DAY_MS, MINUTE_MS } from "../../../platform/lib/durations.ts";
import { randomLowerAlphanumeric } from "../../../platform/lib/ids.ts";
import { createSealer, resealRows, type ServerSecrets } from "../../../platform/lib/sealer.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import type { Mail, Mailer } from "../../../platform/outbound/mail/mailer.ts";
import { type Actor, recordAudit } from "../../auditing/audit-log/index.ts";
import { type AuthDeps, type Client, completeSignIn, confirmPassword, revokeSessions } from "../auth/index.ts";
import { countTokenFailure, endOneTimeTokens, findOneTimeToken, takeOneTimeToken } from "../one-time-tokens/index.ts";
import { findUser, type UserRow, updateUser } from "../users/index.ts";
import {
	backupCodes,
	deleteSetup,
	deleteTwoFactor,
	findTwoFactor,
	insertSetup,
	replaceBackupCodes,
	reserveAttempt,
	secondFactors,
	type TwoFactorRow,
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
const newTotpSecret = (): string => new Secret({ size: SECRET_BYTES }).base32;

const totp = (secret: string, name?: { issuer: string; label: string }): TOTP =>
	new TOTP({ ...name, secret: Secret.fromBase32(secret), algorithm: "SHA1", digits: 6, period: PERIOD_SECONDS });

/** The address that authenticator apps read from the QR code. */
const provisioningUri = (secret: string, issuer: string, email: string): string =>
	totp(secret, { issuer, label: email }).toString();

/** The time step, counted from the epoch, whose code this is; undefined when it is none of the present ones. */
function matchingStep(secret: string, code: string, nowMs: number): number | undefined {
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

const sealSecret = (secrets: ServerSecrets, userId: number, secret: string): string =>
	sealerOf(secrets).seal(userId, secret);

/** The secret that was stored, be it with the server's present secret or the one before. */
export function openSecret(secrets: ServerSecrets, row: Pick<TwoFactorRow, "user_id" | "sealed_secret">): string {
	const secret = sealerOf(secrets).open(row.user_id, row.sealed_secret);
	if (secret === undefined) throw new Error("A second factor was sealed with another SECRET_KEY");
	return secret;
}

export const resealSecrets = async (deps: ServerSecrets & { readonly metadata: Metadata }): Promise<number> =>
	resealRows(
		await secondFactors.list(deps.metadata, {}),
		(row) => ({ sealed_secret: sealerOf(deps).reseal(row.user_id, row.sealed_secret) }),
		// One that was replaced in the meantime stays.
		({ user_id, sealed_secret }, sealed) => secondFactors.update(deps.metadata, { user_id, sealed_secret }, sealed),
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
async function useCode(deps: TwoFactorDeps, user: UserRow, code: string, kind: CodeKind): Promise<boolean> {
	const row = await findTwoFactor(deps.metadata, user.id);
	if (row === undefined || row.enabled_at === null) return false;
	const secret = openSecret(deps, row);
	if (kind === "backup") {
		const used = { user_id: user.id, code_hash: hashBackupCode(secret, code) };
		return (await backupCodes.delete(deps.metadata, used)) !== undefined;
	}
	const now = deps.clock.now();
	const failures = await reserveAttempt(deps.metadata, user.id, limit, now);
	if (failures === undefined) throw tooMany(row, now);
	const step = matchingStep(secret, code, now);
	if (step !== undefined && (await takeStep(deps.metadata, user.id, step))) return true;
	if (failures === limit.failures) {
		await deps.metadata.transaction().execute((trx) => deps.mailer.queue(trx, noticeMail(user, "codesLocked")));
	}
	return false;
}

/** Asks a signed-in user for a code of either kind. Throws `bad_request` when it is wrong, and as `useCode` does. */
export async function confirmCode(deps: TwoFactorDeps, user: UserRow, code: string): Promise<void> {
	if (await useCode(deps, user, code, kindOfCode(code))) return;
	throw new ServiceError("bad_request", "The code is wrong");
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
		throw new ServiceError("invalid_credentials", "The code is wrong");
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
	if (attempts > MAX_FAILURES) throw new ServiceError("rate_limit_exceeded", "Too many wrong codes. Sign in again.");
	return Number(challenge.subject);
}

/** Minutes within which the first code has to follow. */
export const SETUP_MINUTES = 10;

/**
 * Begins the setup of an authenticator app, in the place of an earlier one; answers the secret, which is shown this once.
 * Throws `conflict` when the second factor is on, and as `confirmPassword` does.
 */
export async function startSetup(deps: TwoFactorDeps, user: UserRow, given: { password: string; ip: string }) {
	await confirmPassword(deps, user, given);
	const secret = newTotpSecret();
	const begun = await insertSetup(deps.metadata, {
		user_id: user.id,
		sealed_secret: sealSecret(deps, user.id, secret),
		setup_ends_at: deps.clock.now() + SETUP_MINUTES * MINUTE_MS,
	});
	if (!begun) throw new ServiceError("conflict", "Two-factor authentication is already on");
	return { secret, uri: provisioningUri(secret, issuerOf(deps), user.email) };
}

/** The name under which an app lists the code: with the host, as somebody may use two services. */
const issuerOf = ({ publicUrl }: TwoFactorDeps): string =>
	publicUrl === undefined ? "Footfall" : `Footfall ${new URL(publicUrl).hostname}`;

/**
 * Ends the setup with a first code: the second factor is on, and all other sessions of the user end, because whoever has one
 * never showed it. Answers the backup codes, which are shown this once. Throws `bad_request` for a wrong code or without a setup.
 */
export async function confirmSetup(
	deps: TwoFactorDeps,
	user: UserRow,
	given: { code: string; sessionId: string; actor: Actor },
): Promise<string[]> {
	const now = deps.clock.now();
	const row = await findTwoFactor(deps.metadata, user.id);
	if (row === undefined || row.setup_ends_at === null || row.setup_ends_at <= now) throw noSetup();
	const secret = openSecret(deps, row);
	const step = orThrow(matchingStep(secret, given.code, now), "bad_request", "The code is wrong");
	const codes = newBackupCodes();
	const hashes = codes.map((code) => hashBackupCode(secret, code));
	await deps.metadata.transaction().execute(async (trx) => {
		await updateUser(trx, user.id, { two_factor_enabled_at: now, updated_at: now });
		// It may have been replaced, confirmed or cancelled in the meantime.
		const begun = { user_id: user.id, sealed_secret: row.sealed_secret, enabled_at: null };
		const enabled = await secondFactors.update(trx, begun, { enabled_at: now, setup_ends_at: null, last_step: step });
		if (enabled === undefined) throw noSetup();
		await replaceBackupCodes(trx, user.id, hashes, now);
		await revokeSessions(trx, user.id, { except: given.sessionId }, now);
		await recordAudit(trx, given.actor, { action: "user.2fa_enabled", resourceId: user.id }, now);
		await deps.mailer.queue(trx, noticeMail(user, "enabled"));
	});
	return codes;
}

const noSetup = () => new ServiceError("bad_request", "No two-factor setup is pending");

/**
 * Switches the second factor off; asks for the password and a code of either kind.
 * Throws `conflict` when it is off, `bad_request` for a wrong password or code, and as `useCode` does.
 */
export async function disableTwoFactor(
	deps: TwoFactorDeps,
	user: UserRow,
	given: { password: string; code: string; ip: string; actor: Actor },
): Promise<void> {
	if (user.two_factor_enabled_at === null) throw alreadyOff();
	await confirmPassword(deps, user, given);
	await confirmCode(deps, user, given.code);
	await switchOffTwoFactor(deps, user, given.actor, (trx) => deps.mailer.queue(trx, noticeMail(user, "disabled")));
}

/**
 * Switches a user's second factor off without asking for a code; `alongside` joins the transaction.
 * Throws `conflict` when it is off.
 */
export async function switchOffTwoFactor(
	deps: Pick<TwoFactorDeps, "metadata" | "clock">,
	user: UserRow,
	actor: Actor,
	alongside: (trx: Metadata) => Promise<void> = async () => {},
): Promise<void> {
	const now = deps.clock.now();
	await deps.metadata.transaction().execute(async (trx) => {
		await updateUser(trx, user.id, { two_factor_enabled_at: null, updated_at: now });
		if (!(await deleteTwoFactor(trx, user.id))) throw alreadyOff();
		await endOneTimeTokens(trx, "sign_in_challenge", user.id);
		await recordAudit(trx, actor, { action: "user.2fa_disabled", resourceId: user.id }, now);
		await alongside(trx);
	});
}

/** Takes away whatever a user has or began of a second factor, within a transaction of the caller. */
export async function removeSecondFactor(trx: Metadata, userId: number): Promise<void> {
	await deleteTwoFactor(trx, userId);
	await deleteSetup(trx, userId);
}

const alreadyOff = () => new ServiceError("conflict", "Two-factor authentication is off");

const NOT_YOU = "If this wasn't you, change your password at once: someone knows it, or uses one of your devices.";

/** Subject and paragraphs of each notice. */
const notices = {
	enabled: [
		"Two-factor authentication is on",
		"Signing in now requires a code from your authenticator app. Your other sessions were ended.",
		"Keep your backup codes where you can find them without your phone.",
		NOT_YOU,
	],
	disabled: [
		"Two-factor authentication is off",
		"Signing in no longer requires a code. Your backup codes no longer work.",
		NOT_YOU,
	],
	backupCodes: [
		"New backup codes",
		"New backup codes for two-factor authentication were created. The earlier ones no longer work.",
		NOT_YOU,
	],
	codesLocked: [
		"Too many wrong codes",
		"Ten wrong codes were entered for your account, so codes from your authenticator app are rejected for up to a day. Your backup codes still work.",
		"The person who entered them knew your password. If this wasn't you, change it.",
	],
} as const;

export function noticeMail(user: Pick<UserRow, "email" | "name">, notice: keyof typeof notices): Mail {
	const [subject, ...paragraphs] = notices[notice];
	return { to: user.email, subject, body: [`Hello ${user.name},`, ...paragraphs] };
}
