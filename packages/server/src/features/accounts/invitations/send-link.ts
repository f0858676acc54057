import type { Metadata } from "../../../platform/metadata/metadata.ts";
import { issueOneTimeToken } from "../one-time-tokens/index.ts";
import type { OrganizationRow } from "../organizations/index.ts";
import type { InvitationDeps } from "./deps.ts";
import { type InvitationRow, updateInvitation } from "./store.ts";

/** What an invitation is sent with. */
interface Sending {
	readonly invitation: Pick<InvitationRow, "id" | "email">;
	readonly organization: OrganizationRow;
	readonly inviterName: string | null;
	readonly nowMs: number;
}

/** Gives an invitation a new secret, which ends the one before it and lives for seven days, and mails the link. */
export async function sendLink(
	deps: Pick<InvitationDeps, "mailer" | "rootUrl">,
	metadata: Metadata,
	{ invitation, organization, inviterName, nowMs }: Sending,
): Promise<{ readonly link: string; readonly expiresAt: number }> {
	const { token, expiresAt } = await issueOneTimeToken(metadata, "invitation", invitation.id, nowMs);
	await updateInvitation(metadata, invitation.id, { expires_at: expiresAt });
	const link = `${deps.rootUrl}/invitation?token=${token}`;
	await deps.mailer.queue(metadata, {
		to: invitation.email,
		subject: `Invitation to ${organization.name}`,
		body: [
			`${inviterName ?? "Somebody"} invites you to work with ${organization.name} on its web statistics.`,
			{ link, label: "Accept the invitation" },
			"The link works once and for 7 days.",
			"You did not expect this? Then do nothing.",
		],
	});
	return { link, expiresAt };
}
