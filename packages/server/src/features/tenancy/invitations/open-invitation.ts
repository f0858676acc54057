import { ServiceError } from "../../../platform/errors/service-error.ts";
import { sha256Hex } from "../../../platform/lib/crypto.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import { findOrganization, type OrganizationRow } from "../organizations/index.ts";
import { findLinkToken } from "./link-tokens.ts";
import { findInvitation, type SentInvitation, wasAcceptedWith } from "./store.ts";

/** An invitation that can be accepted now. */
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
	const isUsed = state === undefined && (await wasAcceptedWith(metadata, sha256Hex(token)));
	if (isUsed || (invitation !== undefined && invitation.accepted_at !== null)) {
		throw new ServiceError("conflict", { message: "The invitation was already accepted" });
	}
	const organization =
		invitation?.is_active === 1 ? await findOrganization(metadata, invitation.organization_id) : undefined;
	if (invitation === undefined || organization?.is_active !== 1) {
		throw new ServiceError("not_found", { message: "The invitation does not exist or is no longer valid" });
	}
	return { invitation, organization, isMailed: state?.isMailed ?? false };
}
