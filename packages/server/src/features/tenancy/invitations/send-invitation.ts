import type { OrgRole, SiteRole } from "../../../access/index.ts";
import { ServiceError } from "../../../platform/errors/service-error.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import type { Mailer } from "../../../platform/outbound/mail/mailer.ts";
import { plainName } from "../../../platform/outbound/mail/plain-text.ts";
import type { ChangeDeps } from "../../auditing/audit-log/index.ts";
import type { AuthDeps, Registration } from "../../people/auth/index.ts";
import { countAttempt } from "../../people/failure-limits/index.ts";
import {
	endOneTimeTokens,
	findOneTimeToken,
	issueOneTimeToken,
	takeOneTimeToken,
} from "../../people/one-time-tokens/index.ts";
import { findUser, normalizeEmail } from "../../people/users/index.ts";
import {
	changeOrganization,
	checkOwnerCeiling,
	checkSeats,
	type HeldOrganization,
	invitations,
	type OrganizationEnding,
	type OrganizationRow,
	type Requester,
} from "../organizations/index.ts";
import { sitesOfOrganization } from "../sites/index.ts";
import { findInvitation, type InvitationRow, isMemberAddress, listInvitations, type SentInvitation } from "./store.ts";

interface InvitationDeps extends ChangeDeps {
	readonly mailer: Mailer;
	/** Where links in mails lead; without a slash at its end. */
	readonly rootUrl: string;
	/** Keys the hashes by which invitations to an address are counted. */
	readonly secretKey: string;
}

export interface InvitationRouteDeps extends InvitationDeps, AuthDeps {
	readonly registration: Registration;
}

interface NewInvitation {
	readonly organizationId: string;
	readonly email: string;
	readonly role: OrgRole;
	/** Sites that a member gets; owners and admins have all. */
	readonly siteIds: readonly string[];
	readonly siteRole: SiteRole;
}

/**
 * Invites an address; nothing in the answer depends on whether it has an account. An invitation that expired is replaced.
 * Throws `forbidden` when an admin invites an owner of the organization or of a site, `account_not_found` for sites that are not the organization's,
 * `duplicate_entry` for members and addresses with an open invitation, and `quota_exceeded`. The link is for the inviter to pass on;
 * an account created with it has to confirm its address first. A superadmin is shown the mailed one.
 */
export const sendInvitation = (deps: InvitationDeps, by: Requester, input: NewInvitation) =>
	changeOrganization(deps, by, input, async (trx, held, nowMs) => {
		const { organizationId, role, siteRole } = input;
		const { organization } = held;
		const email = normalizeEmail(input.email);
		const siteIds = role === "member" ? [...new Set(input.siteIds)] : [];
		checkInvited(held.role, { role, site_role: siteRole });
		await checkSites(trx, organizationId, siteIds);
		await makeRoom(trx, held, { email, nowMs });
		const inviter = await findUser(trx, by.caller.userId);
		const invitation = await invitations.insert(trx, {
			organization_id: organizationId,
			email,
			role,
			site_ids: JSON.stringify(siteIds),
			site_role: siteRole,
			invited_by: by.caller.userId,
			is_active: 1,
			made_user: 0,
			expires_at: nowMs,
			created_at: nowMs,
		});
		const { id } = invitation;
		const sent = await sendLink(deps, trx, { invitation, organization, inviterName: inviter?.name ?? null, nowMs });
		const isTrusted = by.caller.kind === "session" && by.caller.role === "superadmin";
		const shown = isTrusted
			? sent.link
			: linkWith(deps, (await issueOneTimeToken(trx, "invitation_link", id, nowMs)).token);
		const details = { email, role, site_ids: siteIds, ...(siteIds.length > 0 && { site_role: siteRole }) };
		const entry = { action: "invitation.sent", resourceId: id, details } as const;
		return { answer: { id, link: shown, expiresAt: sent.expiresAt }, entry };
	});

/** An admin invites no owner, neither of the organization nor of a site. */
function checkInvited(by: OrgRole, { role, site_role }: Pick<InvitationRow, "role" | "site_role">): void {
	checkOwnerCeiling(by, role, site_role === "owner" ? "owner" : "member");
}

async function checkSites(metadata: Metadata, organizationId: string, siteIds: readonly string[]): Promise<void> {
	const known = new Set((await sitesOfOrganization(metadata, organizationId)).map(({ id }) => id));
	const foreign = siteIds.find((id) => !known.has(id));
	if (foreign !== undefined) throw new ServiceError("account_not_found");
}

/** Refuses a second invitation, ends an expired one, and sees that the plan has a seat. */
async function makeRoom(
	metadata: Metadata,
	{ organization }: HeldOrganization,
	{ email, nowMs }: { readonly email: string; readonly nowMs: number },
): Promise<void> {
	if (await isMemberAddress(metadata, organization.id, email)) {
		throw new ServiceError("duplicate_entry", "The address already belongs to a member");
	}
	const earlier = await invitations.find(metadata, { organization_id: organization.id, email, is_active: 1 });
	if (earlier !== undefined && earlier.expires_at > nowMs) {
		throw new ServiceError("duplicate_entry", "The address has an open invitation");
	}
	await checkSeats(metadata, organization, { nowMs });
	if (earlier === undefined) return;
	await endInvitation(metadata, earlier.id);
}

/** Limit of mails to an address, over all accounts and organizations, so that a mailbox cannot be flooded. */
const mailsToAnAddress = { name: "invitation-mail", failures: 5, windowMs: 3_600_000 } as const;

const linkWith = ({ rootUrl }: Pick<InvitationDeps, "rootUrl">, token: string): string =>
	`${rootUrl}/invitation?token=${token}`;

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
async function sendLink(
	deps: InvitationDeps,
	metadata: Metadata,
	{ invitation, organization, inviterName, nowMs }: Sending,
): Promise<{ readonly link: string; readonly expiresAt: number }> {
	await countAttempt({ ...deps, metadata }, mailsToAnAddress, invitation.email);
	await endLinkTokens(metadata, invitation.id);
	const { token, expiresAt } = await issueOneTimeToken(metadata, "invitation", invitation.id, nowMs);
	await invitations.update(metadata, { id: invitation.id }, { expires_at: expiresAt });
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

/** An invitation has two secrets: the mailed one, which proves who reads the mails to the address, and the one that its sender is shown. */
const kinds = ["invitation", "invitation_link"] as const;

/** State of a secret; undefined if it is unknown, used or replaced. */
export async function findLinkToken(metadata: Metadata, token: string, nowMs: number) {
	for (const kind of kinds) {
		const state = await findOneTimeToken(metadata, kind, token, nowMs);
		if (state !== undefined) return { ...state, isMailed: kind === "invitation" };
	}
	return undefined;
}

/** Uses a secret up; false when it is unknown, used or expired. The other one tells from then on that it is too late. */
export async function takeLinkToken(metadata: Metadata, token: string, nowMs: number): Promise<boolean> {
	for (const kind of kinds) {
		if ((await takeOneTimeToken(metadata, kind, token, nowMs)) !== undefined) return true;
	}
	return false;
}

async function endLinkTokens(metadata: Metadata, invitationId: number): Promise<void> {
	for (const kind of kinds) await endOneTimeTokens(metadata, kind, invitationId);
}

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
		if (invitation.accepted_at !== null) throw new ServiceError("conflict", "The invitation was accepted");
		if (invitation.is_active !== 1) throw notFound();
		checkInvited(held.role, invitation);
		const { email, role } = invitation;
		const action = await change(trx, held, invitation, nowMs);
		return { answer: undefined, entry: { action, resourceId: id, details: { email, role } } };
	});

const notFound = () => new ServiceError("not_found", "Invitation not found");
