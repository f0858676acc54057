import { ServiceError } from "../../../platform/errors/service-error.ts";
import type { Clock } from "../../../platform/lib/clock.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import type { Actor } from "../../auditing/audit-log/index.ts";
import { hasOtherSuperadmin, lockSuperadmins, lockUser, type UserRow } from "../../people/users/index.ts";
import { hasOtherOwner, membershipsOf } from "../organizations/index.ts";
import { changeSites, type SiteDirectory } from "../sites/index.ts";
import { type EndAccountDeps, endAccount } from "./end-account.ts";
import { eraseUser, forgetPerson, hasOtherMembers } from "./store.ts";

/** Dependencies of deleting a user. */
export interface DeleteUserDeps extends EndAccountDeps {
	readonly metadata: Metadata;
	readonly clock: Clock;
	/** Refreshed after the deletion, as sites may have ended. */
	readonly sites: Pick<SiteDirectory, "refresh">;
}

/** Data deleted with a user. */
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
