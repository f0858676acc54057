import { queryOptions } from "@tanstack/react-query";
import { type Answer, call } from "../../api/client.ts";

/** An organization as the reader sees it. */
export type Organization = Answer<"GET /organizations/{slug}">;
export type OrgRole = "owner" | "admin" | "member";
export type Member = Answer<"GET /organizations/{slug}/members">["members"][number];
export type OrgSite = Answer<"GET /organizations/{slug}/sites">["sites"][number];

/** Role of the user in an organization; a superadmin counts as an owner. */
export const roleOf = ({ user_role: own }: Organization, role: string): OrgRole =>
	role === "superadmin" ? "owner" : (own ?? "member");

export const organizationsQuery = queryOptions({
	queryKey: ["GET /organizations"],
	queryFn: ({ signal }) => call("GET /organizations", { signal }),
});

export const organizationQuery = (slug: string) =>
	queryOptions({
		queryKey: ["GET /organizations/{slug}", slug],
		queryFn: ({ signal }) => call("GET /organizations/{slug}", { path: { slug }, signal }),
	});

export const membersQuery = (slug: string) =>
	queryOptions({
		queryKey: ["GET /organizations/{slug}/members", slug],
		queryFn: ({ signal }) => call("GET /organizations/{slug}/members", { path: { slug }, signal }),
	});

export const orgSitesQuery = (slug: string) =>
	queryOptions({
		queryKey: ["GET /organizations/{slug}/sites", slug],
		queryFn: ({ signal }) => call("GET /organizations/{slug}/sites", { path: { slug }, signal }),
	});

/** On which sites of the organization a member has which role. */
export const memberSitesQuery = (slug: string, userId: number) =>
	queryOptions({
		queryKey: ["GET /organizations/{slug}/members/{user_id}/sites", slug, userId],
		queryFn: ({ signal }) =>
			call("GET /organizations/{slug}/members/{user_id}/sites", { path: { slug, user_id: userId }, signal }),
	});

export const invitationsQuery = (slug: string) =>
	queryOptions({
		queryKey: ["GET /organizations/{slug}/invitations", slug],
		queryFn: ({ signal }) => call("GET /organizations/{slug}/invitations", { path: { slug }, signal }),
	});

/** Routes whose answers a change of somebody's roles makes old; the first three tell what oneself may. */
export const staleByRoles = [
	"GET /sites",
	"GET /organizations",
	"GET /organizations/{slug}",
	"GET /organizations/{slug}/members",
	"GET /organizations/{slug}/members/{user_id}/sites",
	"GET /audit/logs",
] as const;
