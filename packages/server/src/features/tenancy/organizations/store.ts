import { type Row, tables } from "../../../../migrations/metadata/tables/index.ts";
import { tableOf } from "../../../../migrations/metadata/tables/table-of.ts";
import type { OrgRole } from "../../../access/index.ts";
import { uuid } from "../../../platform/lib/ids.ts";
import { numberedSlug } from "../../../platform/lib/slug.ts";
import { inChunks } from "../../../platform/metadata/in-chunks.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import type { PlanTier } from "./plans.ts";

/** An organization as stored. */
export type OrganizationRow = Row<"organizations">;

export const organizations = tableOf("organizations");
/** The memberships of users in organizations. */
export const organizationMembers = tableOf("organization_members");
export const invitations = tableOf("invitations");

/** The organization with this id. */
export const findOrganization = (metadata: Metadata, id: string): Promise<OrganizationRow | undefined> =>
	organizations.find(metadata, { id });

/** Makes other changes to the organization's sites wait until this transaction ends. */
export const lockOrganization = (metadata: Metadata, id: string): Promise<void> => organizations.lock(metadata, { id });

/** The organizations that a user belongs to, named ones before the personal one, then oldest first. */
export const membershipsOf = (metadata: Metadata, userId: number) =>
	tables(metadata)
		.selectFrom("organization_members")
		.innerJoin("organizations", "organizations.id", "organization_members.organization_id")
		.selectAll("organizations")
		.select("organization_members.role")
		.where("organization_members.user_id", "=", userId)
		.where("organizations.is_active", "=", 1)
		.orderBy("organizations.is_personal")
		.orderBy("organizations.created_at")
		.orderBy("organizations.id")
		.execute();

/** The user's role in an organization; undefined when not a member. */
export const roleIn = async (
	metadata: Metadata,
	organization_id: string,
	user_id: number,
): Promise<OrgRole | undefined> => (await organizationMembers.find(metadata, { organization_id, user_id }))?.role;

const leading = ["owner", "admin"] as const;

/** The user ids of owners and admins, owners first, then oldest first. */
export async function leadersOf(metadata: Metadata, organizationId: string) {
	const where = { organization_id: organizationId, role: leading };
	const rows = await organizationMembers.list(metadata, where, "role desc", "created_at", "user_id");
	return rows.map(({ user_id: userId, role }) => ({ userId, role }));
}

/** Owners and admins of several organizations. */
export const leadersOfEach = (metadata: Metadata, organizationIds: readonly string[]) =>
	inChunks(organizationIds, (some) => organizationMembers.list(metadata, { organization_id: some, role: leading }));

export async function deletedWithoutSites(metadata: Metadata, beforeMs: number): Promise<string[]> {
	const rows = await tables(metadata)
		.selectFrom("organizations")
		.leftJoin("sites", "sites.organization_id", "organizations.id")
		.select("organizations.id")
		.where("organizations.is_active", "=", 0)
		.where("organizations.updated_at", "<", beforeMs)
		.where("sites.id", "is", null)
		.execute();
	return rows.map(({ id }) => id);
}

/** The first free slug that begins with `base`; another transaction may take it meanwhile. */
export async function freeSlug(metadata: Metadata, base: string): Promise<string> {
	const similar = await tables(metadata)
		.selectFrom("organizations")
		.select("slug")
		.where("slug", "like", `${base}%`)
		.execute();
	return numberedSlug(base, new Set(similar.map(({ slug }) => slug)));
}

/** Stores an organization under the first free slug and makes a user its owner. */
export async function insertOrganization(
	metadata: Metadata,
	input: { slugBase: string; name: string; isPersonal: boolean; plan: PlanTier; ownerId: number; nowMs: number },
): Promise<OrganizationRow> {
	const { slugBase, name, isPersonal, plan: plan_tier, ownerId: user_id, nowMs } = input;
	const dates = { created_at: nowMs, updated_at: nowMs };
	const made = { id: uuid(), name, is_personal: isPersonal ? 1 : 0, is_active: 1, plan_tier, ...dates };
	for (;;) {
		const slug = await freeSlug(metadata, slugBase);
		const row = await organizations.insertUnlessTaken(metadata, { ...made, slug }, "slug");
		if (row === undefined) continue;
		const owner = { organization_id: row.id, user_id, role: "owner", created_at: nowMs } as const;
		await organizationMembers.insert(metadata, owner);
		return row;
	}
}

/** Members of each organization that has any. */
export const countMembersOfEach = async (metadata: Metadata, ids: readonly string[]) =>
	new Map(
		await inChunks(ids, (some) => organizationMembers.countBy(metadata, "organization_id", { organization_id: some })),
	);

/** Active sites of each organization that has any. */
export const countActiveSitesOfEach = async (metadata: Metadata, ids: readonly string[]) =>
	new Map(
		await inChunks(ids, (some) =>
			tableOf("sites").countBy(metadata, "organization_id", { organization_id: some, is_active: 1 }),
		),
	);

/** The members of an organization, owners first, then admins; in each rank by name. */
export async function listMembers(metadata: Metadata, organizationId: string) {
	const members = await tables(metadata)
		.selectFrom("organization_members")
		.innerJoin("users", "users.id", "organization_members.user_id")
		.where("organization_members.organization_id", "=", organizationId)
		.select(["users.id as userId", "users.email", "users.name"])
		.select(["organization_members.role", "organization_members.created_at as createdAt"])
		.orderBy("users.name")
		.orderBy("users.id")
		.execute();
	const rank: Readonly<Record<OrgRole, number>> = { owner: 0, admin: 1, member: 2 };
	return members.sort((a, b) => rank[a.role] - rank[b.role]);
}

/** True when somebody else who can sign in owns the organization. */
export async function hasOtherOwner(metadata: Metadata, organizationId: string, userId: number): Promise<boolean> {
	const row = await tables(metadata)
		.selectFrom("organization_members")
		.innerJoin("users", "users.id", "organization_members.user_id")
		.select("users.id")
		.where("organization_members.organization_id", "=", organizationId)
		.where("organization_members.role", "=", "owner")
		.where("organization_members.user_id", "!=", userId)
		.where("users.is_active", "=", 1)
		.limit(1)
		.executeTakeFirst();
	return row !== undefined;
}
