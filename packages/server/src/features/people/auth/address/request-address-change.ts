import { fieldError } from "../../../../platform/errors/service-error.ts";
import type { Metadata } from "../../../../platform/metadata/metadata.ts";
import { type Actor, recordAudit } from "../../../auditing/audit-log/index.ts";
import { issueOneTimeToken } from "../../one-time-tokens/index.ts";
import { findUserByEmail, lockUser, normalizeEmail, type UserRow } from "../../users/index.ts";
import type { MailingAuthDeps } from "../deps.ts";
import { confirmPassword } from "../password/confirm-password.ts";
import { mayMail } from "../password/mails.ts";
import { addressInUseMail, leaveAddressMail, takeAddressMail } from "./mails.ts";
import { type AddressChangeRow, endAddressChange, replaceAddressChange } from "./store.ts";

interface Wish {
	readonly user: UserRow;
	/** The requesting session, which stays valid. */
	readonly sessionId: string;
	readonly newEmail: string;
	readonly password: string;
	readonly ip: string;
}

/**
 * Mails both addresses a link by which they confirm that the account is to have the new one; a change that waited ends.
 * An address that has an account gets a notice in place of a link; the answer and what is kept are the same.
 * Throws `bad_request` for a wrong password, `rate_limit_exceeded`, and `validation_error` on `body.new_email` for the
 * address that the account has.
 */
export async function requestAddressChange(deps: MailingAuthDeps, wish: Wish, actor: Actor): Promise<AddressChangeRow> {
	const { user, sessionId, ip } = wish;
	const email = normalizeEmail(wish.newEmail);
	if (email === user.email) throw fieldError("body.new_email", "is already the address of the account");
	await confirmPassword(deps, user, { password: wish.password, ip });
	const isMailed = await mayMail(deps, email);
	const now = deps.clock.now();
	return deps.metadata.transaction().execute(async (trx) => {
		await lockUser(trx, user.id);
		const leave = await issueOneTimeToken(trx, "address_change_current", user.id, now);
		const take = await issueOneTimeToken(trx, "address_change_new", user.id, now);
		const change: AddressChangeRow = {
			user_id: user.id,
			new_email: email,
			session_id: sessionId,
			current_confirmed_at: null,
			new_confirmed_at: null,
			expires_at: take.expiresAt,
			created_at: now,
		};
		await replaceAddressChange(trx, change);
		await deps.mailer.queue(trx, { ...leaveAddressMail(deps.rootUrl, leave.token, email), to: user.email });
		await deps.mailer[isMailed ? "queue" : "pretend"](trx, {
			...((await hasAccount(trx, email)) ? addressInUseMail(deps.rootUrl) : takeAddressMail(deps.rootUrl, take.token)),
			to: email,
		});
		await recordAudit(trx, actor, { action: "user.email_change_requested", resourceId: user.id }, now);
		return change;
	});
}

const hasAccount = async (metadata: Metadata, email: string): Promise<boolean> =>
	(await findUserByEmail(metadata, email)) !== undefined;

/** Takes a change of the address back that waits; false when there is none. */
export async function withdrawAddressChange(
	deps: Pick<MailingAuthDeps, "metadata" | "clock">,
	userId: number,
	actor: Actor,
): Promise<boolean> {
	return deps.metadata.transaction().execute(async (trx) => {
		await lockUser(trx, userId);
		if (!(await endAddressChange(trx, userId))) return false;
		const entry = { action: "user.email_change_withdrawn", resourceId: userId } as const;
		await recordAudit(trx, actor, entry, deps.clock.now());
		return true;
	});
}
