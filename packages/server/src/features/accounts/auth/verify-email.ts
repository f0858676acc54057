import { ServiceError } from "../../../platform/errors/service-error.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import { recordAudit, userActor } from "../audit-log/index.ts";
import { countTokenAttempt, issueOneTimeToken, takeOneTimeToken } from "../one-time-tokens/index.ts";
import { findUser, findUserByEmail, normalizeEmail, type UserRow, updateUser } from "../users/index.ts";
import { decoyOwner } from "./decoy-owner.ts";
import type { AuthDeps, MailingAuthDeps } from "./deps.ts";
import { finishSignIn, type SignInOutcome } from "./finish-sign-in.ts";
import { mayMail } from "./mail-allowance.ts";
import { verificationMail } from "./mails.ts";
import type { Client } from "./open-session.ts";
import { revokeSessions } from "./store.ts";

/** Says of a mailed link that it opens nothing, whatever the reason. */
export const linkIsDead = () => new ServiceError("bad_request", { message: "The link is not valid any more" });

/**
 * Confirms the address to which a token was mailed, and signs its user in.
 * Throws `bad_request` for a token that is unknown, used or expired, and `rate_limit_exceeded` after 20 of them.
 */
export async function verifyEmail(deps: AuthDeps, token: string, client: Client): Promise<SignInOutcome> {
	const attempt = await countTokenAttempt(deps, client.ip);
	const now = deps.clock.now();
	const user = await deps.metadata.transaction().execute(async (metadata) => {
		const subject = await takeOneTimeToken(metadata, "email_verification", token, now);
		const found = subject === undefined ? undefined : await findUser(metadata, Number(subject));
		if (found?.is_active !== 1) throw linkIsDead();
		// Sessions from before belong to whoever signed up, who need not be the one who reads the mails.
		if (found.email_verified_at === null) await revokeSessions(metadata, found.id, {}, now);
		return markVerified(metadata, found, { ip: client.ip, now });
	});
	await attempt.takeBack();
	return finishSignIn(deps, user, client);
}

/** Notes that a user reads the mails to the address, when that is news. */
export async function markVerified(
	metadata: Metadata,
	user: UserRow,
	{ ip, now }: { ip: string; now: number },
): Promise<UserRow> {
	if (user.email_verified_at !== null) return user;
	await updateUser(metadata, user.id, { email_verified_at: now, updated_at: now });
	await recordAudit(metadata, userActor(user.id, ip), { action: "user.email_verified", resourceId: user.id }, now);
	return { ...user, email_verified_at: now };
}

/** Mails a new account the link by which it confirms its address; `metadata` is the transaction that makes the account. */
export async function mailVerification(
	{ metadata, mailer, rootUrl, clock }: Pick<MailingAuthDeps, "metadata" | "mailer" | "rootUrl" | "clock">,
	user: UserRow,
): Promise<void> {
	const { token } = await issueOneTimeToken(metadata, "email_verification", user.id, clock.now());
	await mailer.queue(metadata, { ...verificationMail(rootUrl, token), to: user.email });
}

/** Mails the link again to an address that is registered and not confirmed; does as much for any other, and sends nothing. */
export async function resendVerification(deps: MailingAuthDeps, given: string): Promise<void> {
	const email = normalizeEmail(given);
	const isMailed = await mayMail(deps, email);
	const user = await findUserByEmail(deps.metadata, email);
	const isWaiting = user !== undefined && user.email_verified_at === null && user.is_active === 1 && isMailed;
	await deps.metadata.transaction().execute(async (metadata) => {
		const owner = isWaiting ? user.id : decoyOwner(email);
		const { token } = await issueOneTimeToken(metadata, "email_verification", owner, deps.clock.now());
		await deps.mailer[isWaiting ? "queue" : "pretend"](metadata, {
			...verificationMail(deps.rootUrl, token),
			to: email,
		});
	});
}
