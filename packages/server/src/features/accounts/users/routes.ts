import type { App } from "../../../platform/http/app.ts";
import { success } from "../../../platform/http/envelope.ts";
import { Success } from "../../../platform/http/schemas.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import { currentUser } from "./current-user.ts";
import { User } from "./schemas.ts";

/** Routes on users. */
export function registerUsers(app: App, deps: { metadata: Metadata }): void {
	app.route({
		method: "GET",
		url: "/users/me",
		schema: { tags: ["Users"], summary: "The current user", response: { 200: Success(User) } },
		config: { guard: { kind: "principal", scope: "accounts:read" } },
		handler: async (request) => success(await currentUser(deps, request.caller)),
	});
}
