import { Type } from "typebox";
import { orgRoles } from "../../../access/index.ts";
import { Nullable, OneOf, Timestamp } from "../../../platform/http/schemas.ts";
import { planTiers } from "./plans.ts";

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
