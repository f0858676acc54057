import { Type } from "typebox";
import { ServiceError } from "../../../../platform/errors/service-error.ts";
import { addRoute } from "../../../../platform/http/add-route.ts";
import type { App } from "../../../../platform/http/app.ts";
import { Message, Nullable, OneOf, Timestamp } from "../../../../platform/http/schemas.ts";
import { timestamp, timestampOrNull } from "../../../../platform/lib/timestamp.ts";
import { type Actor, actorOf } from "../../../auditing/audit-log/index.ts";
import type { OAuthDeps } from "../deps.ts";
import { oauthScopes, storedScopes } from "../protocol/parameters.ts";
import { type GrantRow, selectGrant, selectLiveGrants } from "../store.ts";
import { endGrantWithin } from "./end-grant.ts";

const GrantParams = Type.Object({ grant_id: Type.String({ format: "uuid" }) });

const Connections = Type.Array(
	Type.Object({
		grant_id: Type.String(),
		client_id: Type.String(),
		client_name: Type.String(),
		site_id: Type.String(),
		scopes: Type.Array(OneOf(oauthScopes)),
		created_at: Timestamp(),
		last_used_at: Nullable(Timestamp()),
	}),
);

/** An app that may read a site. */
const presentConnection = (grant: GrantRow) => ({
	grant_id: grant.id,
	client_id: grant.client_id,
	client_name: grant.client_name,
	site_id: grant.site_id,
	scopes: storedScopes(grant.scopes),
	created_at: timestamp(grant.created_at),
	last_used_at: timestampOrNull(grant.last_used_at),
});

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
