import { tables } from "../../migrations/metadata/tables/index.ts";
import { isSlug } from "../platform/lib/slug.ts";
import type { Metadata } from "../platform/metadata/metadata.ts";
import type { OrgRole } from "./principal.ts";
import { orgRoleReaches } from "./roles.ts";

/** The organization that a request names, with what its caller may do there. */
export interface RequestOrganization {
	/** UUID. */
	readonly id: string;
	readonly slug: string;
	readonly name: string;
	/** Role of the calling user or the key's owner; a superadmin counts as an owner. */
	readonly role: OrgRole;
}

/** True when a user has at least a role in some organization. */
export async function leadsSome(metadata: Metadata, userId: number, least: OrgRole): Promise<boolean> {
	const rows = await tables(metadata)
		.selectFrom("organization_members")
		.innerJoin("organizations", "organizations.id", "organization_members.organization_id")
		.select("organization_members.role")
		.distinct()
		.where("organization_members.user_id", "=", userId)
		.where("organizations.is_active", "=", 1)
		.execute();
	return rows.some(({ role }) => orgRoleReaches(role, least));
}

/** One organization as a user sees it, in one query: undefined = no such organization, or one that the user does not see. */
export async function findOrganizationFor(
	metadata: Metadata,
	slug: string,
	userId: number,
): Promise<RequestOrganization | undefined> {
	// Other texts name no organization; some of them PostgreSQL would refuse to compare.
	if (!isSlug(slug)) return undefined;
	const row = await tables(metadata)
		.selectFrom("organizations")
		.innerJoin("users", (join) => join.on("users.id", "=", userId))
		.leftJoin("organization_members", (join) =>
			join
				.onRef("organization_members.organization_id", "=", "organizations.id")
				.onRef("organization_members.user_id", "=", "users.id"),
		)
		.where("organizations.slug", "=", slug)
		.select([
			"organizations.id",
			"organizations.slug",
			"organizations.name",
			"organizations.is_active as isActive",
			"users.role as userRole",
			"organization_members.role as orgRole",
		])
		.executeTakeFirst();
	if (row === undefined) return undefined;
	const { id, name, isActive, userRole, orgRole } = row;
	if (userRole === "superadmin") return { id, slug, name, role: "owner" };
	return orgRole === null || isActive !== 1 ? undefined : { id, slug, name, role: orgRole };
}
