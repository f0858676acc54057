import { ServiceError } from "../../../../platform/errors/service-error.ts";
import { addRoute } from "../../../../platform/http/add-route.ts";
import type { App } from "../../../../platform/http/app.ts";
import { Message } from "../../../../platform/http/schemas.ts";
import { type Actor, actorOf } from "../../../auditing/audit-log/index.ts";
import { presentConnection } from "../clients/present.ts";
import type { OAuthDeps } from "../deps.ts";
import { Connections, GrantParams } from "../schemas.ts";
import { endGrantWithin } from "./end-grant.ts";
import { type GrantRow, selectGrant, selectLiveGrants } from "./grants-store.ts";

/** Apps that a user allowed to read a site, newest first. */
const listConnections = (deps: OAuthDeps, userId: number): Promise<GrantRow[]> =>
	selectLiveGrants(deps.metadata, userId, deps.clock.now());

/** Takes from an app what its user allowed it, at once. Throws `not_found` for a grant of somebody else, or that has ended. */
async function revokeConnection(
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

const tags = ["Connections"];

/** Routes on the apps that the caller has let in. */
export function registerConnections(app: App, deps: OAuthDeps): void {
	addRoute(app, "GET /oauth/connections", {
		tags,
		summary: "Apps connected to sites of the caller",
		guard: { kind: "session", scope: "read", impersonation: "refused" },
		data: Connections,
		handler: async ({ caller }) => (await listConnections(deps, caller.userId)).map(presentConnection),
	});
	addRoute(app, "DELETE /oauth/connections/:grant_id", {
		tags,
		summary: "Revoke an app's access; its next request fails",
		params: GrantParams,
		guard: { kind: "session", scope: "write" },
		data: Message,
		handler: async (request) => {
			const grantId = request.params.grant_id.toLowerCase();
			await revokeConnection(deps, { grantId, userId: request.caller.userId, actor: actorOf(request) });
			return { message: "The app can no longer read the site" };
		},
	});
}
