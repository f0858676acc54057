import { tables } from "../../../../migrations/metadata/tables/index.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import type { OrganizationRow, PlanTier } from "../organizations/index.ts";

type Planned = Pick<OrganizationRow, "id" | "plan_tier">;

/** Records the plan that an organization has until now. Of several changes at a moment the first one says it. */
export async function insertPlanChange(metadata: Metadata, { id, plan_tier }: Planned, nowMs: number): Promise<void> {
	await tables(metadata)
		.insertInto("plan_changes")
		.values({ organization_id: id, changed_at: nowMs, plan_before: plan_tier })
		.onConflict((conflict) => conflict.columns(["organization_id", "changed_at"]).doNothing())
		.execute();
}

/** The plan that an organization had at a moment; at that of a change, the one before. */
export async function planAt(metadata: Metadata, { id, plan_tier }: Planned, atMs: number): Promise<PlanTier> {
	const next = await tables(metadata)
		.selectFrom("plan_changes")
		.select("plan_before")
		.where("organization_id", "=", id)
		.where("changed_at", ">=", atMs)
		.orderBy("changed_at")
		.limit(1)
		.executeTakeFirst();
	return next?.plan_before ?? plan_tier;
}
