import type { Metadata } from "../../../platform/metadata/metadata.ts";
import { type PlanFeature, planAllows } from "./plans.ts";
import { membershipsOf } from "./store.ts";

/** The organizations that a user belongs to, each with whether its plan has a feature. */
export async function membershipsWith(metadata: Metadata, userId: number, feature: PlanFeature) {
	const memberships = await membershipsOf(metadata, userId);
	return memberships.map(({ id, role, plan_tier: plan }) => ({ id, role, hasFeature: planAllows(plan, feature) }));
}
