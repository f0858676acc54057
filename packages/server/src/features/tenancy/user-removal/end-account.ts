import type { Metadata } from "../../../platform/metadata/metadata.ts";
import { type Actor, recordAudit } from "../../auditing/audit-log/index.ts";
import { revokeTokensOf } from "../../people/api-tokens/index.ts";
import { endAddressChange, type GrantEnding, revokeSessions } from "../../people/auth/index.ts";
import { endOneTimeTokens } from "../../people/one-time-tokens/index.ts";
import { forgetPreferences } from "../../people/preferences/index.ts";
import { removeSecondFactor } from "../../people/two-factor/index.ts";
import { membershipsOf, type OrganizationEnding, updateOrganization } from "../organizations/index.ts";
import { deleteRoles, hasOtherMembers } from "./store.ts";

/** Dependencies of ending an account. */
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
export async function endAccount(deps: EndAccountDeps, trx: Metadata, ending: Ending): Promise<string[]> {
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
