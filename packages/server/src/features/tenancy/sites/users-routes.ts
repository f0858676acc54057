import { addRoute } from "../../../platform/http/add-route.ts";
import type { App } from "../../../platform/http/app.ts";
import { errorAnswers } from "../../../platform/http/error-answers.ts";
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

export function registerSiteUsers(app: App, deps: SiteRouteDeps): void {
	registerListing(app, deps);
	registerChanges(app, deps);
}

function registerListing(app: App, deps: SiteRouteDeps): void {
	addRoute(app, "GET /sites/:id/users", {
		tags,
		summary: "Users with access to a site",
		params: SiteParams,
		guard: readingSite,
		data: SiteUserList,
		handler: async (request) => {
			const users = (await listSiteUsers(deps.metadata, request.site)).map(presentSiteUser);
			return { users, total: users.length };
		},
	});
	addRoute(app, "POST /sites/:id/users", {
		tags,
		summary: "Give a user of the organization a role on a site",
		params: SiteParams,
		body: AddSiteUserBody,
		guard: writingSite("admin"),
		status: 201,
		data: SiteUser,
		errors: errorAnswers("duplicate_entry"),
		handler: async (request) => {
			const { user_id: userId, role } = request.body;
			const user = await addSiteUser(deps, request, { site: request.site, userId, role });
			return presentSiteUser(user);
		},
	});
}

function registerChanges(app: App, deps: SiteRouteDeps): void {
	addRoute(app, "PATCH /sites/:id/users/:user_id", {
		tags,
		summary: "Change a user's role on a site",
		params: SiteUserParams,
		body: ChangeSiteUserBody,
		guard: writingSite("admin"),
		data: SiteUser,
		errors: errorAnswers("bad_request", "conflict"),
		handler: async (request) => {
			const input = { site: request.site, userId: request.params.user_id, role: request.body.role };
			return presentSiteUser(await changeSiteUser(deps, request, input));
		},
	});
	addRoute(app, "DELETE /sites/:id/users/:user_id", {
		tags,
		summary: "Remove a user's role on a site",
		params: SiteUserParams,
		guard: writingSite("admin"),
		data: SiteUserRemoved,
		errors: errorAnswers("bad_request", "conflict"),
		handler: async (request) => {
			const { user_id: userId } = request.params;
			await removeSiteUser(deps, request, { site: request.site, userId });
			return { removed: true as const, user_id: userId };
		},
	});
}
