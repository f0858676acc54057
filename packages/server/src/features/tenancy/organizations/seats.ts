import { tables } from "../../../../migrations/metadata/tables/index.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import { planOf, quotaExceeded } from "./plans.ts";
import type { OrganizationRow } from "./store.ts";

/**
 * Throws `quota_exceeded` unless the plan has a seat for one more. Members have a seat, and so has each invitation that can
 * still be accepted, but that of `exceptEmail`. Call it while the organization is locked.
 */
export async function checkSeats(
	metadata: Metadata,
	organization: OrganizationRow,
	options: { readonly nowMs: number; readonly exceptEmail?: string },
): Promise<void> {
	const { invited } = await tables(metadata)
		.selectFrom("invitations")
		.select((query) => query.fn.countAll<number>().as("invited"))
		.where("organization_id", "=", organization.id)
		.where("is_active", "=", 1)
		.where("expires_at", ">", options.nowMs)
		.where("email", "!=", options.exceptEmail ?? "")
		.executeTakeFirstOrThrow();
	await checkTaken(metadata, organization, Number(invited), options.nowMs);
}

/** Throws `quota_exceeded` unless the plan has a seat for one more member; whoever accepts first, has it. */
export const checkMemberSeats = (metadata: Metadata, organization: OrganizationRow, nowMs: number): Promise<void> =>
	checkTaken(metadata, organization, 0, nowMs);

async function checkTaken(
	metadata: Metadata,
	organization: OrganizationRow,
	invited: number,
	nowMs: number,
): Promise<void> {
	const { seats } = planOf(organization.plan_tier);
	const { members } = await tables(metadata)
		.selectFrom("organization_members")
		.select((query) => query.fn.countAll<number>().as("members"))
		.where("organization_id", "=", organization.id)
		.executeTakeFirstOrThrow();
	if (seats !== null && Number(members) + invited >= seats) {
		throw quotaExceeded(`The plan allows ${seats} members, open invitations included`, nowMs);
	}
}
