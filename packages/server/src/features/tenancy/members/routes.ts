import { Type } from "typebox";
import { orgRoleReaches, orgRoles } from "../../../access/index.ts";
import { addRoute } from "../../../platform/http/add-route.ts";
import type { App } from "../../../platform/http/app.ts";
import { errorAnswers } from "../../../platform/http/error-answers.ts";
import { presentRow } from "../../../platform/http/present-row.ts";
import { Id, Message, Nullable, OneOf, Timestamp } from "../../../platform/http/schemas.ts";
import type { ChangeDeps } from "../../auditing/audit-log/index.ts";
import {
	OrganizationParams,
	OrgRoleName,
	readingOrganization,
	readingOrganizationAs,
	writingOrganization,
} from "../organizations/index.ts";
import { addMember, assignSites, changeMember, removeMember, unassignSite } from "./change-members.ts";
import { describeMembers, describeSitesFor, describeSitesOfMember } from "./list-members.ts";

const slug = () => Type.String({ description: "Organization slug" });
const MemberParams = Type.Object({ slug: slug(), user_id: Id() });

const Member = Type.Object({
	user_id: Type.Integer(),
	email: Type.String(),
	name: Type.String(),
	role: OrgRoleName,
	site_count: Type.Integer({ description: "Active sites that the caller can access" }),
	created_at: Timestamp(),
});
const OrganizationSite = Type.Object({
	id: Type.String(),
	name: Type.String(),
	is_active: Type.Boolean(),
	timezone: Type.String(),
	currency: Type.String(),
	created_at: Timestamp(),
});
const MemberSite = Type.Object({
	id: Type.String(),
	name: Type.String(),
	has_access: Type.Boolean(),
	role: Nullable(OneOf(["viewer", "editor", "admin", "owner"])),
});

const tags = ["Organizations"];

/** Routes on the members of an organization and on the sites that each of them reaches. */
export function registerMembers(app: App, deps: ChangeDeps): void {
	const { metadata } = deps;
	addRoute(app, "GET /organizations/:slug/members", {
		tags,
		summary: "Members",
		params: OrganizationParams,
		guard: readingOrganizationAs("member"),
		data: Type.Object({ members: Type.Array(Member), total: Type.Integer() }),
		handler: async (request) => {
			const members = await describeMembers(metadata, request.organization.id);
			return { members, total: members.length };
		},
	});
	addRoute(app, "POST /organizations/:slug/members", {
		tags,
		summary: "Add a user of the organization's sites as a member",
		params: OrganizationParams,
		body: Type.Object({ user_id: Id(), role: OneOf([...orgRoles], { default: "member" }) }),
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
	addRoute(app, "PATCH /organizations/:slug/members/:user_id", {
		tags,
		summary: "Change the role of a member",
		params: MemberParams,
		body: Type.Object({ role: OrgRoleName }),
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
	addRoute(app, "GET /organizations/:slug/sites", {
		tags,
		summary: "The organization's sites that the caller can access",
		params: OrganizationParams,
		guard: readingOrganization,
		data: Type.Object({ sites: Type.Array(OrganizationSite), total: Type.Integer() }),
		handler: async (request) => {
			const reach = await describeSitesFor(metadata, request.organization.id, request.caller);
			const open = reach.filter(({ id }) => request.isSiteOpenHere(id));
			const sites = open.map((site) => presentRow(OrganizationSite, site));
			return { sites, total: sites.length };
		},
	});
	addRoute(app, "GET /organizations/:slug/members/:user_id/sites", {
		tags,
		summary: "Site roles of a member",
		params: MemberParams,
		guard: readingOrganizationAs("member"),
		data: Type.Object({ sites: Type.Array(MemberSite), total: Type.Integer() }),
		handler: async (request) => {
			const all = await describeSitesOfMember(metadata, {
				organizationId: request.organization.id,
				userId: request.params.user_id,
				leads: orgRoleReaches(request.organization.role, "admin"),
				callerId: request.caller.userId,
			});
			const sites = all.filter(({ id }) => request.isSiteOpenHere(id));
			return { sites, total: sites.length };
		},
	});
	addRoute(app, "POST /organizations/:slug/members/:user_id/sites", {
		tags,
		summary: "Set a member's role on sites",
		params: MemberParams,
		body: Type.Object({
			site_ids: Type.Array(Type.String({ maxLength: 64 }), { minItems: 1 }),
			role: OneOf(["editor", "viewer"], { default: "viewer" }),
		}),
		guard: writingOrganization("admin"),
		data: Type.Object({
			added: Type.Array(Type.String()),
			already_assigned: Type.Array(Type.String()),
			invalid: Type.Array(Type.String(), { description: "Sites that are not part of the organization" }),
		}),
		handler: async (request) => {
			const { site_ids: siteIds, role } = request.body;
			await request.refuseShutSites(siteIds);
			const member = { organizationId: request.organization.id, userId: request.params.user_id };
			const { added, alreadyAssigned, invalid } = await assignSites(deps, request, { ...member, siteIds, role });
			return { added: [...added], already_assigned: [...alreadyAssigned], invalid: [...invalid] };
		},
	});
	addRoute(app, "DELETE /organizations/:slug/members/:user_id/sites/:site_id", {
		tags,
		summary: "Remove a member's role on a site",
		params: Type.Object({ slug: slug(), user_id: Id(), site_id: Type.String() }),
		guard: writingOrganization("admin"),
		data: Message,
		handler: async (request) => {
			const { user_id: userId, site_id: siteId } = request.params;
			await request.refuseShutSites([siteId]);
			await unassignSite(deps, request, { organizationId: request.organization.id, userId, siteId });
			return { message: "Site access removed" };
		},
	});
}
