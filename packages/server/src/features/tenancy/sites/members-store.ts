import { tables } from "../../../../migrations/metadata/tables/index.ts";
import type { SiteRole } from "../../../access/index.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import type { SiteRow } from "./store.ts";

/** All sites of an organization, inactive ones included, by name. */
export const sitesOfOrganization = (metadata: Metadata, organizationId: string): Promise<SiteRow[]> =>
	tables(metadata)
		.selectFrom("sites")
		.selectAll()
		.where("organization_id", "=", organizationId)
		.orderBy("name")
		.orderBy("id")
		.execute();

/** The roles given on the sites of an organization, those of users outside it included. */
export const siteRolesIn = (metadata: Metadata, organizationId: string) =>
	tables(metadata)
		.selectFrom("site_members")
		.innerJoin("sites", "sites.id", "site_members.site_id")
		.where("sites.organization_id", "=", organizationId)
		.select(["site_members.site_id as siteId", "site_members.user_id as userId", "site_members.role"])
		.select("sites.is_active as siteIsActive")
		.execute();

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
	const row = await tables(metadata)
		.selectFrom("users")
		.select("users.id")
		.where("users.id", "=", userId)
		.where("users.is_active", "=", 1)
		.where((query) =>
			query.or([
				query.exists(
					query
						.selectFrom("organization_members")
						.select("organization_members.user_id")
						.whereRef("organization_members.user_id", "=", "users.id")
						.where("organization_members.organization_id", "=", organizationId),
				),
				query.exists(
					query
						.selectFrom("site_members")
						.innerJoin("sites", "sites.id", "site_members.site_id")
						.select("site_members.user_id")
						.whereRef("site_members.user_id", "=", "users.id")
						.where("sites.organization_id", "=", organizationId),
				),
			]),
		)
		.executeTakeFirst();
	return row !== undefined;
}

/** Gives a user a role on a site; false when the user has one already. */
export async function insertSiteMember(
	metadata: Metadata,
	member: { siteId: string; userId: number; role: SiteRole; nowMs: number },
): Promise<boolean> {
	const { siteId, userId, role, nowMs } = member;
	const rows = await tables(metadata)
		.insertInto("site_members")
		.values({ site_id: siteId, user_id: userId, role, created_at: nowMs })
		.onConflict((conflict) => conflict.columns(["site_id", "user_id"]).doNothing())
		.returning("user_id")
		.execute();
	return rows.length === 1;
}

export async function updateSiteMember(
	metadata: Metadata,
	siteId: string,
	userId: number,
	role: SiteRole,
): Promise<void> {
	await tables(metadata)
		.updateTable("site_members")
		.set({ role })
		.where("site_id", "=", siteId)
		.where("user_id", "=", userId)
		.execute();
}

/** Takes a user's role on a site away. */
export async function deleteSiteMember(metadata: Metadata, siteId: string, userId: number): Promise<void> {
	await tables(metadata)
		.deleteFrom("site_members")
		.where("site_id", "=", siteId)
		.where("user_id", "=", userId)
		.execute();
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
