import { Type } from "typebox";
import { ServiceError } from "../../../../platform/errors/service-error.ts";
import { addRoute } from "../../../../platform/http/add-route.ts";
import type { App } from "../../../../platform/http/app.ts";
import { presentRow } from "../../../../platform/http/present-row.ts";
import { Message, Nullable, OneOf, Timestamp } from "../../../../platform/http/schemas.ts";
import { actorOf } from "../../../auditing/audit-log/index.ts";
import type { OAuthDeps } from "../deps.ts";
import { oauthScopes, storedScopes } from "../protocol/parameters.ts";
import { grants, selectLiveGrants } from "../store.ts";
import { endGrantWithin } from "./end-grant.ts";

const GrantParams = Type.Object({ grant_id: Type.String({ format: "uuid" }) });

const Connection = Type.Object({
	grant_id: Type.String(),
	client_id: Type.String(),
	client_name: Type.String(),
	site_id: Type.String(),
	scopes: Type.Array(OneOf(oauthScopes)),
	created_at: Timestamp(),
	last_used_at: Nullable(Timestamp()),
});

const tags = ["Connections"];

export function registerConnections(app: App, deps: OAuthDeps): void {
	addRoute(app, "GET /oauth/connections", {
		tags,
		summary: "Apps connected to sites of the caller",
		guard: { kind: "session", scope: "read", impersonation: "refused" },
		data: Type.Array(Connection),
		handler: async ({ caller }) => {
			const live = await selectLiveGrants(deps.metadata, caller.userId, deps.clock.now());
			return live.map((grant) => ({
				...presentRow(Connection, grant),
				grant_id: grant.id,
				scopes: storedScopes(grant.scopes),
			}));
		},
	});
	addRoute(app, "DELETE /oauth/connections/:grant_id", {
		tags,
		summary: "Revoke an app's access; its next request fails",
		params: GrantParams,
		guard: { kind: "session", scope: "write" },
		data: Message,
		handler: async (request) => {
			const grantId = request.params.grant_id.toLowerCase();
			const nowMs = deps.clock.now();
			const isRevoked = await deps.metadata.transaction().execute(async (trx) => {
				const grant = await grants.find(trx, { id: grantId });
				// A grant of somebody else is as good as none.
				if (grant?.user_id !== request.caller.userId || grant.expires_at <= nowMs) return false;
				const ended = { grantId, actor: actorOf(request), reason: "revoked by the user", nowMs } as const;
				return endGrantWithin(trx, ended);
			});
			if (!isRevoked) throw new ServiceError("not_found", "Connection not found");
			return { message: "The app can no longer read the site" };
		},
	});
}
