import { type OrgRole, orgRoles, type SessionScope, type SiteRole, siteRoles } from "./principal.ts";

/** Role of a user on one site. */
export interface Standing {
	readonly userRole: "superadmin" | "user";
	/** Role in the site's organization; null = not a member. */
	readonly orgRole: OrgRole | null;
	/** Role given on the site itself; null = none. */
	readonly siteRole: SiteRole | null;
}

const rank = (role: SiteRole): number => siteRoles.indexOf(role);

/** True when `role` may do what `least` may. */
export const roleReaches = (role: SiteRole, least: SiteRole): boolean => rank(role) >= rank(least);

/** The same of roles in an organization. */
export const orgRoleReaches = (role: OrgRole, least: OrgRole): boolean =>
	orgRoles.indexOf(role) >= orgRoles.indexOf(least);

/** The role that counts on the site: the highest of those held; undefined = the site is out of reach. */
export function effectiveRole(standing: Standing): SiteRole | undefined {
	if (standing.userRole === "superadmin") return "owner";
	const held: SiteRole[] = [];
	if (standing.orgRole === "owner" || standing.orgRole === "admin") held.push(standing.orgRole);
	if (standing.siteRole !== null) held.push(standing.siteRole);
	return held.sort((a, b) => rank(b) - rank(a))[0];
}

/** Scopes of a session; they follow from the user's role and cannot be asked for. */
export function sessionScopes(role: "superadmin" | "user", ownsOrganization: boolean): SessionScope[] {
	if (role === "superadmin") return ["read", "write", "admin", "superadmin", "billing:manage"];
	return ownsOrganization ? ["read", "write", "billing:manage"] : ["read", "write"];
}
