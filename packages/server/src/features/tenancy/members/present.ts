import type { OrgRole, SiteRole } from "../../../access/index.ts";
import { timestamp } from "../../../platform/lib/timestamp.ts";
import type { SiteRow } from "../sites/index.ts";

/** A member on the wire. */
export const presentMember = (member: {
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

/** A site of an organization on the wire. */
export const presentOrganizationSite = (site: SiteRow) => ({
	id: site.id,
	name: site.name,
	is_active: site.is_active === 1,
	timezone: site.timezone,
	currency: site.currency,
	created_at: timestamp(site.created_at),
});

/** Role of a member on a site, on the wire. */
export const presentMemberSite = (site: SiteRow, role: SiteRole | undefined) => ({
	id: site.id,
	name: site.name,
	has_access: role !== undefined,
	role: role ?? null,
});
