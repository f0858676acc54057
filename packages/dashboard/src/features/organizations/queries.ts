import type { Answer } from "../../api/client.ts";
import { read } from "../../api/read.ts";

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
