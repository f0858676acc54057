import type { Metadata } from "../../../platform/metadata/metadata.ts";
import { planOf, quotaExceeded } from "./plans.ts";
import { invitations, type OrganizationRow, organizationMembers } from "./store.ts";

/**
 * Throws `quota_exceeded` unless the plan has a seat for one more. Members have a seat, and so has each invitation that can
 * still be accepted, but that of `exceptEmail`. Call it while the organization is locked.
 */
export async function checkSeats(
	metadata: Metadata,
	organization: OrganizationRow,
	options: { readonly nowMs: number; readonly exceptEmail?: string },
): Promise<void> {
	const invited = await invitations.count(metadata, {
		organization_id: organization.id,
		is_active: 1,
		expires_at: { ">": options.nowMs },
		email: { "!=": options.exceptEmail ?? "" },
	});
	await checkMemberSeats(metadata, organization, options.nowMs, invited);
}

/** The same where `invited` seats are taken by invitations; the first to accept gets the last one. */
export async function checkMemberSeats(
	metadata: Metadata,
	organization: OrganizationRow,
	nowMs: number,
	invited = 0,
): Promise<void> {
	const { seats } = planOf(organization.plan_tier);
	if (
		seats !== null &&
		(await organizationMembers.count(metadata, { organization_id: organization.id })) + invited >= seats
	) {
		throw quotaExceeded(`The plan allows ${seats} members, open invitations included`, nowMs);
	}
}
