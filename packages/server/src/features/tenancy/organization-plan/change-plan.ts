import { Type } from "typebox";
import type { Guard } from "../../../access/index.ts";
import { ServiceError } from "../../../platform/errors/service-error.ts";
import { addRoute } from "../../../platform/http/add-route.ts";
import type { App } from "../../../platform/http/app.ts";
import { OneOf } from "../../../platform/http/schemas.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import { type Actor, actorOf } from "../../auditing/audit-log/index.ts";
import {
	describeOrganization,
	findOrganization,
	lockOrganization,
	Organization,
	OrganizationParams,
	type OrganizationRow,
	organizations,
	type PlanTier,
	planTiers,
	recordOrganization,
} from "../organizations/index.ts";
import { changeSites, countSiteChange, type SiteChangeDeps, sitesOfOrganization } from "../sites/index.ts";
import { planChanges } from "./store.ts";

/**
 * Changes the plan of an organization immediately. Items beyond the new limits are kept; none can be added. Throws
 * `not_found` for an organization that does not exist or was deleted.
 */
function changePlan(
	deps: SiteChangeDeps,
	actor: Actor,
	{ slug, plan }: { readonly slug: string; readonly plan: PlanTier },
): Promise<OrganizationRow> {
	const nowMs = deps.clock.now();
	return changeSites(deps, [], async (metadata) => {
		const { id } = activeOne(await organizations.find(metadata, { slug }));
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
	// Of several changes at a moment the first one says the plan before.
	const change = { organization_id: id, changed_at: nowMs, plan_before: before.plan_tier };
	await planChanges.insertUnlessTaken(metadata, change);
	const details = { plan_tier: [before.plan_tier, plan] };
	await recordOrganization(metadata, actor, { action: "plan.changed", id: id, details }, nowMs);
	const siteIds = (await sitesOfOrganization(metadata, id)).map((site) => site.id);
	await countSiteChange(metadata, siteIds);
	return (await organizations.update(metadata, { id }, { plan_tier: plan, updated_at: nowMs })) ?? before;
}

function activeOne(organization: OrganizationRow | undefined): OrganizationRow {
	if (organization?.is_active === 1) return organization;
	throw new ServiceError("not_found", "Organization not found");
}

const PlanBody = Type.Object({ plan_tier: OneOf(planTiers) });

const operating: Guard = { kind: "session", scope: "write", superadmin: true, impersonation: "refused" };

/** The route by which a superadmin sets an organization's plan. */
export function registerOrganizationPlan(app: App, deps: SiteChangeDeps): void {
	addRoute(app, "PATCH /admin/organizations/:slug/plan", {
		tags: ["Organizations"],
		summary: "Change the plan of an organization",
		params: OrganizationParams,
		body: PlanBody,
		guard: operating,
		data: Organization,
		handler: async (request) => {
			const { slug } = request.params;
			const row = await changePlan(deps, actorOf(request), { slug, plan: request.body.plan_tier });
			return await describeOrganization(deps.metadata, row, request.caller.userId);
		},
	});
}
