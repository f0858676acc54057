import { ServiceError } from "../../../platform/errors/service-error.ts";
import { slugOf } from "../../../platform/lib/slug.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import { lockUser } from "../../people/users/index.ts";
import type { PlanTier } from "./plans.ts";
import { findOrganization, insertOrganization, membershipsOf, type OrganizationRow, roleIn } from "./store.ts";

/** Author of a new site. */
export interface SiteCreator {
	readonly userId: number;
	readonly name: string;
	readonly isSuperadmin: boolean;
}

/**
 * The organization that a new site of this user belongs to: the one asked for, else the user's own; a user without any
 * gets a personal one. Throws `not_found` for an organization that the user does not belong to, `forbidden` for members.
 * Call it inside the transaction that stores the site.
 */
export async function organizationForNewSite(
	metadata: Metadata,
	creator: SiteCreator,
	options: { orgId: string | null; plan: PlanTier; nowMs: number },
): Promise<OrganizationRow> {
	if (options.orgId !== null) return chosen(metadata, creator, options.orgId);
	const own = await ownOrganization(metadata, creator);
	if (own !== undefined) return own;
	// Two first sites at once must not make two organizations.
	await lockUser(metadata, creator.userId);
	const made = await ownOrganization(metadata, creator);
	if (made !== undefined) return made;
	return insertOrganization(metadata, {
		slugBase: slugOf(creator.name, "org"),
		name: creator.name,
		isPersonal: true,
		plan: options.plan,
		ownerId: creator.userId,
		nowMs: options.nowMs,
	});
}

async function ownOrganization(metadata: Metadata, creator: SiteCreator): Promise<OrganizationRow | undefined> {
	const memberships = await membershipsOf(metadata, creator.userId);
	const own = memberships.find(({ role }) => role !== "member");
	if (own === undefined && memberships.length > 0 && !creator.isSuperadmin) throw roleTooLow();
	return own;
}

const roleTooLow = () => new ServiceError("forbidden", { message: "Required role: admin" });

async function chosen(metadata: Metadata, creator: SiteCreator, orgId: string): Promise<OrganizationRow> {
	const organization = await findOrganization(metadata, orgId);
	const role = await roleIn(metadata, orgId, creator.userId);
	const isVisible = creator.isSuperadmin || role !== undefined;
	if (organization === undefined || organization.is_active !== 1 || !isVisible) {
		throw new ServiceError("not_found", { message: "Organization not found" });
	}
	if (!creator.isSuperadmin && role === "member") throw roleTooLow();
	return organization;
}
