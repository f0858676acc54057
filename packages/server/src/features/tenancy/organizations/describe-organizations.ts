import type { OrgRole } from "../../../access/index.ts";
import { timestamp } from "../../../platform/lib/timestamp.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import { planOf } from "./plans.ts";
import { countActiveSitesOfEach, countMembersOfEach, type OrganizationRow, rolesOf } from "./store.ts";

/** Organizations as the API shows them to a user, with their members, their active sites and the user's role. */
export async function describeOrganizations(
	metadata: Metadata,
	organizations: readonly OrganizationRow[],
	userId: number,
) {
	const ids = organizations.map(({ id }) => id);
	if (ids.length === 0) return [];
	const members = await countMembersOfEach(metadata, ids);
	const sites = await countActiveSitesOfEach(metadata, ids);
	const roles = await rolesOf(metadata, userId);
	return organizations.map((organization) =>
		presentOrganization(organization, {
			memberCount: members.get(organization.id) ?? 0,
			siteCount: sites.get(organization.id) ?? 0,
			userRole: roles.get(organization.id) ?? null,
		}),
	);
}

/** One organization as the API shows it to a user. */
export async function describeOrganization(metadata: Metadata, organization: OrganizationRow, userId: number) {
	const [described] = await describeOrganizations(metadata, [organization], userId);
	if (described === undefined) throw new Error("An organization was left out of its own description");
	return described;
}

/** An organization on the wire; `userRole` null = the caller is not a member. */
const presentOrganization = (
	row: OrganizationRow,
	around: { memberCount: number; siteCount: number; userRole: OrgRole | null },
) => ({
	id: row.id,
	name: row.name,
	slug: row.slug,
	is_active: row.is_active === 1,
	member_count: around.memberCount,
	site_count: around.siteCount,
	user_role: around.userRole,
	plan_tier: row.plan_tier,
	plan_limits: presentLimits(planOf(row.plan_tier)),
	plan_features: [...planOf(row.plan_tier).features],
	created_at: timestamp(row.created_at),
	updated_at: timestamp(row.updated_at),
});

const presentLimits = ({
	seats,
	sites,
	monthlyEvents,
	lifetimeEvents,
	requestsPerMinute,
}: ReturnType<typeof planOf>) => ({
	seats,
	sites,
	monthly_events: monthlyEvents,
	lifetime_events: lifetimeEvents,
	requests_per_minute: requestsPerMinute,
});
