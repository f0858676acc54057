import type { OrgRole } from "../../../access/index.ts";
import { timestamp } from "../../../platform/lib/timestamp.ts";
import { planOf } from "./plans.ts";
import type { OrganizationRow } from "./store.ts";

/** An organization on the wire; `userRole` null = the caller is not a member. */
export const presentOrganization = (
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
