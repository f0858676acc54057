import { Type } from "typebox";
import { effectiveRole, orgRoleReaches, orgRoles, reachableSitesOf } from "../../../access/index.ts";
import { ServiceError } from "../../../platform/errors/service-error.ts";
import { addRoute } from "../../../platform/http/add-route.ts";
import type { App } from "../../../platform/http/app.ts";
import { errorAnswers } from "../../../platform/http/error-answers.ts";
import { presentRow } from "../../../platform/http/present-row.ts";
import { Id, Message, Nullable, OneOf, Timestamp } from "../../../platform/http/schemas.ts";
import { timestamp } from "../../../platform/lib/timestamp.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import type { ChangeDeps } from "../../auditing/audit-log/index.ts";
import {
	listMembers,
	OrgRoleName,
	readingOrganization,
	readingOrganizationAs,
	roleIn,
	writingOrganization,
} from "../organizations/index.ts";
import { siteRolesIn, sitesOfOrganization } from "../sites/index.ts";
import { addMember, assignSites, changeMember, removeMember, unassignSite } from "./change-members.ts";

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

/** Routes on the members of an organization and on the sites that each of them reaches. */
export function registerMembers(app: App, deps: ChangeDeps): void {
	const { metadata } = deps;
	addRoute(app, "GET /organizations/:slug/members", {
		...readingOrganizationAs("member"),
		summary: "Members",
		data: Type.Object({ members: Type.Array(Member), total: Type.Integer() }),
		handler: async (request) => {
			const members = await describeMembers(metadata, request.organization.id);
			return { members, total: members.length };
		},
	});
	addRoute(app, "POST /organizations/:slug/members", {
		...writingOrganization("admin"),
		summary: "Add a user of the organization's sites as a member",
		body: Type.Object({ user_id: Id(), role: OneOf([...orgRoles], { default: "member" }) }),
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
		...writingOrganization("admin"),
		summary: "Change the role of a member",
		params: MemberParams,
		body: Type.Object({ role: OrgRoleName }),
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
		...writingOrganization("member"),
		summary: "Remove a member, or leave",
		params: MemberParams,
		data: Message,
		errors: errorAnswers("bad_request"),
		handler: async (request) => {
			const userId = request.params.user_id;
			await removeMember(deps, request, { organizationId: request.organization.id, userId });
			return { message: "Member removed" };
		},
	});
	addRoute(app, "GET /organizations/:slug/sites", {
		...readingOrganization,
		summary: "The organization's sites that the caller can access",
		data: Type.Object({ sites: Type.Array(OrganizationSite), total: Type.Integer() }),
		handler: async (request) => {
			const reach = new Set((await reachableSitesOf(metadata, request.caller)).map(({ id }) => id));
			const all = await sitesOfOrganization(metadata, request.organization.id);
			const open = all.filter(({ id }) => reach.has(id) && request.isSiteOpenHere(id));
			const sites = open.map((site) => presentRow(OrganizationSite, site));
			return { sites, total: sites.length };
		},
	});
	addRoute(app, "GET /organizations/:slug/members/:user_id/sites", {
		...readingOrganizationAs("member"),
		summary: "Site roles of a member",
		params: MemberParams,
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
		...writingOrganization("admin"),
		summary: "Set a member's role on sites",
		params: MemberParams,
		body: Type.Object({
			site_ids: Type.Array(Type.String({ maxLength: 64 }), { minItems: 1 }),
			role: OneOf(["editor", "viewer"], { default: "viewer" }),
		}),
		data: Type.Object({
			added: Type.Array(Type.String()),
			already_assigned: Type.Array(Type.String()),
			invalid: Type.Array(Type.String(), { description: "Sites that are not part of the organization" }),
		}),
		handler: async (request) => {
			const { site_ids: siteIds, role } = request.body;
			await request.refuseShutSites(siteIds);
			const member = { organizationId: request.organization.id, userId: request.params.user_id };
			return assignSites(deps, request, { ...member, siteIds, role });
		},
	});
	addRoute(app, "DELETE /organizations/:slug/members/:user_id/sites/:site_id", {
		...writingOrganization("admin"),
		summary: "Remove a member's role on a site",
		params: Type.Object({ slug: slug(), user_id: Id(), site_id: Type.String() }),
		data: Message,
		handler: async (request) => {
			const { user_id: userId, site_id: siteId } = request.params;
			await request.refuseShutSites([siteId]);
			await unassignSite(deps, request, { organizationId: request.organization.id, userId, siteId });
			return { message: "Site access removed" };
		},
	});
}

async function describeMembers(metadata: Metadata, organizationId: string) {
	const members = await listMembers(metadata, organizationId);
	const active = (await sitesOfOrganization(metadata, organizationId)).filter((site) => site.is_active === 1);
	const roles = (await siteRolesIn(metadata, organizationId)).filter(({ siteIsActive }) => siteIsActive === 1);
	const assigned = Map.groupBy(roles, ({ userId }) => userId);
	return members.map((member) => {
		const own = assigned.get(member.userId)?.length ?? 0;
		return {
			user_id: member.userId,
			email: member.email,
			name: member.name,
			role: member.role,
			site_count: member.role === "member" ? own : active.length,
			created_at: timestamp(member.createdAt),
		};
	});
}

/**
 * Roles of a member on each site of the organization. Members can only ask about themselves, and see their accessible
 * sites. Throws `forbidden`, and `user_not_found` for users who are not members.
 */
async function describeSitesOfMember(
	metadata: Metadata,
	asked: {
		readonly organizationId: string;
		readonly userId: number;
		readonly leads: boolean;
		readonly callerId: number;
	},
) {
	const { organizationId, userId, leads, callerId } = asked;
	if (!leads && userId !== callerId) throw new ServiceError("forbidden", { message: "Required role: admin" });
	const orgRole = await roleIn(metadata, organizationId, userId);
	if (orgRole === undefined) throw new ServiceError("user_not_found");
	const given = (await siteRolesIn(metadata, organizationId)).filter((row) => row.userId === userId);
	const sites = (await sitesOfOrganization(metadata, organizationId)).map(({ id, name }) => {
		const siteRole = given.find(({ siteId }) => siteId === id)?.role ?? null;
		const role = effectiveRole({ userRole: "user", orgRole, siteRole });
		return { id, name, has_access: role !== undefined, role: role ?? null };
	});
	return leads ? sites : sites.filter((site) => site.has_access);
}
