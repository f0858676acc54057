import { type Answer, call } from "../../api/client.ts";
import { read } from "../../api/read.ts";

/** A role on one site; null = none. */
export type SiteRole = "viewer" | "editor" | "admin" | "owner";
export const siteRoles: readonly SiteRole[] = ["viewer", "editor", "admin", "owner"];

/** Roles that somebody may give: owners are made by owners. */
export const grantable = (role: OrgRole): readonly OrgRole[] =>
	role === "owner" ? ["member", "admin", "owner"] : ["member", "admin"];

/** A change of a member's role on a site. */
interface SiteRoleChange {
	readonly slug: string;
	readonly userId: number;
	readonly siteId: string;
	readonly from: SiteRole | null;
	readonly to: SiteRole | null;
}

/** Gives a member another role on a site, a first one, or none. */
export async function changeSiteRole({ slug, userId, siteId, from, to }: SiteRoleChange): Promise<unknown> {
	if (from === to) return;
	if (to === null) {
		return call("DELETE /organizations/{slug}/members/{user_id}/sites/{site_id}", {
			path: { slug, user_id: userId, site_id: siteId },
		});
	}
	if (from === null)
		return call("POST /sites/{id}/users", { path: { id: siteId }, body: { user_id: userId, role: to } });
	return call("PATCH /sites/{id}/users/{user_id}", { path: { id: siteId, user_id: userId }, body: { role: to } });
}

/** An organization as the reader sees it. */
export type Organization = Answer<"GET /organizations/{slug}">;
export type OrgRole = "owner" | "admin" | "member";
export type Member = Answer<"GET /organizations/{slug}/members">["members"][number];
export type OrgSite = Answer<"GET /organizations/{slug}/sites">["sites"][number];

/** Role of the user in an organization; a superadmin counts as an owner. */
export const roleOf = ({ user_role: own }: Organization, role: string): OrgRole =>
	role === "superadmin" ? "owner" : (own ?? "member");

export const organizationsQuery = read("GET /organizations");

export const organizationQuery = (slug: string) => read("GET /organizations/{slug}", { path: { slug } });

export const membersQuery = (slug: string) => read("GET /organizations/{slug}/members", { path: { slug } });

export const orgSitesQuery = (slug: string) => read("GET /organizations/{slug}/sites", { path: { slug } });

/** On which sites of the organization a member has which role. */
export const memberSitesQuery = (slug: string, userId: number) =>
	read("GET /organizations/{slug}/members/{user_id}/sites", { path: { slug, user_id: userId } });

export const invitationsQuery = (slug: string) => read("GET /organizations/{slug}/invitations", { path: { slug } });

/** Routes whose answers a change of somebody's roles makes old; the first three tell what oneself may. */
export const staleByRoles = [
	"GET /sites",
	"GET /organizations",
	"GET /organizations/{slug}",
	"GET /organizations/{slug}/members",
	"GET /organizations/{slug}/members/{user_id}/sites",
	"GET /audit/logs",
] as const;
