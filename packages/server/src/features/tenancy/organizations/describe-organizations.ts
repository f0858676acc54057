import { type Static, Type } from "typebox";
import { orgRoles } from "../../../access/index.ts";
import { presentRow } from "../../../platform/http/present-row.ts";
import { Nullable, OneOf, Timestamp } from "../../../platform/http/schemas.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import { planOf, planTiers } from "./plans.ts";
import { countActiveSitesOfEach, countMembersOfEach, type OrganizationRow, organizationMembers } from "./store.ts";

/** The slug in the path of routes below one organization. */
export const OrganizationParams = Type.Object({ slug: Type.String({ description: "Organization slug" }) });

/** A role in an organization. */
export const OrgRoleName = OneOf([...orgRoles]);

/** An organization on the wire. */
export const Organization = Type.Object({
	id: Type.String({ format: "uuid" }),
	name: Type.String(),
	slug: Type.String(),
	is_active: Type.Boolean(),
	member_count: Type.Integer(),
	site_count: Type.Integer({ description: "Active sites" }),
	user_role: Nullable(OneOf([...orgRoles])),
	plan_tier: OneOf(planTiers),
	plan_limits: Type.Object(
		{
			seats: Nullable(Type.Integer({ description: "Members and open invitations" })),
			sites: Nullable(Type.Integer({ description: "Active sites" })),
			monthly_events: Nullable(Type.Integer({ description: "Collection continues beyond it" })),
			lifetime_events: Nullable(Type.Integer({ description: "Collection stops at it" })),
			requests_per_minute: Type.Integer({ description: "Per user or key" }),
		},
		{ description: "Null: no limit" },
	),
	plan_features: Type.Array(Type.String(), { description: "Plan features that not every plan has" }),
	created_at: Timestamp(),
	updated_at: Timestamp(),
});

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
