import { ServiceError } from "../../../platform/errors/service-error.ts";
import { sha256Hex } from "../../../platform/lib/crypto.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import { type Actor, actorOf, type ChangeDeps, recordAudit, userActor } from "../../auditing/audit-log/index.ts";
import {
	type AuthDeps,
	type Client,
	checkInvitedRegistration,
	mailVerification,
	openSession,
	type SessionSecrets,
} from "../../people/auth/index.ts";
import { findUser, findUserByEmail, insertUser, newUserRow, type UserRow } from "../../people/users/index.ts";
import {
	checkMemberSeats,
	findOrganization,
	invitations,
	lockOrganization,
	type OrganizationRow,
	organizationMembers,
	type Requester,
} from "../organizations/index.ts";
import { siteMembers, sitesOfOrganization } from "../sites/index.ts";
import { findLinkToken, type InvitationRouteDeps, takeLinkToken } from "./send-invitation.ts";
import { findInvitation, type SentInvitation } from "./store.ts";

export interface OpenInvitation {
	readonly invitation: SentInvitation;
	readonly organization: OrganizationRow;
	/** True if the secret was mailed: its holder reads the mails of the address. */
	readonly isMailed: boolean;
}

/** The invitation that a link's secret opens; throws `not_found` (expired and revoked ones too), `conflict` when accepted. */
export async function openInvitation(metadata: Metadata, token: string, nowMs: number): Promise<OpenInvitation> {
	const state = await findLinkToken(metadata, token, nowMs);
	const invitation =
		state === undefined || state.isExpired ? undefined : await findInvitation(metadata, Number(state.subject));
	const isUsed =
		state === undefined && (await invitations.count(metadata, { accepted_token_hash: sha256Hex(token) })) > 0;
	if (isUsed || (invitation !== undefined && invitation.accepted_at !== null)) {
		throw new ServiceError("conflict", "The invitation was already accepted");
	}
	const organization =
		invitation?.is_active === 1 ? await findOrganization(metadata, invitation.organization_id) : undefined;
	if (invitation === undefined || organization?.is_active !== 1) {
		throw new ServiceError("not_found", "The invitation does not exist or is no longer valid");
	}
	return { invitation, organization, isMailed: state?.isMailed ?? false };
}

/**
 * Makes an account for the invited address, and a member of it. With the mailed link the address counts as verified; with the
 * one that the sender was shown it is mailed a link to confirm it, and until then the account opens nothing. Throws
 * `forbidden` where no accounts are made, and as `openInvitation` does, `validation_error` for name and password, `conflict` when the address has an account, and
 * `quota_exceeded`.
 */
export async function acceptInvitation(
	deps: Omit<InvitationRouteDeps, keyof AuthDeps> & ChangeDeps,
	input: { readonly token: string; readonly name: string; readonly password: string; readonly ip: string },
): Promise<{ readonly user: UserRow; readonly organization: OrganizationRow }> {
	checkInvitedRegistration(deps.registration);
	const nowMs = deps.clock.now();
	const { invitation } = await openInvitation(deps.metadata, input.token, nowMs);
	const { name, password } = input;
	const row = await newUserRow({ email: invitation.email, name, password, role: "user" }, nowMs);
	return deps.metadata.transaction().execute(async (metadata) => {
		const open = await takeInvitation(metadata, input.token, nowMs);
		if ((await findUserByEmail(metadata, open.invitation.email)) !== undefined) {
			throw new ServiceError("conflict", "The address has an account: sign in to accept the invitation");
		}
		const user = await insertUser(metadata, open.isMailed ? row : { ...row, email_verified_at: null });
		if (!open.isMailed) await mailVerification({ ...deps, metadata }, user);
		const actor = userActor(user.id, input.ip);
		await recordAudit(metadata, actor, { action: "user.created", resourceId: user.id }, nowMs);
		await join(metadata, open, { user, actor, madeUser: true, token: input.token, nowMs });
		return { user, organization: open.organization };
	});
}

/**
 * Makes the signed-in user a member, next to the organizations that the user belongs to already. Throws as
 * `openInvitation` does, `forbidden` when another address was invited, `email_not_verified`, `conflict` for members, and
 * `quota_exceeded`.
 */
export async function acceptAsUser(deps: ChangeDeps, by: Requester, token: string): Promise<OrganizationRow> {
	const nowMs = deps.clock.now();
	return deps.metadata.transaction().execute(async (metadata) => {
		const open = await takeInvitation(metadata, token, nowMs);
		const user = await findUser(metadata, by.caller.userId);
		if (user?.email !== open.invitation.email) {
			throw new ServiceError("forbidden", "The invitation is for another email address");
		}
		if (user.email_verified_at === null) throw new ServiceError("email_not_verified");
		await join(metadata, open, { user, actor: actorOf(by), madeUser: false, token, nowMs });
		return open.organization;
	});
}

/** Uses the secret up; of two requests at once, the second finds the invitation accepted. */
async function takeInvitation(metadata: Metadata, token: string, nowMs: number): Promise<OpenInvitation> {
	const { organization } = await openInvitation(metadata, token, nowMs);
	await lockOrganization(metadata, organization.id);
	const open = await openInvitation(metadata, token, nowMs);
	if (!(await takeLinkToken(metadata, token, nowMs))) throw new ServiceError("conflict");
	return open;
}

async function join(
	metadata: Metadata,
	{ invitation, organization }: OpenInvitation,
	{
		user,
		actor,
		madeUser,
		token,
		nowMs,
	}: { user: UserRow; actor: Actor; madeUser: boolean; token: string; nowMs: number },
): Promise<void> {
	const { role } = invitation;
	const organizationId = organization.id;
	await checkMemberSeats(metadata, organization, nowMs);
	const member = { organization_id: organizationId, user_id: user.id, role, created_at: nowMs };
	if ((await organizationMembers.insertUnlessTaken(metadata, member)) === undefined) {
		throw new ServiceError("conflict", "You are already a member");
	}
	await giveSites(metadata, invitation, user.id, nowMs);
	const made = { accepted_token_hash: sha256Hex(token), made_user: madeUser ? 1 : 0 };
	const changes = { is_active: 0, accepted_at: nowMs, accepted_by: user.id, ...made };
	await invitations.update(metadata, { id: invitation.id }, changes);
	const accepted = { action: "invitation.accepted", resourceId: invitation.id, organizationId } as const;
	await recordAudit(metadata, actor, accepted, nowMs);
	const details = { role: [null, role] };
	const joined = { action: "member.created", resourceId: user.id, organizationId, details } as const;
	await recordAudit(metadata, actor, joined, nowMs);
}

/** Sites that left the organization since are left out. */
async function giveSites(metadata: Metadata, invitation: SentInvitation, userId: number, nowMs: number): Promise<void> {
	const asked = JSON.parse(invitation.site_ids) as string[];
	const member = { user_id: userId, role: invitation.site_role, created_at: nowMs };
	for (const { id } of await sitesOfOrganization(metadata, invitation.organization_id)) {
		if (asked.includes(id)) await siteMembers.insertUnlessTaken(metadata, { ...member, site_id: id });
	}
}

/** Until the address is confirmed, a session may only decide on the request of an app that it names: here that of none. */
const UNCONFIRMED = "invitation";

/** Signs in an account that accepting an invitation made; it has no second factor to ask for. */
export async function signInAccepted(
	deps: AuthDeps,
	user: UserRow,
	client: Client,
): Promise<{ readonly secrets: SessionSecrets; readonly isConfirmed: boolean }> {
	const isConfirmed = user.email_verified_at !== null;
	const { secrets } = await openSession(deps, user, client, isConfirmed ? {} : { boundRequest: UNCONFIRMED });
	return { secrets, isConfirmed };
}
