import { ServiceError } from "../../../platform/errors/service-error.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import { type Actor, recordAudit } from "../../auditing/audit-log/index.ts";
import { insertUser, newUserRow, type UserRole, type UserRow } from "../../people/users/index.ts";
import { insertSiteMember, listSites } from "../sites/index.ts";
import type { UserAdministrationDeps } from "./deps.ts";

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
export async function addUser(deps: UserAdministrationDeps, input: NewUser, actor: Actor): Promise<UserRow> {
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
