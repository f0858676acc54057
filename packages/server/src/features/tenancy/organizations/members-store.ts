import { tables } from "../../../../migrations/metadata/tables/index.ts";
import type { OrgRole } from "../../../access/index.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";

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
