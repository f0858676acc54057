import { Type } from "typebox";
import { fieldError, ServiceError } from "../../../platform/errors/service-error.ts";
import { addRoute } from "../../../platform/http/add-route.ts";
import type { App } from "../../../platform/http/app.ts";
import { DAY_MS } from "../../../platform/lib/durations.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import type { Mail } from "../../../platform/outbound/mail/mailer.ts";
import { type Actor, actorOf, recordAudit, systemActor } from "../../auditing/audit-log/index.ts";
import { revokeTokensOf } from "../../people/api-tokens/index.ts";
import {
	clearSessionCookies,
	confirmPassword,
	endAddressChange,
	type GrantEnding,
	revokeSessions,
} from "../../people/auth/index.ts";
import { endOneTimeTokens } from "../../people/one-time-tokens/index.ts";
import { forgetPreferences } from "../../people/preferences/index.ts";
import { confirmCode, removeSecondFactor, type TwoFactorDeps } from "../../people/two-factor/index.ts";
import {
	getUser,
	hasOtherSuperadmin,
	lockSuperadmins,
	lockUser,
	Password,
	type UserRow,
} from "../../people/users/index.ts";
import {
	endOrganization,
	hasOtherOwner,
	membershipsOf,
	type OrganizationEnding,
	organizationMembers,
} from "../organizations/index.ts";
import { changeSites, type SiteChangeDeps } from "../sites/index.ts";
import { deleteRoles, eraseUnconfirmed, eraseUser, forgetPerson, selectUnconfirmed } from "./store.ts";

/** The route by which users delete themselves; their address is told. */
export function registerAccountClosing(app: App, deps: CloseAccountDeps): void {
	addRoute(app, "DELETE /users/me", {
		"x-headers": ["Set-Cookie"],
		tags: ["Users"],
		summary: "Delete the caller's account, and organizations without other members",
		body: Type.Object({
			password: Password(),
			code: Type.Optional(
				Type.String({
					minLength: 6,
					maxLength: 14,
					description: "From the authenticator app, or a backup code; required where two-factor authentication is on",
				}),
			),
		}),
		guard: { kind: "session", scope: "write", impersonation: "refused" },
		data: Type.Object({
			message: Type.String(),
			organizations_deleted: Type.Array(Type.String(), {
				description: "Slugs of the organizations that only this user belonged to",
			}),
		}),
		errors: ["conflict"],
		handler: async (request, reply) => {
			const user = await getUser(deps.metadata, request.caller.userId);
			const { password, code } = request.body;
			const asksForCode = user.two_factor_enabled_at !== null;
			if (asksForCode && code === undefined) throw fieldError("body.code", "is required", "missing");
			await confirmPassword(deps, user, { password, ip: request.ip });
			if (asksForCode && code !== undefined) await confirmCode(deps, user, code);
			const organizations = await deleteUser(deps, user, actorOf(request));
			await deps.metadata.transaction().execute((trx) => deps.mailer.queue(trx, closedMail(deps.rootUrl, user)));
			clearSessionCookies(reply, deps.cookieSecure);
			return { message: "The account was closed", organizations_deleted: organizations };
		},
	});
}

export interface DeleteUserDeps extends SiteChangeDeps {
	/** Data that is deleted with an organization. */
	readonly endings: readonly OrganizationEnding[];
	readonly endGrantsOf: GrantEnding;
}

/**
 * Deletes a user permanently: the address can be used again, the name in the audit log becomes `deleted user`, and all
 * credentials and grants of the account end. Records that the user created for others are kept. Throws `conflict` for
 * the last active superadmin, and for the only owner of an organization that has other members. Answers the slugs of the
 * organizations that were the user's alone; their sites collect nothing more.
 */
export async function deleteUser(deps: DeleteUserDeps, user: UserRow, actor: Actor): Promise<string[]> {
	const nowMs = deps.clock.now();
	return changeSites(deps, [], async (trx) => {
		await lockSuperadmins(trx);
		await lockUser(trx, user.id);
		await checkMayGo(trx, user);
		await eraseUser(trx, user.id, nowMs);
		const reason = "the account was deleted";
		const organizations = await endAccount(deps, trx, { userId: user.id, actor, reason, nowMs });
		await forgetPerson(trx, { userId: user.id, email: user.email });
		return organizations;
	});
}

async function checkMayGo(trx: Metadata, user: UserRow): Promise<void> {
	if (user.role === "superadmin" && !(await hasOtherSuperadmin(trx, user.id))) {
		throw new ServiceError("conflict", "The last active superadmin cannot be deleted");
	}
	for (const { id, role, slug } of await membershipsOf(trx, user.id)) {
		if (role !== "owner" || (await hasOtherOwner(trx, id, user.id))) continue;
		if (await isAlone(trx, id, user.id)) continue;
		throw new ServiceError(
			"conflict",
			`The user is the only owner of the organization ${slug}: make another member an owner first, or delete the organization`,
		);
	}
}

const isAlone = async (trx: Metadata, organization_id: string, userId: number): Promise<boolean> =>
	(await organizationMembers.count(trx, { organization_id, user_id: { "!=": userId } })) === 0;

/**
 * Ends what an emptied account held: its sessions, keys, second factor and links, what apps were allowed, its roles, and the
 * organizations that were its alone. Answers the slugs of these. Within a transaction of the caller.
 */
async function endAccount(deps: DeleteUserDeps, trx: Metadata, ending: Parameters<GrantEnding>[1]): Promise<string[]> {
	const { userId, actor, reason, nowMs } = ending;
	const ended: string[] = [];
	for (const organization of await membershipsOf(trx, userId)) {
		if (!(await isAlone(trx, organization.id, userId))) continue;
		const entry = await endOrganization(deps, trx, organization, nowMs);
		await recordAudit(trx, actor, { ...entry, organizationId: organization.id }, nowMs);
		ended.push(organization.slug);
	}
	await deleteRoles(trx, userId);
	await deps.endGrantsOf(trx, ending);
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

interface CloseAccountDeps extends DeleteUserDeps, TwoFactorDeps {
	readonly rootUrl: string;
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

/**
 * Removes the accounts that were made more than 30 days ago and whose address is unconfirmed, with organizations that
 * were theirs alone; the address is free again. Accounts that were set up for somebody, and have no password yet, stay.
 * Answers how many.
 */
export async function removeUnconfirmedAccounts(deps: DeleteUserDeps): Promise<number> {
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

async function remove(deps: DeleteUserDeps, trx: Metadata, userId: number, nowMs: number): Promise<boolean> {
	// First, so that a concurrent confirmation waits for the row and finds an invalid link, or comes first.
	if (!(await eraseUnconfirmed(trx, userId, nowMs))) return false;
	await endAccount(deps, trx, { userId, actor: systemActor, reason: "the address was not confirmed", nowMs });
	return true;
}
