import { Type } from "typebox";
import { type Guard, reachableSiteIds } from "../../../access/index.ts";
import { ServiceError } from "../../../platform/errors/service-error.ts";
import { addRoute } from "../../../platform/http/add-route.ts";
import type { App } from "../../../platform/http/app.ts";
import { errorAnswers } from "../../../platform/http/error-answers.ts";
import { Id, Name, OneOf, paging, Text } from "../../../platform/http/schemas.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import { type Actor, actorOf, type ChangeDeps } from "../../auditing/audit-log/index.ts";
import {
	getUser,
	listUsersPage,
	normalizeEmail,
	Password,
	presentUser,
	User,
	type UserRow,
} from "../../people/users/index.ts";
import { type DeleteUserDeps, deleteUser } from "../user-removal/index.ts";
import { addUser, changeUser } from "./change-user.ts";

const ListQuery = Type.Object({
	...paging({ pageSize: 50, max: 100 }),
	include_inactive: Type.Boolean({ default: false }),
	q: Text(0, 254, { default: "", description: "Only users whose name or address contains this, case-insensitive" }),
});

const UserList = Type.Object({ users: Type.Array(User), total: Type.Integer() });

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

const UserChanges = Type.Object({
	name: Type.Optional(Name()),
	role: Type.Optional(OneOf(["superadmin", "user"])),
	is_active: Type.Optional(Type.Boolean()),
});

const ErasureBody = Type.Object({
	email: Type.String({ maxLength: 254, description: "The exact address, as confirmation" }),
});

const Erased = Type.Object({
	deleted: Type.Literal(true),
	user_id: Type.Integer(),
	organizations: Type.Array(Type.String(), {
		description: "Slugs of the organizations that only this user belonged to; their sites stop collecting",
	}),
});

const Deleted = Type.Object({ deleted: Type.Literal(true), user_id: Type.Integer() });

const tags = ["Users"];
const reading: Guard = { kind: "session", scope: "read", superadmin: true };
const writing = { kind: "session", scope: "write", superadmin: true } as const satisfies Guard;

/** Routes by which superadmins look after all users. */
export function registerUserAdministration(app: App, deps: DeleteUserDeps): void {
	registerReading(app, deps);
	registerWriting(app, deps);
	registerErasing(app, deps);
}

function registerReading(app: App, deps: ChangeDeps): void {
	addRoute(app, "GET /users", {
		tags,
		summary: "All users, oldest first",
		querystring: ListQuery,
		guard: reading,
		data: UserList,
		handler: async (request) => {
			const { page, page_size: pageSize, include_inactive: includeInactive, q: search } = request.query;
			const { rows, total } = await listUsersPage(deps.metadata, { page, pageSize, includeInactive, search });
			return { users: await describeUsers(deps.metadata, rows), total };
		},
	});
	addRoute(app, "GET /users/:user_id", {
		tags,
		summary: "One user",
		params: UserParams,
		guard: reading,
		data: User,
		handler: async (request) => {
			const user = await getUser(deps.metadata, request.params.user_id);
			return await describeUser(deps.metadata, user);
		},
	});
}

function registerWriting(app: App, deps: ChangeDeps): void {
	addRoute(app, "POST /users", {
		tags,
		summary: "Create a user",
		body: NewUserBody,
		guard: writing,
		status: 201,
		data: User,
		errors: errorAnswers("duplicate_entry", "not_found"),
		handler: async (request) => {
			const { account_ids: siteIds, ...input } = request.body;
			await request.refuseShutSites(siteIds);
			const user = await addUser(deps, { ...input, siteIds }, actorOf(request));
			return await describeUser(deps.metadata, user);
		},
	});
	addRoute(app, "PATCH /users/:user_id", {
		tags,
		summary: "Change a user's name, role or status",
		params: UserParams,
		body: UserChanges,
		guard: writing,
		data: User,
		errors: errorAnswers("conflict"),
		handler: async (request) => {
			const { name, role, is_active: isActive } = request.body;
			const user = await changeUser(deps, request.params.user_id, { name, role, isActive }, actorOf(request));
			return await describeUser(deps.metadata, user);
		},
	});
	addRoute(app, "DELETE /users/:user_id", {
		tags,
		summary: "Deactivate a user; resources the user created stay",
		params: UserParams,
		guard: writing,
		data: Deleted,
		errors: errorAnswers("conflict"),
		handler: async (request) => {
			const { user_id: userId } = request.params;
			await changeUser(deps, userId, { isActive: false }, actorOf(request));
			return { deleted: true as const, user_id: userId };
		},
	});
}

function registerErasing(app: App, deps: DeleteUserDeps): void {
	addRoute(app, "DELETE /admin/users/:user_id", {
		tags,
		summary: "Delete a user; resources the user created for others stay",
		params: UserParams,
		body: ErasureBody,
		guard: { ...writing, impersonation: "refused" },
		data: Erased,
		errors: errorAnswers("bad_request", "user_not_found", "conflict"),
		handler: async (request) => {
			const { user_id: userId } = request.params;
			const organizations = await eraseUser(deps, { userId, email: request.body.email }, actorOf(request));
			return { deleted: true as const, user_id: userId, organizations: [...organizations] };
		},
	});
}

/**
 * Deletes a user for good, whose address the caller has written out. Answers the organizations that ended with them. Throws
 * `user_not_found`, `bad_request` for another address, and `conflict` for who cannot go.
 */
async function eraseUser(
	deps: DeleteUserDeps,
	{ userId, email }: { readonly userId: number; readonly email: string },
	actor: Actor,
): Promise<readonly string[]> {
	const user = await getUser(deps.metadata, userId);
	if (normalizeEmail(email) !== user.email) {
		throw new ServiceError("bad_request", { message: "The address does not match the user" });
	}
	if (userId === actor.userId)
		throw new ServiceError("conflict", { message: "You cannot delete your own account here" });
	return (await deleteUser(deps, user, actor)).organizations;
}

async function describeUsers(metadata: Metadata, users: readonly UserRow[]) {
	const siteIds = await reachableSiteIds(
		metadata,
		users.map(({ id }) => id),
	);
	return users.map((user) => presentUser(user, siteIds.get(user.id) ?? []));
}

async function describeUser(metadata: Metadata, user: UserRow) {
	const siteIds = await reachableSiteIds(metadata, [user.id]);
	return presentUser(user, siteIds.get(user.id) ?? []);
}
