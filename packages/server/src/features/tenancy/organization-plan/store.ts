import { tableOf } from "../../../../migrations/metadata/tables/table-of.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import type { OrganizationRow, PlanTier } from "../organizations/index.ts";

export const planChanges = tableOf("plan_changes");

/** The plan that an organization had at a moment; at that of a change, the one before. */
export async function planAt(metadata: Metadata, { id, plan_tier }: OrganizationRow, atMs: number): Promise<PlanTier> {
	const next = await planChanges.find(metadata, { organization_id: id, changed_at: { ">=": atMs } }, "changed_at");
	return next?.plan_before ?? plan_tier;
}
