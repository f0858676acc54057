import { tables } from "../../../../migrations/metadata/tables/index.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";

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

/** True when a user's account was made by accepting an invitation. */
export async function cameByInvitation(metadata: Metadata, userId: number): Promise<boolean> {
	const invitation = await tables(metadata)
		.selectFrom("invitations")
		.select("made_user")
		.where("accepted_by", "=", userId)
		.where("made_user", "=", 1)
		.executeTakeFirst();
	return invitation !== undefined;
}
