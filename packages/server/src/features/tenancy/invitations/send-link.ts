import type { Metadata } from "../../../platform/metadata/metadata.ts";
import { plainName } from "../../../platform/outbound/mail/plain-text.ts";
import { countAttempt } from "../../people/failure-limits/index.ts";
import type { OrganizationRow } from "../organizations/index.ts";
import type { InvitationDeps } from "./deps.ts";
import { issueMailedToken } from "./link-tokens.ts";
import { type InvitationRow, updateInvitation } from "./store.ts";

/** Limit of mails to an address, over all accounts and organizations, so that a mailbox cannot be flooded. */
const mailsToAnAddress = { name: "invitation-mail", failures: 5, windowMs: 3_600_000 } as const;

/** The page on which an invitation is answered. */
export const linkWith = ({ rootUrl }: Pick<InvitationDeps, "rootUrl">, token: string): string =>
	`${rootUrl}/invitation?token=${token}`;

/** Input of sending an invitation. */
interface Sending {
	readonly invitation: Pick<InvitationRow, "id" | "email">;
	readonly organization: OrganizationRow;
	readonly inviterName: string | null;
	readonly nowMs: number;
}

/**
 * Gives an invitation a new secret, which ends the one before it and lives for seven days, and mails the link. Throws
 * `rate_limit_exceeded` when the address got five invitations within an hour, from any sender.
 */
export async function sendLink(
	deps: InvitationDeps,
	metadata: Metadata,
	{ invitation, organization, inviterName, nowMs }: Sending,
): Promise<{ readonly link: string; readonly expiresAt: number }> {
	await countAttempt({ ...deps, metadata }, mailsToAnAddress, invitation.email);
	const { token, expiresAt } = await issueMailedToken(metadata, invitation.id, nowMs);
	await updateInvitation(metadata, invitation.id, { expires_at: expiresAt });
	const link = linkWith(deps, token);
	// The invitee may not know the author of these names.
	const name = plainName(organization.name);
	const inviter = inviterName === null ? "Somebody" : plainName(inviterName);
	await deps.mailer.queue(metadata, {
		to: invitation.email,
		subject: `Invitation to ${name}`,
		body: [
			`${inviter} invites you to work with ${name} on its web statistics.`,
			{ link, label: "Accept the invitation" },
			"The link works once, within 7 days.",
			"If you did not expect this email, ignore it.",
		],
	});
	return { link, expiresAt };
}
