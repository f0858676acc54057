import type { Static } from "typebox";
import { presentRow } from "../../../platform/http/present-row.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import { planOf } from "./plans.ts";
import { Organization } from "./schemas.ts";
import { countActiveSitesOfEach, countMembersOfEach, type OrganizationRow, organizationMembers } from "./store.ts";

/** Organizations as the API shows them to a user, with their members, their active sites and the user's role. */
export async function describeOrganizations(
	metadata: Metadata,
	organizations: readonly OrganizationRow[],
	userId: number,
): Promise<Static<typeof Organization>[]> {
	const ids = organizations.map(({ id }) => id);
	if (ids.length === 0) return [];
	const members = await countMembersOfEach(metadata, ids);
	const sites = await countActiveSitesOfEach(metadata, ids);
	const own = await organizationMembers.list(metadata, { user_id: userId });
	const roles = new Map(own.map((row) => [row.organization_id, row.role]));
	return organizations.map((row) => {
		const plan = planOf(row.plan_tier);
		return {
			...presentRow(Organization, row),
			member_count: members.get(row.id) ?? 0,
			site_count: sites.get(row.id) ?? 0,
			user_role: roles.get(row.id) ?? null,
			plan_limits: {
				seats: plan.seats,
				sites: plan.sites,
				monthly_events: plan.monthlyEvents,
				lifetime_events: plan.lifetimeEvents,
				requests_per_minute: plan.requestsPerMinute,
			},
			plan_features: [...plan.features],
		};
	});
}

export async function describeOrganization(metadata: Metadata, organization: OrganizationRow, userId: number) {
	const [described] = await describeOrganizations(metadata, [organization], userId);
	if (described === undefined) throw new Error("An organization was left out of its own description");
	return described;
}
