import { tables } from "../../../../../migrations/metadata/tables/index.ts";
import type { Metadata } from "../../../../platform/metadata/metadata.ts";

/** Name and currency of a site for mails; undefined if it is deleted. */
export const siteWords = (metadata: Metadata, siteId: string) =>
	tables(metadata)
		.selectFrom("sites")
		.select(["name", "currency", "organization_id"])
		.where("id", "=", siteId)
		.executeTakeFirst();

/** The addresses of the owners of an organization. */
export async function ownersOf(metadata: Metadata, organizationId: string): Promise<string[]> {
	const rows = await tables(metadata)
		.selectFrom("organization_members")
		.innerJoin("users", "users.id", "organization_members.user_id")
		.select("users.email")
		.where("organization_members.organization_id", "=", organizationId)
		.where("organization_members.role", "=", "owner")
		.orderBy("users.id")
		.execute();
	return rows.map(({ email }) => email);
}
