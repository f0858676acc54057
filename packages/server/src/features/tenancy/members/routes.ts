import type { App } from "../../../platform/http/app.ts";
import { success } from "../../../platform/http/envelope.ts";
import { errorAnswers } from "../../../platform/http/error-answers.ts";
import { Message, Success } from "../../../platform/http/schemas.ts";
import { OrganizationParams, readingOrganizationAs, writingOrganization } from "../organizations/index.ts";
import { addMember, changeMember, type MemberDeps, removeMember } from "./change-members.ts";
import { describeMembers } from "./list-members.ts";
import { AddMemberBody, ChangeMemberBody, MemberList, MemberParams } from "./schemas.ts";
import { registerSiteAccess } from "./site-access-routes.ts";

const tags = ["Organizations"];

/** Routes on the members of an organization and on the sites that each of them reaches. */
export function registerMembers(app: App, deps: MemberDeps): void {
	registerListing(app, deps);
	registerAdding(app, deps);
	registerChanges(app, deps);
	registerSiteAccess(app, deps);
}

function registerListing(app: App, { metadata }: MemberDeps): void {
	app.route({
		method: "GET",
		url: "/organizations/:slug/members",
		schema: { tags, summary: "Members", params: OrganizationParams, response: { 200: Success(MemberList) } },
		config: { guard: readingOrganizationAs("member") },
		handler: async (request) => {
			const members = await describeMembers(metadata, request.organization.id);
			return success({ members, total: members.length });
		},
	});
}

function registerAdding(app: App, deps: MemberDeps): void {
	app.route({
		method: "POST",
		url: "/organizations/:slug/members",
		schema: {
			tags,
			summary: "Make a user of the organization's sites a member",
			params: OrganizationParams,
			body: AddMemberBody,
			response: { 201: Success(Message), ...errorAnswers("duplicate_entry") },
		},
		config: { guard: writingOrganization("admin") },
		handler: async (request, reply) => {
			const { user_id: userId, role } = request.body;
			await addMember(deps, request, { organizationId: request.organization.id, userId, role });
			return reply.code(201).send(success({ message: "Member added" }));
		},
	});
}

function registerChanges(app: App, deps: MemberDeps): void {
	app.route({
		method: "PATCH",
		url: "/organizations/:slug/members/:user_id",
		schema: {
			tags,
			summary: "Give a member another role",
			params: MemberParams,
			body: ChangeMemberBody,
			response: { 200: Success(Message), ...errorAnswers("bad_request") },
		},
		config: { guard: writingOrganization("admin") },
		handler: async (request) => {
			const { role } = request.body;
			const userId = request.params.user_id;
			await changeMember(deps, request, { organizationId: request.organization.id, userId, role });
			return success({ message: "Role changed" });
		},
	});
	app.route({
		method: "DELETE",
		url: "/organizations/:slug/members/:user_id",
		schema: {
			tags,
			summary: "Remove a member, or leave",
			params: MemberParams,
			response: { 200: Success(Message), ...errorAnswers("bad_request") },
		},
		config: { guard: writingOrganization("member") },
		handler: async (request) => {
			const userId = request.params.user_id;
			await removeMember(deps, request, { organizationId: request.organization.id, userId });
			return success({ message: "Member removed" });
		},
	});
}
