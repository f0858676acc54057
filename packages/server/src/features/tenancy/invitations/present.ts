import { timestamp, timestampOrNull } from "../../../platform/lib/timestamp.ts";
import type { OpenInvitation } from "./open-invitation.ts";
import type { SentLink } from "./send-invitation.ts";
import type { SentInvitation } from "./store.ts";

/** An invitation on the wire, for those who send them. */
export const presentInvitation = (row: SentInvitation, nowMs: number) => ({
	id: row.id,
	org_id: row.organization_id,
	email: row.email,
	role: row.role,
	site_ids: JSON.parse(row.site_ids) as string[],
	site_role: row.site_role,
	invited_by_name: row.inviterName,
	is_active: row.is_active === 1 && row.expires_at > nowMs,
	expires_at: timestamp(row.expires_at),
	accepted_at: timestampOrNull(row.accepted_at),
	created_at: timestamp(row.created_at),
});

/** A new invitation on the wire. */
export const presentSentLink = ({ id, link, expiresAt }: SentLink) => ({
	invitation_id: id,
	invitation_link: link,
	expires_at: timestamp(expiresAt),
});

/** An invitation on the wire, for the holder of its link. */
export const presentOpenInvitation = ({ invitation, organization }: OpenInvitation) => ({
	org_name: organization.name,
	email: invitation.email,
	role: invitation.role,
	invited_by_name: invitation.inviterName,
});
