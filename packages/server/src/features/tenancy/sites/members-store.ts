import { tables } from "../../../../migrations/metadata/tables/index.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import { findUser } from "../../people/users/index.ts";
import { roleIn } from "../organizations/index.ts";

const siteRoles = (metadata: Metadata, organizationId: string) =>
	tables(metadata)
		.selectFrom("site_members")
		.innerJoin("sites", "sites.id", "site_members.site_id")
		.where("sites.organization_id", "=", organizationId)
		.select(["site_members.site_id as siteId", "site_members.user_id as userId", "site_members.role"])
		.select("sites.is_active as siteIsActive");

/** The roles given on the sites of an organization, those of users outside it included. */
export const siteRolesIn = (metadata: Metadata, organizationId: string) =>
	siteRoles(metadata, organizationId).execute();

export const usersOnSite = (metadata: Metadata, siteId: string) =>
	tables(metadata)
		.selectFrom("site_members")
		.innerJoin("users", "users.id", "site_members.user_id")
		.where("site_members.site_id", "=", siteId)
		.select(["users.id as userId", "users.email", "users.name", "users.is_active as isActive"])
		.select(["site_members.role", "site_members.created_at as createdAt"])
		.execute();

/** Owners and admins of the organization, who have their role on each of its sites. */
export const leadersOnSites = (metadata: Metadata, organizationId: string) =>
	tables(metadata)
		.selectFrom("organization_members")
		.innerJoin("users", "users.id", "organization_members.user_id")
		.where("organization_members.organization_id", "=", organizationId)
		.where("organization_members.role", "in", ["owner", "admin"])
		.select(["users.id as userId", "users.email", "users.name", "users.is_active as isActive"])
		.select(["organization_members.role", "organization_members.created_at as createdAt"])
		.$narrowType<{ role: "owner" | "admin" }>()
		.execute();

/** True when a user who can sign in belongs to the organization or has a role on one of its sites. */
export async function isKnownUser(metadata: Metadata, organizationId: string, userId: number): Promise<boolean> {
	if ((await findUser(metadata, userId))?.is_active !== 1) return false;
	if ((await roleIn(metadata, organizationId, userId)) !== undefined) return true;
	const role = siteRoles(metadata, organizationId).where("site_members.user_id", "=", userId);
	return (await role.executeTakeFirst()) !== undefined;
}

/** Takes a user's roles on all sites of an organization away. */
export async function deleteSiteMembersOf(metadata: Metadata, organizationId: string, userId: number): Promise<void> {
	await tables(metadata)
		.deleteFrom("site_members")
		.where("user_id", "=", userId)
		.where("site_id", "in", (query) =>
			query.selectFrom("sites").select("sites.id").where("sites.organization_id", "=", organizationId),
		)
		.execute();
}
