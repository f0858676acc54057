import { type Caller, effectiveRole, type OrgRole, reachableSitesOf, type SiteRole } from "../../../access/index.ts";
import { ServiceError } from "../../../platform/errors/service-error.ts";
import { timestamp } from "../../../platform/lib/timestamp.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import { listMembers, roleIn } from "../organizations/index.ts";
import { type SiteRow, siteRolesIn, sitesOfOrganization } from "../sites/index.ts";

/** The members of an organization, each with the number of active sites in reach. */
export async function describeMembers(metadata: Metadata, organizationId: string) {
	const members = await listMembers(metadata, organizationId);
	const active = (await sitesOfOrganization(metadata, organizationId)).filter((site) => site.is_active === 1);
	const roles = (await siteRolesIn(metadata, organizationId)).filter(({ siteIsActive }) => siteIsActive === 1);
	const assigned = Map.groupBy(roles, ({ userId }) => userId);
	return members.map((member) => {
		const own = assigned.get(member.userId)?.length ?? 0;
		return presentMember({ ...member, siteCount: member.role === "member" ? own : active.length });
	});
}

/** The organization's sites in a caller's reach, inactive ones included. */
export async function describeSitesFor(metadata: Metadata, organizationId: string, caller: Caller) {
	const reach = new Set((await reachableSitesOf(metadata, caller)).map(({ id }) => id));
	const sites = await sitesOfOrganization(metadata, organizationId);
	return sites.filter(({ id }) => reach.has(id)).map(presentOrganizationSite);
}

/**
 * Roles of a member on each site of the organization. Members can only ask about themselves, and see their accessible
 * sites. Throws `forbidden`, and `user_not_found` for users who are not members.
 */
export async function describeSitesOfMember(
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
	const sites = (await sitesOfOrganization(metadata, organizationId)).map((site) => {
		const siteRole = given.find(({ siteId }) => siteId === site.id)?.role ?? null;
		return presentMemberSite(site, effectiveRole({ userRole: "user", orgRole, siteRole }));
	});
	return leads ? sites : sites.filter((site) => site.has_access);
}

const presentMember = (member: {
	userId: number;
	email: string;
	name: string;
	role: OrgRole;
	siteCount: number;
	createdAt: number;
}) => ({
	user_id: member.userId,
	email: member.email,
	name: member.name,
	role: member.role,
	site_count: member.siteCount,
	created_at: timestamp(member.createdAt),
});

const presentOrganizationSite = (site: SiteRow) => ({
	id: site.id,
	name: site.name,
	is_active: site.is_active === 1,
	timezone: site.timezone,
	currency: site.currency,
	created_at: timestamp(site.created_at),
});

const presentMemberSite = (site: SiteRow, role: SiteRole | undefined) => ({
	id: site.id,
	name: site.name,
	has_access: role !== undefined,
	role: role ?? null,
});
