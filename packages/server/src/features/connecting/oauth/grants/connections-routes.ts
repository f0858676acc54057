import type { App } from "../../../../platform/http/app.ts";
import { success } from "../../../../platform/http/envelope.ts";
import { Message, Success } from "../../../../platform/http/schemas.ts";
import { actorOf } from "../../../auditing/audit-log/index.ts";
import { presentConnection } from "../clients/present.ts";
import type { OAuthDeps } from "../deps.ts";
import { Connections, GrantParams } from "../schemas.ts";
import { listConnections, revokeConnection } from "./connections.ts";

const tags = ["Connections"];

/** Routes on the apps that the caller has let in. */
export function registerConnections(app: App, deps: OAuthDeps): void {
	app.route({
		method: "GET",
		url: "/oauth/connections",
		schema: { tags, summary: "Apps that may read a site of the caller", response: { 200: Success(Connections) } },
		config: { guard: { kind: "session", scope: "read", impersonation: "refused" } },
		handler: async ({ caller }) => success((await listConnections(deps, caller.userId)).map(presentConnection)),
	});
	app.route({
		method: "DELETE",
		url: "/oauth/connections/:grant_id",
		schema: {
			tags,
			summary: "Take from an app what it was allowed; its next request fails",
			params: GrantParams,
			response: { 200: Success(Message) },
		},
		config: { guard: { kind: "session", scope: "write" } },
		handler: async (request) => {
			const grantId = request.params.grant_id.toLowerCase();
			await revokeConnection(deps, { grantId, userId: request.caller.userId, actor: actorOf(request) });
			return success({ message: "The app can no longer read the site" });
		},
	});
}
