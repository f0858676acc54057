import { Type } from "typebox";
import type { Guard } from "../../../access/index.ts";
import { ServiceError } from "../../../platform/errors/service-error.ts";
import type { App } from "../../../platform/http/app.ts";
import { success } from "../../../platform/http/envelope.ts";
import { errorAnswers } from "../../../platform/http/error-answers.ts";
import { Id, Name, OneOf, paging, Success, Text } from "../../../platform/http/schemas.ts";
import { type Actor, actorOf } from "../../auditing/audit-log/index.ts";
import { findUser, listUsersPage, normalizeEmail, Password, User } from "../../people/users/index.ts";
import { deleteUser } from "../user-removal/index.ts";
import { addUser } from "./add-user.ts";
import { changeUser } from "./change-user.ts";
import type { ErasingDeps, UserAdministrationDeps } from "./deps.ts";
import { describeUser, describeUsers } from "./describe-users.ts";

const ListQuery = Type.Object({
	...paging({ pageSize: 50, max: 100 }),
	include_inactive: Type.Boolean({ default: false }),
	q: Text(0, 254, { default: "", description: "Only users whose name or address holds this, in any case" }),
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
		description: "Sites that the user gets to read",
	}),
});

const UserChanges = Type.Object({
	name: Type.Optional(Name()),
	role: Type.Optional(OneOf(["superadmin", "user"])),
	is_active: Type.Optional(Type.Boolean()),
});

const ErasureBody = Type.Object({
	email: Type.String({ maxLength: 254, description: "The exact address, as a safeguard" }),
});

const Erased = Type.Object({
	deleted: Type.Literal(true),
	user_id: Type.Integer(),
	organizations: Type.Array(Type.String(), {
		description: "Slugs of the organizations that were the user's alone; their sites collect nothing more",
	}),
});

const Deleted = Type.Object({ deleted: Type.Literal(true), user_id: Type.Integer() });

const tags = ["Users"];
const reading: Guard = { kind: "session", scope: "read", superadmin: true };
const writing: Guard = { kind: "session", scope: "write", superadmin: true };

/** Routes by which superadmins look after all users. */
export function registerUserAdministration(app: App, deps: ErasingDeps): void {
	registerReading(app, deps);
	registerWriting(app, deps);
	registerErasing(app, deps);
}

function registerReading(app: App, deps: UserAdministrationDeps): void {
	app.route({
		method: "GET",
		url: "/users",
		schema: { tags, summary: "All users, oldest first", querystring: ListQuery, response: { 200: Success(UserList) } },
		config: { guard: reading },
		handler: async (request) => {
			const { page, page_size: pageSize, include_inactive: includeInactive, q: search } = request.query;
			const { rows, total } = await listUsersPage(deps.metadata, { page, pageSize, includeInactive, search });
			return success({ users: await describeUsers(deps.metadata, rows), total });
		},
	});
	app.route({
		method: "GET",
		url: "/users/:user_id",
		schema: { tags, summary: "One user", params: UserParams, response: { 200: Success(User) } },
		config: { guard: reading },
		handler: async (request) => {
			const user = await findUser(deps.metadata, request.params.user_id);
			if (user === undefined) throw new ServiceError("user_not_found");
			return success(await describeUser(deps.metadata, user));
		},
	});
}

function registerWriting(app: App, deps: UserAdministrationDeps): void {
	app.route({
		method: "POST",
		url: "/users",
		schema: {
			tags,
			summary: "Create a user",
			body: NewUserBody,
			response: { 201: Success(User), ...errorAnswers("duplicate_entry", "not_found") },
		},
		config: { guard: writing },
		handler: async (request, reply) => {
			const { account_ids: siteIds, ...input } = request.body;
			await request.refuseShutSites(siteIds);
			const user = await addUser(deps, { ...input, siteIds }, actorOf(request));
			return reply.code(201).send(success(await describeUser(deps.metadata, user)));
		},
	});
	app.route({
		method: "PATCH",
		url: "/users/:user_id",
		schema: {
			tags,
			summary: "Change a user's name, role or activity",
			params: UserParams,
			body: UserChanges,
			response: { 200: Success(User), ...errorAnswers("conflict") },
		},
		config: { guard: writing },
		handler: async (request) => {
			const { name, role, is_active: isActive } = request.body;
			const user = await changeUser(deps, request.params.user_id, { name, role, isActive }, actorOf(request));
			return success(await describeUser(deps.metadata, user));
		},
	});
	app.route({
		method: "DELETE",
		url: "/users/:user_id",
		schema: {
			tags,
			summary: "Deactivate a user; what the user made stays",
			params: UserParams,
			response: { 200: Success(Deleted), ...errorAnswers("conflict") },
		},
		config: { guard: writing },
		handler: async (request) => {
			const { user_id: userId } = request.params;
			await changeUser(deps, userId, { isActive: false }, actorOf(request));
			return success({ deleted: true as const, user_id: userId });
		},
	});
}

function registerErasing(app: App, deps: ErasingDeps): void {
	app.route({
		method: "DELETE",
		url: "/admin/users/:user_id",
		schema: {
			tags,
			summary: "Delete a user for good; what the user set up for others stays",
			params: UserParams,
			body: ErasureBody,
			response: { 200: Success(Erased), ...errorAnswers("bad_request", "user_not_found", "conflict") },
		},
		config: { guard: { ...writing, impersonation: "refused" } },
		handler: async (request) => {
			const { user_id: userId } = request.params;
			const organizations = await eraseUser(deps, { userId, email: request.body.email }, actorOf(request));
			return success({ deleted: true as const, user_id: userId, organizations: [...organizations] });
		},
	});
}

/**
 * Deletes a user for good, whose address the caller has written out. Answers the organizations that ended with them. Throws
 * `user_not_found`, `bad_request` for another address, and `conflict` for who cannot go.
 */
async function eraseUser(
	deps: ErasingDeps,
	{ userId, email }: { readonly userId: number; readonly email: string },
	actor: Actor,
): Promise<readonly string[]> {
	const user = await findUser(deps.metadata, userId);
	if (user === undefined) throw new ServiceError("user_not_found");
	if (normalizeEmail(email) !== user.email) {
		throw new ServiceError("bad_request", { message: "The address is not that of the user" });
	}
	if (userId === actor.userId) throw new ServiceError("conflict", { message: "Nobody deletes their own account here" });
	return (await deleteUser(deps, user, actor)).organizations;
}
