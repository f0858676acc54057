import { Type } from "typebox";
import type { Guard } from "../../../access/index.ts";
import { addRoute } from "../../../platform/http/add-route.ts";
import type { App } from "../../../platform/http/app.ts";
import { OneOf } from "../../../platform/http/schemas.ts";
import { actorOf } from "../../auditing/audit-log/index.ts";
import { describeOrganization, Organization, OrganizationParams, planTiers } from "../organizations/index.ts";
import { changePlan, type PlanDeps } from "./change-plan.ts";

const PlanBody = Type.Object({ plan_tier: OneOf(planTiers) });

const operating: Guard = { kind: "session", scope: "write", superadmin: true, impersonation: "refused" };

/** The route by which a superadmin sets an organization's plan. */
export function registerOrganizationPlan(app: App, deps: PlanDeps): void {
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
