import { ServiceError } from "../../../platform/errors/service-error.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import { type Actor, type ChangeDeps, changedFields, recordAudit } from "../../auditing/audit-log/index.ts";
import { deactivateWithin } from "../../people/auth/index.ts";
import {
	getUser,
	hasOtherSuperadmin,
	insertUser,
	lockSuperadmins,
	newUserRow,
	type UserRole,
	type UserRow,
	updateUser,
} from "../../people/users/index.ts";
import { insertSiteMember, listSites } from "../sites/index.ts";

interface UserChange {
	readonly name?: string | undefined;
	readonly role?: UserRole | undefined;
	readonly isActive?: boolean | undefined;
}

/**
 * Changes a user. Throws `user_not_found`, and `conflict` for one's own role, one's own deactivation, and the last active
 * superadmin.
 */
export async function changeUser(deps: ChangeDeps, userId: number, change: UserChange, actor: Actor): Promise<UserRow> {
	const now = deps.clock.now();
	return deps.metadata.transaction().execute(async (trx) => {
		// First, so that what is read below stays true: two superadmins may take each other's rank at once.
		await lockSuperadmins(trx);
		const user = await getUser(trx, userId);
		refuseOwn(user, change, actor);
		await changeRecord(trx, user, change, actor, now);
		if (change.isActive === false && user.is_active === 1) await deactivateWithin(trx, user, actor, now);
		if (change.isActive === true && user.is_active === 0) {
			await updateUser(trx, userId, { is_active: 1, updated_at: now });
			await recordAudit(trx, actor, { action: "user.activated", resourceId: userId }, now);
		}
		return getUser(trx, userId);
	});
}

function refuseOwn(user: UserRow, { role, isActive }: UserChange, actor: Actor): void {
	if (user.id !== actor.userId) return;
	if (role !== undefined && role !== user.role) {
		throw new ServiceError("conflict", { message: "You cannot change your own role" });
	}
	if (isActive === false) throw new ServiceError("conflict", { message: "You cannot deactivate yourself" });
}

async function changeRecord(
	trx: Metadata,
	user: UserRow,
	{ name, role }: UserChange,
	actor: Actor,
	nowMs: number,
): Promise<void> {
	const after = { ...(name === undefined ? {} : { name }), ...(role === undefined ? {} : { role }) };
	const details = changedFields({ name: user.name, role: user.role }, after);
	if (Object.keys(details).length === 0) return;
	if (role === "user" && user.role === "superadmin" && !(await hasOtherSuperadmin(trx, user.id))) {
		throw new ServiceError("conflict", { message: "The last active superadmin cannot lose the role" });
	}
	await updateUser(trx, user.id, { ...after, updated_at: nowMs });
	await recordAudit(trx, actor, { action: "user.updated", resourceId: user.id, details }, nowMs);
}

interface NewUser {
	readonly email: string;
	readonly name: string;
	readonly password: string;
	readonly role: UserRole;
	/** Slugs; the user becomes a viewer there. */
	readonly siteIds: readonly string[];
}

/**
 * Creates a user whose address counts as verified, because a superadmin or the operator vouches for it.
 * Throws `validation_error`, `duplicate_entry` when the address is taken, and `account_not_found` for an unknown site.
 */
export async function addUser(deps: ChangeDeps, input: NewUser, actor: Actor): Promise<UserRow> {
	const now = deps.clock.now();
	const row = await newUserRow(input, now);
	const siteIds = [...new Set(input.siteIds)].sort();
	return deps.metadata.transaction().execute(async (trx) => {
		await checkSites(trx, siteIds);
		const user = await insertUser(trx, row);
		for (const siteId of siteIds) await insertSiteMember(trx, { siteId, userId: user.id, role: "viewer", nowMs: now });
		const details = { role: user.role, account_ids: siteIds };
		await recordAudit(trx, actor, { action: "user.created", resourceId: user.id, details }, now);
		return user;
	});
}

async function checkSites(metadata: Metadata, siteIds: readonly string[]): Promise<void> {
	const known = await listSites(metadata, { ids: siteIds, includeInactive: true });
	if (known.length < siteIds.length) throw new ServiceError("account_not_found");
}
