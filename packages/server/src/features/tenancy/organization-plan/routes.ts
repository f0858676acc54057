import { Type } from "typebox";
import type { Guard } from "../../../access/index.ts";
import type { App } from "../../../platform/http/app.ts";
import { success } from "../../../platform/http/envelope.ts";
import { OneOf, Success } from "../../../platform/http/schemas.ts";
import { actorOf } from "../../auditing/audit-log/index.ts";
import { describeOrganization, Organization, OrganizationParams, planTiers } from "../organizations/index.ts";
import { changePlan, type PlanDeps } from "./change-plan.ts";

const PlanBody = Type.Object({ plan_tier: OneOf(planTiers) });

const operating: Guard = { kind: "session", scope: "write", superadmin: true, impersonation: "refused" };

/** The route by which a superadmin sets an organization's plan. */
export function registerOrganizationPlan(app: App, deps: PlanDeps): void {
	app.route({
		method: "PATCH",
		url: "/admin/organizations/:slug/plan",
		schema: {
			tags: ["Organizations"],
			summary: "Put an organization on another plan",
			params: OrganizationParams,
			body: PlanBody,
			response: { 200: Success(Organization) },
		},
		config: { guard: operating },
		handler: async (request) => {
			const { slug } = request.params;
			const row = await changePlan(deps, actorOf(request), { slug, plan: request.body.plan_tier });
			return success(await describeOrganization(deps.metadata, row, request.caller.userId));
		},
	});
}
