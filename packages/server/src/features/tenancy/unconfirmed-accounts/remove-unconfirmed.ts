import type { Clock } from "../../../platform/lib/clock.ts";
import { DAY_MS } from "../../../platform/lib/durations.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import { recordAudit, systemActor } from "../../auditing/audit-log/index.ts";
import { type GrantEnding, revokeSessions } from "../../people/auth/index.ts";
import { endOneTimeTokens } from "../../people/one-time-tokens/index.ts";
import { membershipsOf, type OrganizationEnding, updateOrganization } from "../organizations/index.ts";
import { changeSites, type SiteDirectory } from "../sites/index.ts";
import { deleteRoles, eraseUnconfirmed, hasOtherMembers, selectUnconfirmed } from "./store.ts";

const KEPT_DAYS = 30;
/** Accounts looked for at a time. */
const PORTION = 100;

interface Deps {
	readonly metadata: Metadata;
	readonly clock: Clock;
	/** Refreshed after each account, whose sites collect nothing more. */
	readonly sites: Pick<SiteDirectory, "refresh">;
	/** What ends together with an organization. */
	readonly endings: readonly OrganizationEnding[];
	readonly endGrantsOf: GrantEnding;
}

/**
 * Removes the accounts that were made more than 30 days ago and whose address nobody has confirmed, with organizations that
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
	// First: whoever confirms the address at this moment waits for the row, and finds the link dead, or comes first.
	if (!(await eraseUnconfirmed(trx, userId, nowMs))) return false;
	for (const { id: organizationId, name } of await membershipsOf(trx, userId)) {
		if (await hasOtherMembers(trx, organizationId, userId)) continue;
		await updateOrganization(trx, organizationId, { is_active: 0, updated_at: nowMs });
		for (const end of deps.endings) await end(trx, organizationId, nowMs);
		const entry = { resourceId: organizationId, organizationId, details: { name } };
		await recordAudit(trx, systemActor, { action: "organization.deleted", ...entry }, nowMs);
	}
	await deleteRoles(trx, userId);
	const reason = "the address was not confirmed";
	await deps.endGrantsOf(trx, { userId, actor: systemActor, reason, nowMs });
	await endOneTimeTokens(trx, "email_verification", userId);
	await endOneTimeTokens(trx, "password_reset", userId);
	await revokeSessions(trx, userId, {}, nowMs);
	await recordAudit(trx, systemActor, { action: "user.deactivated", resourceId: userId, details: { reason } }, nowMs);
	return true;
}
