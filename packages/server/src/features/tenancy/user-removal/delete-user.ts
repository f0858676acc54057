import { fieldError, ServiceError } from "../../../platform/errors/service-error.ts";
import { DAY_MS } from "../../../platform/lib/durations.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import type { Mail } from "../../../platform/outbound/mail/mailer.ts";
import { type Actor, type ChangeDeps, recordAudit, systemActor } from "../../auditing/audit-log/index.ts";
import { revokeTokensOf } from "../../people/api-tokens/index.ts";
import { confirmPassword, endAddressChange, type GrantEnding, revokeSessions } from "../../people/auth/index.ts";
import { endOneTimeTokens } from "../../people/one-time-tokens/index.ts";
import { forgetPreferences } from "../../people/preferences/index.ts";
import { confirmCode, removeSecondFactor, type TwoFactorDeps } from "../../people/two-factor/index.ts";
import { hasOtherSuperadmin, lockSuperadmins, lockUser, type UserRow } from "../../people/users/index.ts";
import { hasOtherOwner, membershipsOf, type OrganizationEnding, updateOrganization } from "../organizations/index.ts";
import { changeSites, type SiteDirectory } from "../sites/index.ts";
import { deleteRoles, eraseUnconfirmed, eraseUser, forgetPerson, hasOtherMembers, selectUnconfirmed } from "./store.ts";

export interface DeleteUserDeps extends ChangeDeps, EndAccountDeps {
	/** Refreshed after the deletion, as sites may have ended. */
	readonly sites: Pick<SiteDirectory, "refresh">;
}

export interface UserDeletion {
	/** Slugs of the organizations that were the user's alone; their sites collect nothing more. */
	readonly organizations: readonly string[];
}

/**
 * Deletes a user permanently: the address can be used again, the name in the audit log becomes `deleted user`, and all
 * credentials and grants of the account end. Records that the user created for others are kept. Throws `conflict` for
 * the last active superadmin, and for the only owner of an organization that has other members.
 */
export async function deleteUser(deps: DeleteUserDeps, user: UserRow, actor: Actor): Promise<UserDeletion> {
	const nowMs = deps.clock.now();
	return changeSites(deps, [], async (trx) => {
		await lockSuperadmins(trx);
		await lockUser(trx, user.id);
		await checkMayGo(trx, user);
		await eraseUser(trx, user.id, nowMs);
		const reason = "the account was deleted";
		const organizations = await endAccount(deps, trx, { userId: user.id, actor, reason, nowMs });
		await forgetPerson(trx, { userId: user.id, email: user.email });
		return { organizations };
	});
}

async function checkMayGo(trx: Metadata, user: UserRow): Promise<void> {
	if (user.role === "superadmin" && !(await hasOtherSuperadmin(trx, user.id))) {
		throw new ServiceError("conflict", { message: "The last active superadmin cannot be deleted" });
	}
	for (const { id, role, slug } of await membershipsOf(trx, user.id)) {
		if (role !== "owner" || (await hasOtherOwner(trx, id, user.id))) continue;
		if (!(await hasOtherMembers(trx, id, user.id))) continue;
		throw new ServiceError("conflict", {
			message: `The user is the only owner of the organization ${slug}: make another member an owner first, or delete the organization`,
		});
	}
}

export interface EndAccountDeps {
	/** Data that is deleted with an organization. */
	readonly endings: readonly OrganizationEnding[];
	readonly endGrantsOf: GrantEnding;
}

/** An emptied account whose traces go now, and why. */
interface Ending {
	readonly userId: number;
	readonly actor: Actor;
	readonly reason: "the account was deleted" | "the address was not confirmed";
	readonly nowMs: number;
}

/**
 * Ends what an emptied account held: its sessions, keys, second factor and links, what apps were allowed, its roles, and the
 * organizations that were its alone. Answers the slugs of these. Within a transaction of the caller.
 */
async function endAccount(deps: EndAccountDeps, trx: Metadata, ending: Ending): Promise<string[]> {
	const { userId, actor, reason, nowMs } = ending;
	const ended: string[] = [];
	for (const { id: organizationId, name, slug } of await membershipsOf(trx, userId)) {
		if (await hasOtherMembers(trx, organizationId, userId)) continue;
		await updateOrganization(trx, organizationId, { is_active: 0, updated_at: nowMs });
		for (const end of deps.endings) await end(trx, organizationId, nowMs);
		const entry = { resourceId: organizationId, organizationId, details: { name } };
		await recordAudit(trx, actor, { action: "organization.deleted", ...entry }, nowMs);
		ended.push(slug);
	}
	await deleteRoles(trx, userId);
	await deps.endGrantsOf(trx, { userId, actor, reason, nowMs });
	for (const kind of ["email_verification", "password_reset", "sign_in_challenge"] as const) {
		await endOneTimeTokens(trx, kind, userId);
	}
	await endAddressChange(trx, userId);
	await revokeTokensOf(trx, userId, nowMs);
	await removeSecondFactor(trx, userId);
	await forgetPreferences(trx, userId);
	await revokeSessions(trx, userId, {}, nowMs);
	await recordAudit(trx, actor, { action: "user.deactivated", resourceId: userId, details: { reason } }, nowMs);
	return ended;
}

export interface CloseAccountDeps extends DeleteUserDeps, TwoFactorDeps {
	/** Where mails say that the service is. */
	readonly rootUrl: string;
}

interface Closing {
	readonly user: UserRow;
	readonly password: string;
	/** Of the app, or a backup code; needed where the second factor is on. */
	readonly code: string | undefined;
	readonly ip: string;
	readonly actor: Actor;
}

/**
 * Deletes the calling user for good, as `deleteUser` does, and tells the address. Throws `bad_request` for a wrong password or
 * code, `rate_limit_exceeded` after too many, `validation_error` on `body.code` where one is missing, and as `deleteUser` does.
 */
export async function closeAccount(deps: CloseAccountDeps, closing: Closing): Promise<UserDeletion> {
	const { user, password, code, ip, actor } = closing;
	const asksForCode = user.two_factor_enabled_at !== null;
	if (asksForCode && code === undefined) throw fieldError("body.code", "is required", "missing");
	await confirmPassword(deps, user, { password, ip });
	if (asksForCode && code !== undefined) await confirmCode(deps, user, code);
	const deletion = await deleteUser(deps, user, actor);
	await deps.metadata.transaction().execute((trx) => deps.mailer.queue(trx, closedMail(deps.rootUrl, user)));
	return deletion;
}

const closedMail = (rootUrl: string, { email, name }: UserRow): Mail => ({
	to: email,
	subject: "Your account was closed",
	body: [
		`Hello ${name},`,
		`Your account with Footfall at ${rootUrl} was closed. Its sessions, API keys and connected apps no longer work.`,
		"This is the last email to this address. If this wasn't you, contact the operator of the service.",
	],
});

const KEPT_DAYS = 30;
/** Accounts looked for at a time. */
const PORTION = 100;

interface Deps extends ChangeDeps, EndAccountDeps {
	/** Refreshed after each account, whose sites collect nothing more. */
	readonly sites: Pick<SiteDirectory, "refresh">;
}

/**
 * Removes the accounts that were made more than 30 days ago and whose address is unconfirmed, with organizations that
 * were theirs alone; the address is free again. Accounts that were set up for somebody, and have no password yet, stay.
 * Answers how many.
 */
export async function removeUnconfirmedAccounts(deps: Deps): Promise<number> {
	const nowMs = deps.clock.now();
	const before = nowMs - KEPT_DAYS * DAY_MS;
	let removed = 0;
	for (let afterId = 0; ; ) {
		const ids = await selectUnconfirmed(deps.metadata, { before, afterId, limit: PORTION });
		for (const id of ids) {
			if (await changeSites(deps, [], (trx) => remove(deps, trx, id, nowMs))) removed += 1;
		}
		if (ids.length < PORTION) return removed;
		afterId = ids.at(-1) ?? afterId;
	}
}

async function remove(deps: Deps, trx: Metadata, userId: number, nowMs: number): Promise<boolean> {
	// First, so that a concurrent confirmation waits for the row and finds an invalid link, or comes first.
	if (!(await eraseUnconfirmed(trx, userId, nowMs))) return false;
	await endAccount(deps, trx, { userId, actor: systemActor, reason: "the address was not confirmed", nowMs });
	return true;
}
