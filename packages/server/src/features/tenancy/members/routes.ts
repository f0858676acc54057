import { Type } from "typebox";
import { effectiveRole, type OrgRole, orgRoleReaches, orgRoles, reachableSitesOf } from "../../../access/index.ts";
import { orThrow, ServiceError } from "../../../platform/errors/service-error.ts";
import { addRoute } from "../../../platform/http/add-route.ts";
import type { App } from "../../../platform/http/app.ts";
import { presentRow } from "../../../platform/http/present-row.ts";
import { Id, Nullable, OneOf, Timestamp } from "../../../platform/http/schemas.ts";
import { timestamp } from "../../../platform/lib/timestamp.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import type { ChangeDeps } from "../../auditing/audit-log/index.ts";
import {
	changeOrganization,
	checkOwnerCeiling,
	checkSeats,
	hasOtherOwner,
	listMembers,
	OrganizationParams,
	OrgRoleName,
	organizationMembers,
	type Requester,
	readingOrganization,
	readingOrganizationAs,
	recordRole,
	roleIn,
	writingOrganization,
} from "../organizations/index.ts";
import { deleteSiteMembersOf, mayAddUser, siteMembers, siteRolesIn, sitesOfOrganization } from "../sites/index.ts";

const params = { ...OrganizationParams.properties, user_id: Id() };
const MemberParams = Type.Object(params);

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
		list: ["members", Member],
		handler: (request) => describeMembers(metadata, request.organization.id),
	});
	addRoute(app, "POST /organizations/:slug/members", {
		...writingOrganization("admin"),
		summary: "Add a user of the organization's sites as a member",
		body: Type.Object({ user_id: Id(), role: OneOf([...orgRoles], { default: "member" }) }),
		status: 201,
		message: "Member added",
		errors: ["duplicate_entry"],
		handler: async (request) => {
			const { user_id: userId, role } = request.body;
			await addMember(deps, request, { organizationId: request.organization.id, userId, role });
		},
	});
	addRoute(app, "PATCH /organizations/:slug/members/:user_id", {
		...writingOrganization("admin"),
		summary: "Change the role of a member",
		params: MemberParams,
		body: Type.Object({ role: OrgRoleName }),
		message: "Role changed",
		errors: ["bad_request"],
		handler: (request) => changeMember(deps, request, { ...memberOf(request), role: request.body.role }),
	});
	addRoute(app, "DELETE /organizations/:slug/members/:user_id", {
		...writingOrganization("member"),
		summary: "Remove a member, or leave",
		params: MemberParams,
		message: "Member removed",
		errors: ["bad_request"],
		handler: (request) => removeMember(deps, request, memberOf(request)),
	});
	addRoute(app, "GET /organizations/:slug/sites", {
		...readingOrganization,
		summary: "The organization's sites that the caller can access",
		list: ["sites", OrganizationSite],
		handler: async (request) => {
			const reach = new Set((await reachableSitesOf(metadata, request.caller)).map(({ id }) => id));
			const all = await sitesOfOrganization(metadata, request.organization.id);
			const open = all.filter(({ id }) => reach.has(id) && request.isSiteOpenHere(id));
			return open.map((site) => presentRow(OrganizationSite, site));
		},
	});
	addRoute(app, "GET /organizations/:slug/members/:user_id/sites", {
		...readingOrganizationAs("member"),
		summary: "Site roles of a member",
		params: MemberParams,
		list: ["sites", MemberSite],
		handler: async (request) => {
			const leads = orgRoleReaches(request.organization.role, "admin");
			const { userId: callerId } = request.caller;
			const sites = await describeSitesOfMember(metadata, { ...memberOf(request), leads, callerId });
			return sites.filter(({ id }) => request.isSiteOpenHere(id));
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
			return assignSites(deps, request, { ...memberOf(request), siteIds, role });
		},
	});
	addRoute(app, "DELETE /organizations/:slug/members/:user_id/sites/:site_id", {
		...writingOrganization("admin"),
		summary: "Remove a member's role on a site",
		params: Type.Object({ ...params, site_id: Type.String() }),
		message: "Site access removed",
		handler: async (request) => {
			const { site_id: siteId } = request.params;
			await request.refuseShutSites([siteId]);
			await unassignSite(deps, request, { ...memberOf(request), siteId });
		},
	});
}

const memberOf = (request: { organization: { id: string }; params: { user_id: number } }): MemberOf => ({
	organizationId: request.organization.id,
	userId: request.params.user_id,
});

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
	{ organizationId, userId, leads, callerId }: MemberOf & { readonly leads: boolean; readonly callerId: number },
) {
	if (!leads && userId !== callerId) throw new ServiceError("forbidden", "Required role: admin");
	const orgRole = await memberRole(metadata, { organizationId, userId });
	const given = (await siteRolesIn(metadata, organizationId)).filter((row) => row.userId === userId);
	const sites = (await sitesOfOrganization(metadata, organizationId)).map(({ id, name }) => {
		const siteRole = given.find(({ siteId }) => siteId === id)?.role ?? null;
		const role = effectiveRole({ userRole: "user", orgRole, siteRole });
		return { id, name, has_access: role !== undefined, role: role ?? null };
	});
	return leads ? sites : sites.filter((site) => site.has_access);
}

interface MemberOf {
	readonly organizationId: string;
	readonly userId: number;
}

/**
 * Makes a user a member: one whom `mayAddUser` admits; all others are invited.
 * Throws `user_not_found`, `duplicate_entry`, `quota_exceeded`, and `forbidden` when an admin makes an owner.
 */
const addMember = (deps: ChangeDeps, by: Requester, input: MemberOf & { readonly role: OrgRole }) =>
	changeOrganization(deps, by, input, async (trx, held, nowMs) => {
		const { role } = input;
		checkOwnerCeiling(held.role, role);
		if (!(await mayAddUser(trx, by, input))) throw new ServiceError("user_not_found");
		if ((await roleIn(trx, input.organizationId, input.userId)) !== undefined) {
			throw new ServiceError("duplicate_entry", "The user is already a member");
		}
		await checkSeats(trx, held.organization, { nowMs });
		await organizationMembers.insert(trx, { ...columnsOf(input), role, created_at: nowMs });
		return { answer: undefined, entry: entryOf("created", input, [null, role]) };
	});

/**
 * Gives a member another role. Throws `user_not_found`, `forbidden` when an admin touches or makes an owner, and
 * `bad_request` for the last owner.
 */
const changeMember = (deps: ChangeDeps, by: Requester, input: MemberOf & { readonly role: OrgRole }) =>
	changeOrganization(deps, by, input, async (trx, held) => {
		const { role } = input;
		const before = await memberRole(trx, input);
		checkOwnerCeiling(held.role, before, role);
		if (before === role) return { answer: undefined };
		await checkOwnerRemains(trx, input, before);
		await organizationMembers.update(trx, columnsOf(input), { role });
		return { answer: undefined, entry: entryOf("updated", input, [before, role]) };
	});

/**
 * Ends a membership with all roles on the organization's sites; everybody may end their own. Throws `user_not_found`,
 * `forbidden` for members and when an admin removes an owner, and `bad_request` for the last owner.
 */
function removeMember(deps: ChangeDeps, by: Requester, input: MemberOf) {
	const least = by.caller.userId === input.userId ? "member" : "admin";
	return changeOrganization(deps, by, { ...input, least }, async (trx, held) => {
		const before = await memberRole(trx, input);
		checkOwnerCeiling(held.role, before);
		await checkOwnerRemains(trx, input, before);
		await organizationMembers.delete(trx, columnsOf(input));
		await deleteSiteMembersOf(trx, input.organizationId, input.userId);
		return { answer: undefined, entry: entryOf("deleted", input, [before, null]) };
	});
}

const columnsOf = ({ organizationId, userId }: MemberOf) => ({ organization_id: organizationId, user_id: userId });

const entryOf = (verb: "created" | "updated" | "deleted", { userId }: MemberOf, role: [string | null, string | null]) =>
	({ action: `member.${verb}`, resourceId: userId, details: { role } }) as const;

const memberRole = async (metadata: Metadata, { organizationId, userId }: MemberOf): Promise<OrgRole> =>
	orThrow(await roleIn(metadata, organizationId, userId), "user_not_found");

async function checkOwnerRemains(metadata: Metadata, member: MemberOf, role: OrgRole): Promise<void> {
	if (role === "owner" && !(await hasOtherOwner(metadata, member.organizationId, member.userId))) {
		throw new ServiceError("bad_request", "An organization needs an owner");
	}
}

/** Gives a member a role on sites of the organization; roles held stay. Throws `user_not_found` and `forbidden`. */
const assignSites = (
	deps: ChangeDeps,
	by: Requester,
	input: MemberOf & { readonly siteIds: readonly string[]; readonly role: "editor" | "viewer" },
): Promise<Record<"added" | "already_assigned" | "invalid", string[]>> =>
	changeOrganization(deps, by, input, async (trx, held, nowMs) => {
		const { organizationId, userId, role } = input;
		const orgRole = await memberRole(trx, input);
		checkOwnerCeiling(held.role, orgRole);
		const known = new Set((await sitesOfOrganization(trx, organizationId)).map(({ id }) => id));
		const given = await siteRolesIn(trx, organizationId);
		const own = new Set(given.filter((row) => row.userId === userId).map(({ siteId }) => siteId));
		const asked = [...new Set(input.siteIds)];
		const reaches = (id: string) => orgRole !== "member" || own.has(id);
		const added = asked.filter((id) => known.has(id) && !reaches(id));
		for (const siteId of added) {
			await siteMembers.insert(trx, { site_id: siteId, user_id: userId, role, created_at: nowMs });
			const entry = { action: "member.created", organizationId, siteId, userId, role: [null, role] } as const;
			await recordRole(trx, by, entry, nowMs);
		}
		const already_assigned = asked.filter((id) => known.has(id) && reaches(id));
		return { answer: { added, already_assigned, invalid: asked.filter((id) => !known.has(id)) } };
	});

/**
 * Takes the role that a member was given on a site away. Throws `user_not_found`, `not_found` when there is none, and
 * `forbidden` when an admin touches an owner of the organization or the site.
 */
const unassignSite = (deps: ChangeDeps, by: Requester, input: MemberOf & { readonly siteId: string }): Promise<void> =>
	changeOrganization(deps, by, input, async (trx, held) => {
		const { userId, siteId } = input;
		const orgRole = await memberRole(trx, input);
		const given = await siteRolesIn(trx, input.organizationId);
		const role = given.find((row) => row.userId === userId && row.siteId === siteId)?.role;
		if (role === undefined) throw new ServiceError("not_found", "The member has no role on this site");
		checkOwnerCeiling(held.role, orgRole, role === "owner" ? "owner" : "member");
		await siteMembers.delete(trx, { site_id: siteId, user_id: userId });
		return { answer: undefined, entry: { ...entryOf("deleted", input, [role, null]), siteId } };
	});
