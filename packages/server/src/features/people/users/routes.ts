import { type TSchemaOptions, Type } from "typebox";
import { type Caller, reachableSitesOf } from "../../../access/index.ts";
import { addRoute } from "../../../platform/http/add-route.ts";
import type { App } from "../../../platform/http/app.ts";
import { Nullable, OneOf, Timestamp } from "../../../platform/http/schemas.ts";
import { timestamp, timestampOrNull } from "../../../platform/lib/timestamp.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import { type Actor, actorOf, type ChangeDeps, changedFields, recordAudit } from "../../auditing/audit-log/index.ts";
import { getUser, lockUser, type UserRow, updateUser } from "./store.ts";

const UpdateUserBody = Type.Object({ name: Type.String({ minLength: 1, maxLength: 255 }) });

/** A password as somebody types it; whether it may be a new one is for the policy to say. */
export const Password = (options: TSchemaOptions = {}) => Type.String({ minLength: 1, maxLength: 1024, ...options });

export const User = Type.Object({
	id: Type.Integer(),
	email: Type.String(),
	name: Type.String(),
	role: OneOf(["superadmin", "user"]),
	account_ids: Type.Array(Type.String(), { description: "Slugs of the sites that the caller can access" }),
	is_active: Type.Boolean(),
	email_verified_at: Nullable(Timestamp()),
	last_login_at: Nullable(Timestamp()),
	created_at: Timestamp(),
	two_factor_enabled: Type.Boolean(),
	two_factor_enabled_at: Nullable(Timestamp()),
});

const tags = ["Users"];

export function registerUsers(app: App, deps: ChangeDeps): void {
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
	deps: ChangeDeps,
	{ userId, name }: { userId: number; name: string },
	actor: Actor,
): Promise<void> {
	const now = deps.clock.now();
	await deps.metadata.transaction().execute(async (metadata) => {
		await lockUser(metadata, userId);
		const user = await getUser(metadata, userId);
		if (user.name === name) return;
		await updateUser(metadata, userId, { name, updated_at: now });
		const details = changedFields({ name: user.name }, { name });
		await recordAudit(metadata, actor, { action: "user.updated", resourceId: userId, details }, now);
	});
}

export const presentUser = (user: UserRow, siteIds: readonly string[]) => ({
	id: user.id,
	email: user.email,
	name: user.name,
	role: user.role,
	account_ids: [...siteIds],
	is_active: user.is_active === 1,
	email_verified_at: timestampOrNull(user.email_verified_at),
	last_login_at: timestampOrNull(user.last_login_at),
	created_at: timestamp(user.created_at),
	two_factor_enabled: user.two_factor_enabled_at !== null,
	two_factor_enabled_at: timestampOrNull(user.two_factor_enabled_at),
});

/** The record of the calling user; with a key, of its owner. Its sites are those that the caller opens and `isSiteOpen` leaves in. */
export async function currentUser(
	deps: { metadata: Metadata },
	caller: Caller,
	isSiteOpen: (siteId: string) => boolean,
) {
	const user = await getUser(deps.metadata, caller.userId);
	const sites = await reachableSitesOf(deps.metadata, caller);
	return presentUser(user, sites.map((site) => site.id).filter(isSiteOpen));
}
