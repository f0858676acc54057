import { ServiceError } from "../../../platform/errors/service-error.ts";
import { addRoute } from "../../../platform/http/add-route.ts";
import type { App } from "../../../platform/http/app.ts";
import type { Clock } from "../../../platform/lib/clock.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import { type Actor, actorOf, changedFields, recordAudit } from "../../auditing/audit-log/index.ts";
import { currentUser } from "./current-user.ts";
import { UpdateUserBody, User } from "./schemas.ts";
import { findUser, lockUser, updateUser } from "./store.ts";

const tags = ["Users"];

/** Routes on the caller's own record. */
export function registerUsers(app: App, deps: { metadata: Metadata; clock: Clock }): void {
	addRoute(app, "GET /users/me", {
		tags,
		summary: "The current user",
		guard: { kind: "principal", scope: "accounts:read" },
		data: User,
		handler: async (request) => await currentUser(deps, request.caller, (siteId) => request.isSiteOpenHere(siteId)),
	});
	addRoute(app, "PATCH /users/me", {
		tags,
		summary: "Change the caller's name",
		body: UpdateUserBody,
		guard: { kind: "session", scope: "write" },
		data: User,
		handler: async (request) => {
			const { caller, body } = request;
			await renameUser(deps, { userId: caller.userId, name: body.name }, actorOf(request));
			return await currentUser(deps, caller, (siteId) => request.isSiteOpenHere(siteId));
		},
	});
}

/** Gives a user another name; throws `user_not_found`. */
async function renameUser(
	deps: { metadata: Metadata; clock: Clock },
	{ userId, name }: { userId: number; name: string },
	actor: Actor,
): Promise<void> {
	const now = deps.clock.now();
	await deps.metadata.transaction().execute(async (metadata) => {
		await lockUser(metadata, userId);
		const user = await findUser(metadata, userId);
		if (user === undefined) throw new ServiceError("user_not_found");
		if (user.name === name) return;
		await updateUser(metadata, userId, { name, updated_at: now });
		const details = changedFields({ name: user.name }, { name });
		await recordAudit(metadata, actor, { action: "user.updated", resourceId: userId, details }, now);
	});
}
