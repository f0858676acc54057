export { putOnPlan } from "./change-plan.ts";
export { registerOrganizationPlan } from "./routes.ts";
