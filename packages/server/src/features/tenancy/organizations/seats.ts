import type { Metadata } from "../../../platform/metadata/metadata.ts";
import { countMembers } from "./members-store.ts";
import { planOf, quotaExceeded } from "./plans.ts";
import { countOpenInvitations, type OrganizationRow } from "./store.ts";

/**
 * Throws `quota_exceeded` unless the plan has a seat for one more. Members have a seat, and so has each invitation that can
 * still be accepted, but that of `exceptEmail`. Call it while the organization is locked.
 */
export async function checkSeats(
	metadata: Metadata,
	organization: OrganizationRow,
	options: { readonly nowMs: number; readonly exceptEmail?: string },
): Promise<void> {
	const invited = await countOpenInvitations(metadata, organization.id, options);
	await checkTaken(metadata, organization, invited, options.nowMs);
}

/** Throws `quota_exceeded` unless the plan has a seat for one more member; the first to accept gets it. */
export const checkMemberSeats = (metadata: Metadata, organization: OrganizationRow, nowMs: number): Promise<void> =>
	checkTaken(metadata, organization, 0, nowMs);

async function checkTaken(
	metadata: Metadata,
	organization: OrganizationRow,
	invited: number,
	nowMs: number,
): Promise<void> {
	const { seats } = planOf(organization.plan_tier);
	const members = await countMembers(metadata, organization.id);
	if (seats !== null && members + invited >= seats) {
		throw quotaExceeded(`The plan allows ${seats} members, open invitations included`, nowMs);
	}
}
