import { Type } from "typebox";
import { reachableSiteIds } from "../../../access/index.ts";
import { ServiceError } from "../../../platform/errors/service-error.ts";
import { addRoute } from "../../../platform/http/add-route.ts";
import type { App } from "../../../platform/http/app.ts";
import { Id, Name, OneOf, paging, Text } from "../../../platform/http/schemas.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import { type Actor, actorOf, type ChangeDeps, changedFields, recordAudit } from "../../auditing/audit-log/index.ts";
import { deactivateWithin } from "../../people/auth/index.ts";
import {
	getUser,
	hasOtherSuperadmin,
	insertUser,
	listUsersPage,
	lockSuperadmins,
	type NewUser,
	newUserRow,
	normalizeEmail,
	Password,
	presentUser,
	User,
	type UserRole,
	type UserRow,
	updateUser,
} from "../../people/users/index.ts";
import { listSites, siteMembers } from "../sites/index.ts";
import { type DeleteUserDeps, deleteUser } from "../user-removal/index.ts";

interface UserChange {
	readonly name?: string | undefined;
	readonly role?: UserRole | undefined;
	readonly isActive?: boolean | undefined;
}

/**
 * Changes a user. Throws `user_not_found`, and `conflict` for one's own role, one's own deactivation, and the last active
 * superadmin.
 */
export async function changeUser(deps: ChangeDeps, userId: number, change: UserChange, actor: Actor): Promise<UserRow> {
	const now = deps.clock.now();
	return deps.metadata.transaction().execute(async (trx) => {
		// First, so that what is read below stays true: two superadmins may take each other's rank at once.
		await lockSuperadmins(trx);
		const user = await getUser(trx, userId);
		refuseOwn(user, change, actor);
		const { name, role } = change;
		const after = { ...(name !== undefined && { name }), ...(role !== undefined && { role }) };
		const details = changedFields({ name: user.name, role: user.role }, after);
		if (Object.keys(details).length > 0) {
			if (role === "user" && user.role === "superadmin" && !(await hasOtherSuperadmin(trx, userId))) {
				throw new ServiceError("conflict", "The last active superadmin cannot lose the role");
			}
			await updateUser(trx, userId, { ...after, updated_at: now });
			await recordAudit(trx, actor, { action: "user.updated", resourceId: userId, details }, now);
		}
		if (change.isActive === false && user.is_active === 1) await deactivateWithin(trx, user, actor, now);
		if (change.isActive === true && user.is_active === 0) {
			await updateUser(trx, userId, { is_active: 1, updated_at: now });
			await recordAudit(trx, actor, { action: "user.activated", resourceId: userId }, now);
		}
		return getUser(trx, userId);
	});
}

function refuseOwn(user: UserRow, { role, isActive }: UserChange, actor: Actor): void {
	if (user.id !== actor.userId) return;
	if (role !== undefined && role !== user.role) throw new ServiceError("conflict", "You cannot change your own role");
	if (isActive === false) throw new ServiceError("conflict", "You cannot deactivate yourself");
}

/** `siteIds`: slugs; the user becomes a viewer there. */
type NewReader = NewUser & { readonly siteIds: readonly string[] };

/**
 * Creates a user whose address counts as verified, because a superadmin or the operator vouches for it.
 * Throws `validation_error`, `duplicate_entry` when the address is taken, and `account_not_found` for an unknown site.
 */
export async function addUser(deps: ChangeDeps, input: NewReader, actor: Actor): Promise<UserRow> {
	const now = deps.clock.now();
	const row = await newUserRow(input, now);
	const siteIds = [...new Set(input.siteIds)].sort();
	return deps.metadata.transaction().execute(async (trx) => {
		const known = await listSites(trx, { ids: siteIds, includeInactive: true });
		if (known.length < siteIds.length) throw new ServiceError("account_not_found");
		const user = await insertUser(trx, row);
		for (const site_id of siteIds) {
			await siteMembers.insertUnlessTaken(trx, { site_id, user_id: user.id, role: "viewer", created_at: now });
		}
		const details = { role: user.role, account_ids: siteIds };
		await recordAudit(trx, actor, { action: "user.created", resourceId: user.id, details }, now);
		return user;
	});
}

const UserParams = Type.Object({ user_id: Id() });

const NewUserBody = Type.Object({
	email: Type.String({ format: "email", maxLength: 254 }),
	name: Name(),
	password: Password({ description: "12 to 128 characters, by the password policy" }),
	role: OneOf(["superadmin", "user"], { default: "user" }),
	account_ids: Type.Array(Type.String({ minLength: 1, maxLength: 64 }), {
		default: [],
		maxItems: 100,
		description: "Sites that the user can read",
	}),
});

const tags = ["Users"];
const listing = { tags, guard: { kind: "session", scope: "read", superadmin: true } } as const;
const reading = { ...listing, params: UserParams };
const creating = { tags, guard: { kind: "session", scope: "write", superadmin: true } } as const;
const writing = { ...creating, params: UserParams };
const deleting = { ...writing, guard: { ...writing.guard, impersonation: "refused" } } as const;

/** Routes by which superadmins look after all users. */
export function registerUserAdministration(app: App, deps: DeleteUserDeps): void {
	addRoute(app, "GET /users", {
		...listing,
		summary: "All users, oldest first",
		querystring: Type.Object({
			...paging({ pageSize: 50, max: 100 }),
			include_inactive: Type.Boolean({ default: false }),
			q: Text(0, 254, { default: "", description: "Only users whose name or address contains this, case-insensitive" }),
		}),
		data: Type.Object({ users: Type.Array(User), total: Type.Integer() }),
		handler: async (request) => {
			const { page, page_size: pageSize, include_inactive: includeInactive, q: search } = request.query;
			const { rows, total } = await listUsersPage(deps.metadata, { page, pageSize, includeInactive, search });
			return { users: await describeUsers(deps.metadata, rows), total };
		},
	});
	addRoute(app, "GET /users/:user_id", {
		...reading,
		summary: "One user",
		data: User,
		handler: async (request) => {
			const user = await getUser(deps.metadata, request.params.user_id);
			return await describeUser(deps.metadata, user);
		},
	});
	addRoute(app, "POST /users", {
		...creating,
		summary: "Create a user",
		body: NewUserBody,
		status: 201,
		data: User,
		errors: ["duplicate_entry", "not_found"],
		handler: async (request) => {
			const { account_ids: siteIds, ...input } = request.body;
			await request.refuseShutSites(siteIds);
			const user = await addUser(deps, { ...input, siteIds }, actorOf(request));
			return await describeUser(deps.metadata, user);
		},
	});
	addRoute(app, "PATCH /users/:user_id", {
		...writing,
		summary: "Change a user's name, role or status",
		body: Type.Object({
			name: Type.Optional(Name()),
			role: Type.Optional(OneOf(["superadmin", "user"])),
			is_active: Type.Optional(Type.Boolean()),
		}),
		data: User,
		errors: ["conflict"],
		handler: async (request) => {
			const { name, role, is_active: isActive } = request.body;
			const user = await changeUser(deps, request.params.user_id, { name, role, isActive }, actorOf(request));
			return await describeUser(deps.metadata, user);
		},
	});
	addRoute(app, "DELETE /users/:user_id", {
		...writing,
		summary: "Deactivate a user; resources the user created stay",
		data: Type.Object({ deleted: Type.Literal(true), user_id: Type.Integer() }),
		errors: ["conflict"],
		handler: async (request) => {
			const { user_id: userId } = request.params;
			await changeUser(deps, userId, { isActive: false }, actorOf(request));
			return { deleted: true as const, user_id: userId };
		},
	});
	addRoute(app, "DELETE /admin/users/:user_id", {
		...deleting,
		summary: "Delete a user; resources the user created for others stay",
		body: Type.Object({
			email: Type.String({ maxLength: 254, description: "The exact address, as confirmation" }),
		}),
		data: Type.Object({
			deleted: Type.Literal(true),
			user_id: Type.Integer(),
			organizations: Type.Array(Type.String(), {
				description: "Slugs of the organizations that only this user belonged to; their sites stop collecting",
			}),
		}),
		errors: ["bad_request", "user_not_found", "conflict"],
		handler: async (request) => {
			const { user_id: userId } = request.params;
			const user = await getUser(deps.metadata, userId);
			if (normalizeEmail(request.body.email) !== user.email) {
				throw new ServiceError("bad_request", "The address does not match the user");
			}
			if (userId === request.caller.userId) {
				throw new ServiceError("conflict", "You cannot delete your own account here");
			}
			const organizations = await deleteUser(deps, user, actorOf(request));
			return { deleted: true as const, user_id: userId, organizations };
		},
	});
}

async function describeUsers(metadata: Metadata, users: readonly UserRow[]) {
	const ids = users.map(({ id }) => id);
	const siteIds = await reachableSiteIds(metadata, ids);
	return users.map((user) => presentUser(user, siteIds.get(user.id) ?? []));
}

async function describeUser(metadata: Metadata, user: UserRow) {
	const siteIds = await reachableSiteIds(metadata, [user.id]);
	return presentUser(user, siteIds.get(user.id) ?? []);
}
