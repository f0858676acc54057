import { ServiceError } from "../../../../platform/errors/service-error.ts";
import type { Actor } from "../../../auditing/audit-log/index.ts";
import type { OAuthDeps } from "../deps.ts";
import { endGrantWithin } from "./end-grant.ts";
import { type GrantRow, selectGrant, selectLiveGrants } from "./grants-store.ts";

/** Apps that a user allowed to read a site, newest first. */
export const listConnections = (deps: OAuthDeps, userId: number): Promise<GrantRow[]> =>
	selectLiveGrants(deps.metadata, userId, deps.clock.now());

/** Takes from an app what its user allowed it, at once. Throws `not_found` for a grant of somebody else, or that has ended. */
export async function revokeConnection(
	deps: OAuthDeps,
	{ grantId, userId, actor }: { grantId: string; userId: number; actor: Actor },
): Promise<void> {
	const nowMs = deps.clock.now();
	const isRevoked = await deps.metadata.transaction().execute(async (trx) => {
		const grant = await selectGrant(trx, grantId);
		if (grant === undefined || grant.user_id !== userId || grant.expires_at <= nowMs) return false;
		return endGrantWithin(trx, { grantId, actor, reason: "revoked by the user", nowMs });
	});
	if (!isRevoked) throw new ServiceError("not_found", { message: "Connection not found" });
}
