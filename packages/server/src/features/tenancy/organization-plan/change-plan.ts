import { ServiceError } from "../../../platform/errors/service-error.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import { type Actor, type ChangeDeps, recordAudit } from "../../auditing/audit-log/index.ts";
import {
	findOrganization,
	findOrganizationBySlug,
	lockOrganization,
	type OrganizationRow,
	type PlanTier,
	updateOrganization,
} from "../organizations/index.ts";
import { changeSites, countSiteChange, type SiteDirectory, sitesOfOrganization } from "../sites/index.ts";
import { insertPlanChange } from "./store.ts";

export interface PlanDeps extends ChangeDeps {
	/** Refreshed after the change, as the collector looks there for the plan. */
	readonly sites: Pick<SiteDirectory, "refresh">;
}

/**
 * Changes the plan of an organization immediately. Items beyond the new limits are kept; none can be added. Throws
 * `not_found` for an organization that does not exist or was deleted.
 */
export function changePlan(
	deps: PlanDeps,
	actor: Actor,
	{ slug, plan }: { readonly slug: string; readonly plan: PlanTier },
): Promise<OrganizationRow> {
	const nowMs = deps.clock.now();
	return changeSites(deps, [], async (metadata) => {
		const { id } = activeOne(await findOrganizationBySlug(metadata, slug));
		return putOnPlan(metadata, actor, { organizationId: id, plan }, nowMs);
	});
}

/** The same as part of a transaction; the caller refreshes the directory of sites after the commit. */
export async function putOnPlan(
	metadata: Metadata,
	actor: Actor,
	{ organizationId: id, plan }: { readonly organizationId: string; readonly plan: PlanTier },
	nowMs: number,
): Promise<OrganizationRow> {
	await lockOrganization(metadata, id);
	const before = activeOne(await findOrganization(metadata, id));
	if (before.plan_tier === plan) return before;
	await insertPlanChange(metadata, before, nowMs);
	const details = { plan_tier: [before.plan_tier, plan] };
	await recordAudit(metadata, actor, { action: "plan.changed", resourceId: id, organizationId: id, details }, nowMs);
	const sites = await sitesOfOrganization(metadata, id);
	await countSiteChange(
		metadata,
		sites.map((site) => site.id),
	);
	return (await updateOrganization(metadata, id, { plan_tier: plan, updated_at: nowMs })) ?? before;
}

function activeOne(organization: OrganizationRow | undefined): OrganizationRow {
	if (organization?.is_active === 1) return organization;
	throw new ServiceError("not_found", { message: "Organization not found" });
}
