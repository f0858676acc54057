import type { App } from "../../../platform/http/app.ts";
import { success } from "../../../platform/http/envelope.ts";
import { errorAnswers } from "../../../platform/http/error-answers.ts";
import { Success } from "../../../platform/http/schemas.ts";
import type { SiteRouteDeps } from "./deps.ts";
import { readingSite, writingSite } from "./guards.ts";
import { presentSiteUser } from "./present.ts";
import {
	AddSiteUserBody,
	ChangeSiteUserBody,
	SiteParams,
	SiteUser,
	SiteUserList,
	SiteUserParams,
	SiteUserRemoved,
} from "./schemas.ts";
import { addSiteUser, changeSiteUser, listSiteUsers, removeSiteUser } from "./site-users.ts";

const tags = ["Sites"];

/** Routes on the users who reach a site. */
export function registerSiteUsers(app: App, deps: SiteRouteDeps): void {
	registerListing(app, deps);
	registerChanges(app, deps);
}

function registerListing(app: App, deps: SiteRouteDeps): void {
	app.route({
		method: "GET",
		url: "/sites/:id/users",
		schema: { tags, summary: "Users who reach a site", params: SiteParams, response: { 200: Success(SiteUserList) } },
		config: { guard: readingSite },
		handler: async (request) => {
			const users = (await listSiteUsers(deps.metadata, request.site)).map(presentSiteUser);
			return success({ users, total: users.length });
		},
	});
	app.route({
		method: "POST",
		url: "/sites/:id/users",
		schema: {
			tags,
			summary: "Give a user of the organization a role on a site",
			params: SiteParams,
			body: AddSiteUserBody,
			response: { 201: Success(SiteUser), ...errorAnswers("duplicate_entry") },
		},
		config: { guard: writingSite("admin") },
		handler: async (request, reply) => {
			const { user_id: userId, role } = request.body;
			const user = await addSiteUser(deps, request, { site: request.site, userId, role });
			return reply.code(201).send(success(presentSiteUser(user)));
		},
	});
}

function registerChanges(app: App, deps: SiteRouteDeps): void {
	app.route({
		method: "PATCH",
		url: "/sites/:id/users/:user_id",
		schema: {
			tags,
			summary: "Give a user another role on a site",
			params: SiteUserParams,
			body: ChangeSiteUserBody,
			response: { 200: Success(SiteUser), ...errorAnswers("bad_request", "conflict") },
		},
		config: { guard: writingSite("admin") },
		handler: async (request) => {
			const input = { site: request.site, userId: request.params.user_id, role: request.body.role };
			return success(presentSiteUser(await changeSiteUser(deps, request, input)));
		},
	});
	app.route({
		method: "DELETE",
		url: "/sites/:id/users/:user_id",
		schema: {
			tags,
			summary: "Take a user's role on a site away",
			params: SiteUserParams,
			response: { 200: Success(SiteUserRemoved), ...errorAnswers("bad_request", "conflict") },
		},
		config: { guard: writingSite("admin") },
		handler: async (request) => {
			const { user_id: userId } = request.params;
			await removeSiteUser(deps, request, { site: request.site, userId });
			return success({ removed: true as const, user_id: userId });
		},
	});
}
