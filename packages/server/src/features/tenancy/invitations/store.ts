import { type Row, tables } from "../../../../migrations/metadata/tables/index.ts";
import { DAY_MS } from "../../../platform/lib/durations.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import type { ChangeDeps } from "../../auditing/audit-log/index.ts";
import { invitations } from "../organizations/index.ts";

export type InvitationRow = Row<"invitations">;

export type SentInvitation = InvitationRow & { readonly inviterName: string | null };

const withInviter = (metadata: Metadata) =>
	tables(metadata)
		.selectFrom("invitations")
		.leftJoin("users", "users.id", "invitations.invited_by")
		.selectAll("invitations")
		.select("users.name as inviterName");

export const listInvitations = (metadata: Metadata, organizationId: string): Promise<SentInvitation[]> =>
	withInviter(metadata).where("organization_id", "=", organizationId).orderBy("invitations.id", "desc").execute();

export const findInvitation = (metadata: Metadata, id: number): Promise<SentInvitation | undefined> =>
	withInviter(metadata).where("invitations.id", "=", id).executeTakeFirst();

/** Organizations see whom they invited for a year. */
const KEPT_MS = 365 * DAY_MS;

/** Removes invitations that ended more than a year ago, but for those by which an account was made: they tell how, as long as it exists. */
export async function dropEndedInvitations({ metadata, clock }: ChangeDeps): Promise<void> {
	await invitations.drop(metadata, { made_user: 0, expires_at: { "<": clock.now() - KEPT_MS } });
}

/** One statement, whether the address has an account or not. */
export async function isMemberAddress(metadata: Metadata, organizationId: string, email: string): Promise<boolean> {
	const row = await tables(metadata)
		.selectFrom("organization_members")
		.innerJoin("users", "users.id", "organization_members.user_id")
		.select("users.id")
		.where("organization_members.organization_id", "=", organizationId)
		.where("users.email", "=", email)
		.executeTakeFirst();
	return row !== undefined;
}
