import { type Caller, effectiveRole, reachableSitesOf } from "../../../access/index.ts";
import { ServiceError } from "../../../platform/errors/service-error.ts";
import { timestamp } from "../../../platform/lib/timestamp.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import { listMembers, roleIn } from "../organizations/index.ts";
import { siteRolesIn, sitesOfOrganization } from "../sites/index.ts";

export async function describeMembers(metadata: Metadata, organizationId: string) {
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

export async function describeSitesFor(metadata: Metadata, organizationId: string, caller: Caller) {
	const reach = new Set((await reachableSitesOf(metadata, caller)).map(({ id }) => id));
	const sites = await sitesOfOrganization(metadata, organizationId);
	return sites.filter(({ id }) => reach.has(id));
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
	const sites = (await sitesOfOrganization(metadata, organizationId)).map(({ id, name }) => {
		const siteRole = given.find(({ siteId }) => siteId === id)?.role ?? null;
		const role = effectiveRole({ userRole: "user", orgRole, siteRole });
		return { id, name, has_access: role !== undefined, role: role ?? null };
	});
	return leads ? sites : sites.filter((site) => site.has_access);
}
