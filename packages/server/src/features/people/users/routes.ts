import { ServiceError } from "../../../platform/errors/service-error.ts";
import type { App } from "../../../platform/http/app.ts";
import { success } from "../../../platform/http/envelope.ts";
import { Success } from "../../../platform/http/schemas.ts";
import type { Clock } from "../../../platform/lib/clock.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import { type Actor, actorOf, changedFields, recordAudit } from "../../auditing/audit-log/index.ts";
import { currentUser } from "./current-user.ts";
import { UpdateUserBody, User } from "./schemas.ts";
import { findUser, lockUser, updateUser } from "./store.ts";

const tags = ["Users"];

/** Routes on the caller's own record. */
export function registerUsers(app: App, deps: { metadata: Metadata; clock: Clock }): void {
	app.route({
		method: "GET",
		url: "/users/me",
		schema: { tags, summary: "The current user", response: { 200: Success(User) } },
		config: { guard: { kind: "principal", scope: "accounts:read" } },
		handler: async (request) =>
			success(await currentUser(deps, request.caller, (siteId) => request.isSiteOpenHere(siteId))),
	});
	app.route({
		method: "PATCH",
		url: "/users/me",
		schema: { tags, summary: "Change the caller's name", body: UpdateUserBody, response: { 200: Success(User) } },
		config: { guard: { kind: "session", scope: "write" } },
		handler: async (request) => {
			const { caller, body } = request;
			await renameUser(deps, { userId: caller.userId, name: body.name }, actorOf(request));
			return success(await currentUser(deps, caller, (siteId) => request.isSiteOpenHere(siteId)));
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
