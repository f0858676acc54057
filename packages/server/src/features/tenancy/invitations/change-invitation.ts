import { ServiceError } from "../../../platform/errors/service-error.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import { findUser } from "../../people/users/index.ts";
import {
	changeOrganization,
	checkSeats,
	type HeldOrganization,
	invitations,
	type OrganizationEnding,
	type Requester,
} from "../organizations/index.ts";
import type { InvitationDeps } from "./deps.ts";
import { checkInvited, endLinkTokens, sendLink } from "./send-invitation.ts";
import { findInvitation, listInvitations, type SentInvitation } from "./store.ts";

interface InvitationOf {
	readonly organizationId: string;
	readonly id: number;
}

/**
 * Sends an invitation again, with a new secret and another seven days. Throws `not_found` (revoked ones too), `conflict` when
 * it was accepted, `forbidden` when an admin invites an owner so, and `quota_exceeded`.
 */
export async function resendInvitation(deps: InvitationDeps, by: Requester, input: InvitationOf): Promise<void> {
	await changeInvitation(deps, by, input, async (metadata, { organization }, invitation, nowMs) => {
		await checkSeats(metadata, organization, { nowMs, exceptEmail: invitation.email });
		const sender = await findUser(metadata, by.caller.userId);
		await sendLink(deps, metadata, { invitation, organization, inviterName: sender?.name ?? null, nowMs });
		return "invitation.resent";
	});
}

/** Revokes an invitation: its link is dead. Throws `not_found`, `conflict` and `forbidden` as `resendInvitation` does. */
export async function revokeInvitation(deps: InvitationDeps, by: Requester, input: InvitationOf): Promise<void> {
	await changeInvitation(deps, by, input, async (metadata, _held, { id }) => {
		await endInvitation(metadata, id);
		return "invitation.revoked";
	});
}

/** Revokes the open invitations of a deleted organization. */
export const endInvitationsOf: OrganizationEnding = async (metadata, organizationId) => {
	for (const invitation of await listInvitations(metadata, organizationId)) {
		if (invitation.is_active === 1) await endInvitation(metadata, invitation.id);
	}
};

async function endInvitation(metadata: Metadata, id: number): Promise<void> {
	await invitations.update(metadata, { id }, { is_active: 0 });
	await endLinkTokens(metadata, id);
}

type Change = (
	trx: Metadata,
	held: HeldOrganization,
	invitation: SentInvitation,
	nowMs: number,
) => Promise<"invitation.resent" | "invitation.revoked">;

const changeInvitation = (deps: InvitationDeps, by: Requester, input: InvitationOf, change: Change): Promise<void> =>
	changeOrganization(deps, by, input, async (trx, held, nowMs) => {
		const { organizationId, id } = input;
		const invitation = await findInvitation(trx, id);
		if (invitation?.organization_id !== organizationId) throw notFound();
		if (invitation.accepted_at !== null) throw new ServiceError("conflict", { message: "The invitation was accepted" });
		if (invitation.is_active !== 1) throw notFound();
		checkInvited(held.role, invitation);
		const { email, role } = invitation;
		const action = await change(trx, held, invitation, nowMs);
		return { answer: undefined, entry: { action, resourceId: id, details: { email, role } } };
	});

const notFound = () => new ServiceError("not_found", { message: "Invitation not found" });
