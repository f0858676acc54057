import { fieldError, ServiceError } from "../../../../platform/errors/service-error.ts";
import type { Metadata } from "../../../../platform/metadata/metadata.ts";
import { type Actor, type ChangeDeps, recordAudit, userActor } from "../../../auditing/audit-log/index.ts";
import {
	countTokenAttempt,
	endOneTimeTokens,
	findOneTimeToken,
	issueOneTimeToken,
	takeOneTimeToken,
} from "../../one-time-tokens/index.ts";
import { findUser, findUserByEmail, lockUser, normalizeEmail, replaceEmail, type UserRow } from "../../users/index.ts";
import type { AuthDeps, MailingAuthDeps } from "../deps.ts";
import {
	addressInUseMail,
	addressLeftMail,
	addressTakenMail,
	leaveAddressMail,
	mayMail,
	takeAddressMail,
} from "../mails.ts";
import { confirmPassword } from "../password/replace-password.ts";
import { linkIsDead } from "../registration/register.ts";
import {
	type AddressChangeRow,
	addressChanges,
	endAddressChange,
	findAddressChange,
	revokeSessions,
} from "../store.ts";

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
		const { user_id: _, ...columns } = change;
		await addressChanges.upsert(trx, change, ["user_id"], columns);
		await deps.mailer.queue(trx, { ...leaveAddressMail(deps.rootUrl, leave.token, email), to: user.email });
		const isFree = (await findUserByEmail(trx, email)) === undefined;
		await deps.mailer[isMailed ? "queue" : "pretend"](trx, {
			...(isFree ? takeAddressMail(deps.rootUrl, take.token) : addressInUseMail(deps.rootUrl)),
			to: email,
		});
		await recordAudit(trx, actor, { action: "user.email_change_requested", resourceId: user.id }, now);
		return change;
	});
}

/** Takes a change of the address back that waits; throws `not_found` when there is none. */
export const withdrawAddressChange = (deps: ChangeDeps, userId: number, actor: Actor): Promise<void> =>
	deps.metadata.transaction().execute(async (trx) => {
		await lockUser(trx, userId);
		if (!(await endAddressChange(trx, userId)))
			throw new ServiceError("not_found", "No change of the address is pending");
		const entry = { action: "user.email_change_withdrawn", resourceId: userId } as const;
		await recordAudit(trx, actor, entry, deps.clock.now());
	});

const kinds = { current: "address_change_current", new: "address_change_new" } as const;

type AddressSide = keyof typeof kinds;

/** A change that waits, as one of its links shows it. */
export interface AddressLink {
	readonly side: AddressSide;
	/** The address of the account before the change. */
	readonly email: string;
	readonly newEmail: string;
}

export interface AddressConfirmation extends AddressLink {
	/** False while the other address has not confirmed. */
	readonly isChanged: boolean;
}

/**
 * Looks at a mailed link without using it. Throws `bad_request` for one that is unknown, used, replaced or too old, and
 * `rate_limit_exceeded` after 20 of them.
 */
export async function lookAtAddressLink(deps: AuthDeps, token: string, ip: string): Promise<AddressLink> {
	const { side, user, change } = await openLink(deps, token, ip);
	return { side, email: user.email, newEmail: change.new_email };
}

/**
 * Confirms a change of the address by a mailed link; the second of both changes it, and ends the user's other sessions and
 * the links that were mailed to the old address.
 * Throws as `lookAtAddressLink` does, and `duplicate_entry` when another account has the address by now.
 */
export async function confirmAddressChange(
	deps: MailingAuthDeps,
	token: string,
	ip: string,
): Promise<AddressConfirmation> {
	const { side, user } = await openLink(deps, token, ip);
	const now = deps.clock.now();
	return deps.metadata.transaction().execute(async (trx) => {
		// First: both links at once wait for each other, so that the later one sees what the earlier one noted.
		await lockUser(trx, user.id);
		if ((await takeOneTimeToken(trx, kinds[side], token, now)) === undefined) throw linkIsDead();
		const found = await findUser(trx, user.id);
		const change = await findAddressChange(trx, user.id, now);
		if (found?.is_active !== 1 || change === undefined) throw linkIsDead();
		const link = { side, email: found.email, newEmail: change.new_email };
		const actor = userActor(user.id, ip);
		const details = { address: side };
		await recordAudit(trx, actor, { action: "user.email_change_confirmed", resourceId: user.id, details }, now);
		const isLast = (side === "new" ? change.current_confirmed_at : change.new_confirmed_at) !== null;
		if (isLast) await changeAddress(deps, trx, { user: found, change, ip, now });
		else await addressChanges.update(trx, { user_id: user.id }, { [`${side}_confirmed_at`]: now });
		return { ...link, isChanged: isLast };
	});
}

async function changeAddress(
	deps: MailingAuthDeps,
	trx: Metadata,
	{ user, change, ip, now }: { user: UserRow; change: AddressChangeRow; ip: string; now: number },
): Promise<void> {
	await replaceEmail(trx, user.id, change.new_email, now);
	await endAddressChange(trx, user.id);
	// Links mailed to the previous address are revoked.
	for (const kind of ["password_reset", "email_verification", "sign_in_challenge"] as const) {
		await endOneTimeTokens(trx, kind, user.id);
	}
	const ended = await revokeSessions(trx, user.id, { except: change.session_id }, now);
	const details = { sessions_terminated: ended };
	await recordAudit(trx, userActor(user.id, ip), { action: "user.email_changed", resourceId: user.id, details }, now);
	await deps.mailer.queue(trx, { ...addressLeftMail(deps.rootUrl, change.new_email), to: user.email });
	await deps.mailer.queue(trx, { ...addressTakenMail(deps.rootUrl), to: change.new_email });
}

/** The change that a link confirms, and its user; an invalid link counts against the client's address. */
async function openLink(deps: AuthDeps, token: string, ip: string) {
	const attempt = await countTokenAttempt(deps, ip);
	const now = deps.clock.now();
	for (const side of ["current", "new"] as const) {
		const found = await findOneTimeToken(deps.metadata, kinds[side], token, now);
		if (found === undefined || found.isExpired) continue;
		const user = await findUser(deps.metadata, Number(found.subject));
		const change = await findAddressChange(deps.metadata, Number(found.subject), now);
		if (user?.is_active !== 1 || change === undefined) break;
		await attempt.takeBack();
		return { side, user, change };
	}
	throw linkIsDead();
}
