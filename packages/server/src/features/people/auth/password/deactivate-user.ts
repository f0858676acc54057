import { ServiceError } from "../../../../platform/errors/service-error.ts";
import type { Metadata } from "../../../../platform/metadata/metadata.ts";
import { type Actor, type ChangeDeps, recordAudit } from "../../../auditing/audit-log/index.ts";
import { endOneTimeTokens } from "../../one-time-tokens/index.ts";
import { hasOtherSuperadmin, lockSuperadmins, type UserRow, updateUser } from "../../users/index.ts";
import { revokeSessions } from "../session/store.ts";

/**
 * Deactivates a user: sessions, keys and begun sign-ins stop working at their next request. Answers how many sessions ended.
 * Throws `conflict` for the last active superadmin, who could not be reactivated.
 */
export async function deactivateUser(deps: ChangeDeps, user: UserRow, actor: Actor): Promise<number> {
	return deps.metadata.transaction().execute((trx) => deactivateWithin(trx, user, actor, deps.clock.now()));
}

/** The same within a transaction of the caller. */
export async function deactivateWithin(trx: Metadata, user: UserRow, actor: Actor, nowMs: number): Promise<number> {
	// Two superadmins who deactivate each other at once: one of them remains.
	await lockSuperadmins(trx);
	if (user.role === "superadmin" && !(await hasOtherSuperadmin(trx, user.id))) {
		throw new ServiceError("conflict", { message: "The last active superadmin cannot be deactivated" });
	}
	await updateUser(trx, user.id, { is_active: 0, updated_at: nowMs });
	await endOneTimeTokens(trx, "sign_in_challenge", user.id);
	await recordAudit(trx, actor, { action: "user.deactivated", resourceId: user.id }, nowMs);
	return revokeSessions(trx, user.id, {}, nowMs);
}
