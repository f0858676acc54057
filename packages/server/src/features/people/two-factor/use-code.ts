import { ServiceError } from "../../../platform/errors/service-error.ts";
import { DAY_MS } from "../../../platform/lib/durations.ts";
import { type Client, completeSignIn } from "../auth/index.ts";
import { countTokenFailure, findOneTimeToken, takeOneTimeToken } from "../one-time-tokens/index.ts";
import { findUser, type UserRow } from "../users/index.ts";
import { hashBackupCode, matchingStep, openSecret } from "./codes.ts";
import type { TwoFactorDeps } from "./deps.ts";
import { codesLockedMail } from "./mails.ts";
import { findTwoFactor, reserveAttempt, type TwoFactorRow, takeBackupCode, takeStep } from "./store.ts";

/** So few that a million codes outlast the thief of a password, whatever number of sign-ins he begins. */
const limit = { failures: 10, windowMs: DAY_MS };

export type CodeKind = "app" | "backup";

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
	return useAppCode(deps, user, row, { secret, code });
}

/**
 * Asks a signed-in user for a code of either kind. Throws `bad_request` when it is wrong, and as `useCode` does.
 */
export async function confirmCode(deps: TwoFactorDeps, user: UserRow, code: string): Promise<void> {
	if (await useCode(deps, user, code, kindOfCode(code))) return;
	throw new ServiceError("bad_request", { message: "The code is wrong" });
}

async function useAppCode(
	deps: TwoFactorDeps,
	user: UserRow,
	row: TwoFactorRow,
	{ secret, code }: { secret: string; code: string },
): Promise<boolean> {
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
