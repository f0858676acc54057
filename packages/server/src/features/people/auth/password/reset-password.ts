import { withoutLinks } from "../../../../platform/outbound/mail/plain-text.ts";
import { userActor } from "../../../auditing/audit-log/index.ts";
import { listTokens } from "../../api-tokens/index.ts";
import {
	countTokenAttempt,
	findOneTimeToken,
	issueOneTimeToken,
	takeOneTimeToken,
} from "../../one-time-tokens/index.ts";
import { findUser, findUserByEmail, normalizeEmail } from "../../users/index.ts";
import type { AuthDeps, MailingAuthDeps, ResetDeps } from "../deps.ts";
import { linkIsDead, markVerified } from "../registration/verify-email.ts";
import { decoyOwner } from "../sign-in/decoy-owner.ts";
import { trustPlace } from "../sign-in/login-limit.ts";
import { mayMail, passwordResetMail, resetMail } from "./mails.ts";
import { replacePassword } from "./replace-password.ts";

/** Mails an active user a link to a new password; does as much for any other address, and sends nothing. */
export async function forgotPassword(deps: MailingAuthDeps, given: string): Promise<void> {
	const email = normalizeEmail(given);
	const isMailed = await mayMail(deps, email);
	const user = await findUserByEmail(deps.metadata, email);
	const isKnown = user?.is_active === 1 && isMailed;
	await deps.metadata.transaction().execute(async (metadata) => {
		const owner = isKnown ? user.id : decoyOwner(email);
		const { token } = await issueOneTimeToken(metadata, "password_reset", owner, deps.clock.now());
		await deps.mailer[isKnown ? "queue" : "pretend"](metadata, { ...resetMail(deps.rootUrl, token), to: email });
	});
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
	const attempt = await countTokenAttempt(deps, ip);
	const now = deps.clock.now();
	const found = await findOneTimeToken(deps.metadata, "password_reset", token, now);
	const user = found === undefined ? undefined : await findUser(deps.metadata, Number(found.subject));
	if (found?.isExpired !== false || user?.is_active !== 1) throw linkIsDead();
	await attempt.takeBack();
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
