import { ServiceError } from "../../../platform/errors/service-error.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import { actorOf, recordAudit } from "../../auditing/audit-log/index.ts";
import { findUser } from "../../people/users/index.ts";
import {
	checkSeats,
	type HeldOrganization,
	holdOrganization,
	type OrganizationEnding,
	type Requester,
} from "../organizations/index.ts";
import type { InvitationDeps } from "./deps.ts";
import { checkInvited, endLinkTokens, sendLink } from "./send-invitation.ts";
import { findInvitation, listInvitations, type SentInvitation, updateInvitation } from "./store.ts";

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
	await updateInvitation(metadata, id, { is_active: 0 });
	await endLinkTokens(metadata, id);
}

type Change = (
	metadata: Metadata,
	held: HeldOrganization,
	invitation: SentInvitation,
	nowMs: number,
) => Promise<"invitation.resent" | "invitation.revoked">;

async function changeInvitation(
	deps: InvitationDeps,
	by: Requester,
	{ organizationId, id }: InvitationOf,
	change: Change,
): Promise<void> {
	const nowMs = deps.clock.now();
	await deps.metadata.transaction().execute(async (metadata) => {
		const held = await holdOrganization(metadata, organizationId, by.caller, "admin");
		const invitation = await findInvitation(metadata, id);
		if (invitation?.organization_id !== organizationId) throw notFound();
		if (invitation.accepted_at !== null) throw new ServiceError("conflict", { message: "The invitation was accepted" });
		if (invitation.is_active !== 1) throw notFound();
		checkInvited(held.role, invitation);
		const action = await change(metadata, held, invitation, nowMs);
		const details = { email: invitation.email, role: invitation.role };
		await recordAudit(metadata, actorOf(by), { action, resourceId: id, organizationId, details }, nowMs);
	});
}

const notFound = () => new ServiceError("not_found", { message: "Invitation not found" });
