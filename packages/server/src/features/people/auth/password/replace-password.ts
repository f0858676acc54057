import { ServiceError } from "../../../../platform/errors/service-error.ts";
import type { Metadata } from "../../../../platform/metadata/metadata.ts";
import { withoutLinks } from "../../../../platform/outbound/mail/plain-text.ts";
import { type Actor, type ChangeDeps, recordAudit, userActor } from "../../../auditing/audit-log/index.ts";
import { listTokens } from "../../api-tokens/index.ts";
import type { FailureDeps } from "../../failure-limits/index.ts";
import {
	countTokenAttempt,
	endOneTimeTokens,
	findOneTimeToken,
	takeOneTimeToken,
} from "../../one-time-tokens/index.ts";
import {
	checkPasswordPolicy,
	findUserByEmail,
	hashPassword,
	hasOtherSuperadmin,
	lockSuperadmins,
	normalizeEmail,
	replacePasswordHash,
	type UserRow,
	updateUser,
	verifyPassword,
} from "../../users/index.ts";
import type { AuthDeps, MailingAuthDeps, ResetDeps } from "../deps.ts";
import { mailLink, mayMail, passwordResetMail, resetMail } from "../mails.ts";
import { linkIsDead, markVerified, userOfLink } from "../registration/register.ts";
import { countLoginAttempt, trustPlace } from "../sign-in/sign-in.ts";
import { endAddressChange, revokeSessions } from "../store.ts";

/**
 * Asks a signed-in user for the password again. Wrong guesses count as failed sign-ins: a borrowed session is no way around
 * their limit. Throws `bad_request` when it is wrong, `rate_limit_exceeded` after ten times.
 */
export async function confirmPassword(
	deps: FailureDeps,
	user: UserRow,
	given: { readonly password: string; readonly ip: string },
	refusal = "The password is wrong",
): Promise<void> {
	const attempt = await countLoginAttempt(deps, user.email, given.ip);
	if (!(await verifyPassword(user.password_hash, given.password))) throw new ServiceError("bad_request", refusal);
	await attempt.clear();
}

interface Replacement {
	readonly actor: Actor;
	readonly action: "user.password_changed" | "user.password_reset";
	/** Where the request has the password. */
	readonly field: string;
	/** The session that may go on. */
	readonly keepSession?: string;
	/** Joins the transaction once the user is locked; throwing undoes everything. */
	readonly alongside?: (metadata: Metadata) => Promise<void>;
	/** Ends what else may be in wrong hands; joins after the sessions, none of which can add to it any more. */
	readonly endGrants?: (metadata: Metadata, nowMs: number) => Promise<void>;
}

/**
 * Gives a user another password, and ends the sessions, half-done sign-ins, reset links and changes of the address that the old one led
 * to; answers how many sessions ended.
 * Throws `validation_error` on the field, and `conflict` when the password was replaced since `user` was read.
 */
export async function replacePassword(
	deps: ChangeDeps,
	user: UserRow,
	password: string,
	{ actor, action, field, keepSession, alongside, endGrants }: Replacement,
): Promise<number> {
	checkPasswordPolicy(password, user.email, field);
	const passwordHash = await hashPassword(password);
	const now = deps.clock.now();
	return deps.metadata.transaction().execute(async (metadata) => {
		// First, so that concurrent sign-ins and password changes wait for this row.
		if (!(await replacePasswordHash(metadata, user, passwordHash, now))) {
			throw new ServiceError("conflict", "The password was changed in the meantime");
		}
		await alongside?.(metadata);
		const ended = await revokeSessions(metadata, user.id, { except: keepSession }, now);
		await endGrants?.(metadata, now);
		await endOneTimeTokens(metadata, "sign_in_challenge", user.id);
		await endOneTimeTokens(metadata, "password_reset", user.id);
		// It may have been started with the old password.
		await endAddressChange(metadata, user.id);
		const details = { sessions_terminated: ended };
		await recordAudit(metadata, actor, { action, resourceId: user.id, details }, now);
		return ended;
	});
}

/** Mails an active user a link to a new password; does as much for any other address, and sends nothing. */
export async function forgotPassword(deps: MailingAuthDeps, given: string): Promise<void> {
	const email = normalizeEmail(given);
	const isMailed = await mayMail(deps, email);
	const user = await findUserByEmail(deps.metadata, email);
	const isKnown = user?.is_active === 1 && isMailed;
	await mailLink(deps, email, { kind: "password_reset", owner: isKnown ? user.id : undefined, mail: resetMail });
}

/**
 * Sets a new password with a mailed token and ends every session; answers their number. Grants of apps are revoked, as
 * they may have been made with the old password. A second factor is kept. The mail arrived, so the address is
 * confirmed, and a site that was set up for a user without a password is claimed. Throws `bad_request` for a token that
 * is unknown, used or expired, `rate_limit_exceeded` after 20 of them, and `validation_error` on `body.new_password`,
 * which leaves the token valid.
 */
export async function resetPassword(
	deps: ResetDeps,
	{ token, newPassword }: { token: string; newPassword: string },
	ip: string,
): Promise<number> {
	const user = await userOfLink(deps, "password_reset", token, ip);
	const now = deps.clock.now();
	const actor = userActor(user.id, ip);
	const isFirst = user.password_hash === null;
	const ended = await replacePassword(deps, user, newPassword, {
		actor,
		action: "user.password_reset",
		field: "body.new_password",
		alongside: async (metadata) => {
			const subject = await takeOneTimeToken(metadata, "password_reset", token, now);
			if (subject === undefined) throw linkIsDead();
			await markVerified(metadata, user, { ip, now });
			if (isFirst) await deps.wakeSiteOf(metadata, user.id, actor, now);
			const keys = await listTokens(metadata, user.id, { includeInactive: false, nowMs: now });
			const names = keys.map((key) => `${withoutLinks(key.name)} (${key.token_prefix}…)`);
			await deps.mailer.queue(metadata, { ...passwordResetMail(deps.rootUrl, names), to: user.email });
		},
		endGrants: (trx, nowMs) =>
			deps.endGrantsOf(trx, { userId: user.id, actor, reason: "the password was reset", nowMs }),
	});
	if (isFirst) await deps.sites.refresh();
	await trustPlace(deps, user.email, ip);
	return ended;
}

/**
 * Looks whether a mailed link can still be used, without using it; answers whose it is. Throws `bad_request` for a token that is unknown, used or
 * expired, and `rate_limit_exceeded` after 20 of them.
 */
export async function checkLink(
	deps: AuthDeps,
	kind: "email_verification" | "password_reset",
	token: string,
	ip: string,
): Promise<string> {
	const attempt = await countTokenAttempt(deps, ip);
	const found = await findOneTimeToken(deps.metadata, kind, token, deps.clock.now());
	if (found?.isExpired !== false) throw linkIsDead();
	await attempt.takeBack();
	return found.subject;
}

/**
 * Deactivates a user: sessions, keys and begun sign-ins stop working at their next request. Answers how many sessions ended.
 * Throws `conflict` for the last active superadmin, who could not be reactivated.
 */
export async function deactivateUser(deps: ChangeDeps, user: UserRow, actor: Actor): Promise<number> {
	return deps.metadata.transaction().execute((trx) => deactivateWithin(trx, user, actor, deps.clock.now()));
}

export async function deactivateWithin(trx: Metadata, user: UserRow, actor: Actor, nowMs: number): Promise<number> {
	// Two superadmins who deactivate each other at once: one of them remains.
	await lockSuperadmins(trx);
	if (user.role === "superadmin" && !(await hasOtherSuperadmin(trx, user.id))) {
		throw new ServiceError("conflict", "The last active superadmin cannot be deactivated");
	}
	await updateUser(trx, user.id, { is_active: 0, updated_at: nowMs });
	await endOneTimeTokens(trx, "sign_in_challenge", user.id);
	await recordAudit(trx, actor, { action: "user.deactivated", resourceId: user.id }, nowMs);
	return revokeSessions(trx, user.id, {}, nowMs);
}
