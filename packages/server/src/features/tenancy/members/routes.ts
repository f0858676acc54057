import { addRoute } from "../../../platform/http/add-route.ts";
import type { App } from "../../../platform/http/app.ts";
import { errorAnswers } from "../../../platform/http/error-answers.ts";
import { Message } from "../../../platform/http/schemas.ts";
import type { ChangeDeps } from "../../auditing/audit-log/index.ts";
import { OrganizationParams, readingOrganizationAs, writingOrganization } from "../organizations/index.ts";
import { addMember, changeMember, removeMember } from "./change-members.ts";
import { describeMembers } from "./list-members.ts";
import { AddMemberBody, ChangeMemberBody, MemberList, MemberParams } from "./schemas.ts";
import { registerSiteAccess } from "./site-access-routes.ts";

const tags = ["Organizations"];

/** Routes on the members of an organization and on the sites that each of them reaches. */
export function registerMembers(app: App, deps: ChangeDeps): void {
	registerListing(app, deps);
	registerAdding(app, deps);
	registerChanges(app, deps);
	registerSiteAccess(app, deps);
}

function registerListing(app: App, { metadata }: ChangeDeps): void {
	addRoute(app, "GET /organizations/:slug/members", {
		tags,
		summary: "Members",
		params: OrganizationParams,
		guard: readingOrganizationAs("member"),
		data: MemberList,
		handler: async (request) => {
			const members = await describeMembers(metadata, request.organization.id);
			return { members, total: members.length };
		},
	});
}

function registerAdding(app: App, deps: ChangeDeps): void {
	addRoute(app, "POST /organizations/:slug/members", {
		tags,
		summary: "Add a user of the organization's sites as a member",
		params: OrganizationParams,
		body: AddMemberBody,
		guard: writingOrganization("admin"),
		status: 201,
		data: Message,
		errors: errorAnswers("duplicate_entry"),
		handler: async (request) => {
			const { user_id: userId, role } = request.body;
			await addMember(deps, request, { organizationId: request.organization.id, userId, role });
			return { message: "Member added" };
		},
	});
}

function registerChanges(app: App, deps: ChangeDeps): void {
	addRoute(app, "PATCH /organizations/:slug/members/:user_id", {
		tags,
		summary: "Change the role of a member",
		params: MemberParams,
		body: ChangeMemberBody,
		guard: writingOrganization("admin"),
		data: Message,
		errors: errorAnswers("bad_request"),
		handler: async (request) => {
			const { role } = request.body;
			const userId = request.params.user_id;
			await changeMember(deps, request, { organizationId: request.organization.id, userId, role });
			return { message: "Role changed" };
		},
	});
	addRoute(app, "DELETE /organizations/:slug/members/:user_id", {
		tags,
		summary: "Remove a member, or leave",
		params: MemberParams,
		guard: writingOrganization("member"),
		data: Message,
		errors: errorAnswers("bad_request"),
		handler: async (request) => {
			const userId = request.params.user_id;
			await removeMember(deps, request, { organizationId: request.organization.id, userId });
			return { message: "Member removed" };
		},
	});
}
