import { ServiceError } from "../../../platform/errors/service-error.ts";
import { sha256Hex } from "../../../platform/lib/crypto.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import { findOneTimeToken } from "../one-time-tokens/index.ts";
import { findOrganization, type OrganizationRow } from "../organizations/index.ts";
import { findInvitation, type SentInvitation, wasAcceptedWith } from "./store.ts";

/** An invitation that can be accepted now. */
export interface OpenInvitation {
	readonly invitation: SentInvitation;
	readonly organization: OrganizationRow;
}

/** The invitation that a link's secret opens; throws `not_found` (expired and revoked ones too), `conflict` when accepted. */
export async function openInvitation(metadata: Metadata, token: string, nowMs: number): Promise<OpenInvitation> {
	const state = await findOneTimeToken(metadata, "invitation", token, nowMs);
	if (state === undefined && (await wasAcceptedWith(metadata, sha256Hex(token)))) {
		throw new ServiceError("conflict", { message: "The invitation was accepted already" });
	}
	const invitation =
		state === undefined || state.isExpired ? undefined : await findInvitation(metadata, Number(state.subject));
	const organization =
		invitation?.is_active === 1 ? await findOrganization(metadata, invitation.organization_id) : undefined;
	if (invitation === undefined || organization?.is_active !== 1) {
		throw new ServiceError("not_found", { message: "The invitation does not exist or is no longer valid" });
	}
	return { invitation, organization };
}
