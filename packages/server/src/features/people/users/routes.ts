import { type TSchemaOptions, Type } from "typebox";
import { type Caller, reachableSitesOf } from "../../../access/index.ts";
import { fieldError } from "../../../platform/errors/service-error.ts";
import { addRoute } from "../../../platform/http/add-route.ts";
import type { App } from "../../../platform/http/app.ts";
import { formats } from "../../../platform/http/formats.ts";
import { presentRow } from "../../../platform/http/present-row.ts";
import { Nullable, OneOf, Timestamp } from "../../../platform/http/schemas.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import { type Actor, actorOf, type ChangeDeps, changedFields, recordAudit } from "../../auditing/audit-log/index.ts";
import { checkPasswordPolicy, hashPassword } from "./password-policy.ts";
import { getUser, insertUser, lockUser, normalizeEmail, type UserRole, type UserRow, updateUser } from "./store.ts";

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
		body: Type.Object({ name: Type.String({ minLength: 1, maxLength: 255 }) }),
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
async function renameUser(deps: ChangeDeps, { userId, name }: { userId: number; name: string }, actor: Actor) {
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

export const presentUser = (user: UserRow, siteIds: readonly string[]) =>
	presentRow(User, {
		...user,
		account_ids: [...siteIds],
		two_factor_enabled: user.two_factor_enabled_at !== null,
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

export interface NewUser {
	readonly email: string;
	readonly name: string;
	readonly password: string;
	readonly role: UserRole;
}

const CONTROL = /\p{Cc}/u;

/**
 * The row of a new user whose address counts as verified, because the operator vouches for it.
 * Throws `validation_error` (`body.email`, `body.name`, `body.password`).
 */
export async function newUserRow(input: NewUser, nowMs: number): Promise<Omit<UserRow, "id">> {
	const email = normalizeEmail(input.email);
	const name = input.name.trim();
	if (!formats.email(email) || CONTROL.test(email))
		throw fieldError("body.email", "must be an email address", "format");
	if (name === "" || name.length > 255 || CONTROL.test(name)) {
		throw fieldError("body.name", "must have 1 to 255 printable characters", "length");
	}
	checkPasswordPolicy(input.password, email);
	const password_hash = await hashPassword(input.password);
	return { ...unclaimedUser(email, name, nowMs), role: input.role, password_hash, email_verified_at: nowMs };
}

/** The row of a user who has no password yet, and whose address is not verified. */
export const unclaimedUser = (email: string, name: string, nowMs: number) => ({
	email,
	name,
	role: "user" as UserRole,
	password_hash: null,
	is_active: 1,
	email_verified_at: null,
	two_factor_enabled_at: null,
	last_login_at: null,
	created_at: nowMs,
	updated_at: nowMs,
});

/** Makes and stores a user; throws as `newUserRow` does, and `duplicate_entry`. */
export async function createUser(deps: ChangeDeps, input: NewUser): Promise<UserRow> {
	return insertUser(deps.metadata, await newUserRow(input, deps.clock.now()));
}
