import { type Row, tables } from "../../../../migrations/metadata/tables/index.ts";
import type { OrgRole } from "../../../access/index.ts";
import { uuid } from "../../../platform/lib/ids.ts";
import { numberedSlug } from "../../../platform/lib/slug.ts";
import { inChunks } from "../../../platform/metadata/in-chunks.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import type { PlanTier } from "./plans.ts";

/** An organization as stored. */
export type OrganizationRow = Row<"organizations">;

/** The organization with this id. */
export const findOrganization = (metadata: Metadata, id: string): Promise<OrganizationRow | undefined> =>
	tables(metadata).selectFrom("organizations").selectAll().where("id", "=", id).executeTakeFirst();

/** The organization with this slug. */
export const findOrganizationBySlug = (metadata: Metadata, slug: string): Promise<OrganizationRow | undefined> =>
	tables(metadata).selectFrom("organizations").selectAll().where("slug", "=", slug).executeTakeFirst();

/** Makes other changes to the organization's sites wait until this transaction ends. */
export async function lockOrganization(metadata: Metadata, id: string): Promise<void> {
	await tables(metadata)
		.updateTable("organizations")
		.set((query) => ({ updated_at: query.ref("updated_at") }))
		.where("id", "=", id)
		.execute();
}

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
export async function roleIn(metadata: Metadata, organizationId: string, userId: number): Promise<OrgRole | undefined> {
	const row = await tables(metadata)
		.selectFrom("organization_members")
		.select("role")
		.where("organization_id", "=", organizationId)
		.where("user_id", "=", userId)
		.executeTakeFirst();
	return row?.role;
}

/** The user ids of owners and admins, owners first, then oldest first. */
export const leadersOf = (metadata: Metadata, organizationId: string) =>
	tables(metadata)
		.selectFrom("organization_members")
		.select(["user_id as userId", "role"])
		.where("organization_id", "=", organizationId)
		.where("role", "in", ["owner", "admin"])
		.orderBy("role", "desc")
		.orderBy("created_at")
		.orderBy("user_id")
		.execute();

/** Owners and admins of several organizations. */
export const leadersOfEach = (metadata: Metadata, organizationIds: readonly string[]) =>
	inChunks(organizationIds, (some) =>
		tables(metadata)
			.selectFrom("organization_members")
			.select(["organization_id as organizationId", "user_id as userId"])
			.where("organization_id", "in", some)
			.where("role", "in", ["owner", "admin"])
			.execute(),
	);

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

export const listOrganizations = (metadata: Metadata): Promise<OrganizationRow[]> =>
	tables(metadata).selectFrom("organizations").selectAll().orderBy("name").orderBy("id").execute();

/** Changes an organization; undefined when it does not exist. */
export const updateOrganization = (
	metadata: Metadata,
	id: string,
	changes: Partial<Pick<OrganizationRow, "name" | "slug" | "is_personal" | "is_active" | "plan_tier">> & {
		updated_at: number;
	},
): Promise<OrganizationRow | undefined> =>
	tables(metadata).updateTable("organizations").set(changes).where("id", "=", id).returningAll().executeTakeFirst();

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
	const db = tables(metadata);
	const { nowMs } = input;
	for (;;) {
		const row = await db
			.insertInto("organizations")
			.values({
				id: uuid(),
				slug: await freeSlug(metadata, input.slugBase),
				name: input.name,
				is_personal: input.isPersonal ? 1 : 0,
				is_active: 1,
				plan_tier: input.plan,
				created_at: nowMs,
				updated_at: nowMs,
			})
			.onConflict((conflict) => conflict.column("slug").doNothing())
			.returningAll()
			.executeTakeFirst();
		if (row === undefined) continue;
		await db
			.insertInto("organization_members")
			.values({ organization_id: row.id, user_id: input.ownerId, role: "owner", created_at: nowMs })
			.execute();
		return row;
	}
}

interface Count {
	readonly organization_id: string;
	readonly count: number;
}

const countsOf = (rows: readonly Count[]): ReadonlyMap<string, number> =>
	new Map(rows.map((row) => [row.organization_id, Number(row.count)]));

/** Members of each organization that has any. */
export const countMembersOfEach = async (metadata: Metadata, ids: readonly string[]) =>
	countsOf(
		await inChunks(ids, (some) =>
			tables(metadata)
				.selectFrom("organization_members")
				.select((select) => ["organization_id", select.fn.countAll<number>().as("count")])
				.where("organization_id", "in", some)
				.groupBy("organization_id")
				.execute(),
		),
	);

/** Active sites of each organization that has any. */
export const countActiveSitesOfEach = async (metadata: Metadata, ids: readonly string[]) =>
	countsOf(
		await inChunks(ids, (some) =>
			tables(metadata)
				.selectFrom("sites")
				.select((select) => ["organization_id", select.fn.countAll<number>().as("count")])
				.where("is_active", "=", 1)
				.where("organization_id", "in", some)
				.groupBy("organization_id")
				.execute(),
		),
	);

export async function rolesOf(metadata: Metadata, userId: number): Promise<ReadonlyMap<string, OrgRole>> {
	const rows = await tables(metadata)
		.selectFrom("organization_members")
		.select(["organization_id", "role"])
		.where("user_id", "=", userId)
		.execute();
	return new Map(rows.map((row) => [row.organization_id, row.role]));
}

/** Number of invitations to an organization that can still be accepted, but that of `exceptEmail`. */
export async function countOpenInvitations(
	metadata: Metadata,
	organizationId: string,
	{ nowMs, exceptEmail = "" }: { readonly nowMs: number; readonly exceptEmail?: string },
): Promise<number> {
	const { count } = await tables(metadata)
		.selectFrom("invitations")
		.select((query) => query.fn.countAll<number>().as("count"))
		.where("organization_id", "=", organizationId)
		.where("is_active", "=", 1)
		.where("expires_at", ">", nowMs)
		.where("email", "!=", exceptEmail)
		.executeTakeFirstOrThrow();
	return Number(count);
}

export async function cameByInvitation(metadata: Metadata, userId: number): Promise<boolean> {
	const invitation = await tables(metadata)
		.selectFrom("invitations")
		.select("made_user")
		.where("accepted_by", "=", userId)
		.where("made_user", "=", 1)
		.executeTakeFirst();
	return invitation !== undefined;
}

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

export async function countMembers(metadata: Metadata, organizationId: string): Promise<number> {
	const { count } = await tables(metadata)
		.selectFrom("organization_members")
		.select((query) => query.fn.countAll<number>().as("count"))
		.where("organization_id", "=", organizationId)
		.executeTakeFirstOrThrow();
	return Number(count);
}

/** Makes a user a member; false when the user is one already. */
export async function insertMember(
	metadata: Metadata,
	member: { organizationId: string; userId: number; role: OrgRole; nowMs: number },
): Promise<boolean> {
	const { organizationId, userId, role, nowMs } = member;
	const rows = await tables(metadata)
		.insertInto("organization_members")
		.values({ organization_id: organizationId, user_id: userId, role, created_at: nowMs })
		.onConflict((conflict) => conflict.columns(["organization_id", "user_id"]).doNothing())
		.returning("user_id")
		.execute();
	return rows.length === 1;
}

/** Gives a member another role. */
export async function updateMemberRole(
	metadata: Metadata,
	organizationId: string,
	userId: number,
	role: OrgRole,
): Promise<void> {
	await tables(metadata)
		.updateTable("organization_members")
		.set({ role })
		.where("organization_id", "=", organizationId)
		.where("user_id", "=", userId)
		.execute();
}

/** Ends a membership. */
export async function deleteMember(metadata: Metadata, organizationId: string, userId: number): Promise<void> {
	await tables(metadata)
		.deleteFrom("organization_members")
		.where("organization_id", "=", organizationId)
		.where("user_id", "=", userId)
		.execute();
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
